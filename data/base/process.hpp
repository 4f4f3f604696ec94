#pragma once

#include <string>
#include <string_view>

namespace procsim {

// Names this process for others that read it later: number, start and boot, so that another process which got
// the same number is not taken for it.
std::string this_process();

// Whether the process of that name still runs. One of another boot or machine does not, nor does "".
bool is_running(std::string_view process);

}  // namespace procsim

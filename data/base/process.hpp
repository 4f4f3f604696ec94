#pragma once

#include <string>
#include <string_view>

namespace procsim {

// Names this process for others that read it later: number, start and boot, so that another process which got
// the same number is not taken for it.
std::string this_process();

// Whether the process of that name still runs. One of another boot or machine does not, nor does "".
bool is_running(std::string_view process);

// The same as a word for names of files: number and start. A word that is a number alone runs as long as any
// process has that number.
std::string this_process_word();
bool is_running_word(std::string_view word);

}  // namespace procsim

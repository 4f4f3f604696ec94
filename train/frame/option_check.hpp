#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace procsim::train {

// What the validate() of an options struct says: UsageError "--triplet-margin 0: must be above 0".
void require_option(bool good, std::string_view option, double value, std::string_view wanted);
// "--triplet-form x: choose one of …", with the nearest.
void require_choice(std::string_view option, const std::string& value,
                    const std::vector<std::string>& choices);

}  // namespace procsim::train

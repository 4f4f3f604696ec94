#pragma once

#include <string>
#include <string_view>

namespace procsim {

// Text that stays text in HTML, SVG and XML, between tags and in attributes. Characters that XML forbids
// become U+FFFD.
std::string markup_text(std::string_view text);

}  // namespace procsim

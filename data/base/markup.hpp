#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

namespace procsim {

// Text that stays text in HTML, SVG and XML, between tags and in attributes. Characters that XML forbids
// become U+FFFD.
std::string markup_text(std::string_view text);

// JSON as it may stand inside a script element, in ASCII: nothing in it ends the element or opens a comment.
std::string script_json(const nlohmann::ordered_json& document);

// Puts `text` in the place of the first `mark` of a page; a page without the mark stays as it is.
void replace_mark(std::string& page, std::string_view mark, std::string_view text);

}  // namespace procsim

#pragma once

#include <string>
#include <string_view>

namespace procsim::train {

// A page that needs nothing else, in light and dark mode, with the colours of svg_plot.hpp. The title is
// text, the body is HTML.
std::string html_page(std::string_view title, std::string_view body);

}  // namespace procsim::train

#pragma once

#include <string>
#include <string_view>

namespace procsim {

// A published class name as a person would write it: "001.Black_footed_Albatross" → "Black-footed Albatross",
// "n02085620-Chihuahua" → "Chihuahua", "golden_retriever" → "golden retriever". A running number ("001.") or
// a WordNet id in front is dropped, underscores become blanks, and the hyphens and apostrophes that CUB
// dropped come back. Letter case and everything else stay. Never empty unless `published` is.
std::string clean_class_name(std::string_view published);

}  // namespace procsim

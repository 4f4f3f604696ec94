#include "train/language/wordnet_names.hpp"

#include <algorithm>

#include "embedded/imagenet_wnids.hpp"
#include <fmt/format.h>

#include "data/base/error.hpp"
#include "taxonomy/wordnet/wordnet.hpp"

namespace procsim::train {
std::vector<ImageNetClass> imagenet_classes() {
  const taxonomy::WordNet wordnet;
  const auto list = embedded::imagenet_wnids();
  std::vector<ImageNetClass> classes;
  for (std::size_t at = 0; at < list.size();) {
    const auto end = std::min(list.find('\n', at), list.size());
    const std::string wnid(list.substr(at, end - at));
    at = end + 1;
    if (wnid.empty()) continue;
    const auto synset = wordnet.find_wnid(wnid);
    if (!synset)
      throw Error(fmt::format("WordNet {} has no noun {}: ImageNet's classes are those of WordNet 3.0",
                              wordnet.release(), wnid));
    classes.push_back({wnid, wordnet.name(*synset)});
  }
  return classes;
}

}  // namespace procsim::train

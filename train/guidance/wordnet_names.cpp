#include "train/guidance/wordnet_names.hpp"

#include <algorithm>
#include <numeric>

#include "embedded/imagenet_wnids.hpp"
#include <fmt/format.h>

#include "data/error.hpp"
#include "taxonomy/wordnet.hpp"

namespace procsim {
namespace {

constexpr int kDeepest = 64;  // no noun of WordNet lies deeper

// From WordNet's root down to the node: sorting by it keeps relatives together.
std::string path_from_root(const WordNet& wordnet, const std::string& node) {
  auto synset = wordnet.find_id(node);
  if (!synset) return node;
  std::string path;
  for (int depth = 0; depth < kDeepest; ++depth) {
    path = wordnet.id(*synset) + "/" + path;
    const auto above = wordnet.hypernyms(*synset);
    if (above.empty()) break;
    synset = above.front();
  }
  return path;
}

}  // namespace

std::vector<ImageNetClass> imagenet_classes() {
  const WordNet wordnet;
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

std::vector<std::size_t> taxonomy_order(std::span<const LabelClass> classes) {
  std::vector<std::size_t> order(classes.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto placed = [](const LabelClass& one) { return !one.node.empty(); };
  if (!std::all_of(classes.begin(), classes.end(), placed)) return order;
  try {
    const WordNet wordnet;
    std::vector<std::string> paths;
    for (const auto& one : classes) paths.push_back(path_from_root(wordnet, one.node));
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return paths[a] < paths[b]; });
  } catch (const Error&) {
    std::iota(order.begin(), order.end(), 0U);
  }
  return order;
}

}  // namespace procsim

#include "taxonomy/resolve/builder.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>

#include <fmt/format.h>

#include "data/base/error.hpp"
#include "data/base/letters.hpp"

namespace procsim::taxonomy {
namespace {

// Part of a made node's id: "Aston Martin" → "aston_martin", "C/V" → "c-v".
std::string slug(std::string_view name) {
  std::string text;
  for (const char c : name) {
    if (c >= 'A' && c <= 'Z') {
      text += static_cast<char>(c - 'A' + 'a');
    } else if (c == ' ') {
      text += '_';
    } else {
      text += c == '/' ? '-' : c;
    }
  }
  return text;
}

class PartsBuilder {
 public:
  PartsBuilder(const WordNet& wordnet, std::string_view dataset, const Resolutions& resolutions,
               bool car_names)
      : wordnet_(wordnet), resolutions_(resolutions), car_names_(car_names) {
    parts_.dataset = dataset;
  }

  TaxonomyParts build(std::span<const DatasetClass> classes) {
    collect_synsets();
    add_synset_nodes();
    for (std::size_t i = 0; i < classes.size(); ++i) add_class(classes[i], resolutions_.classes[i]);
    sort_nodes();
    return std::move(parts_);
  }

 private:
  // Whether the root is above a synset, or is it. Depth first, each synset once for all classes together.
  bool reaches_root(SynsetIndex synset) {
    if (synset == resolutions_.root) return true;
    const auto known = reaches_.find(synset);
    if (known != reaches_.end()) return known->second;
    bool reaches = false;
    for (const auto above : wordnet_.hypernyms(synset)) {
      if (reaches_root(above)) reaches = true;  // all are visited: they are edges of the graph
    }
    reaches_[synset] = reaches;
    return reaches;
  }

  void collect_synsets() {
    for (const auto& resolution : resolutions_.classes) reaches_root(resolution.anchor);
    reaches_[resolutions_.root] = true;
  }

  void add_synset_nodes() {
    std::map<std::string, SynsetIndex> by_id;
    for (const auto& [synset, reaches] : reaches_) {
      if (reaches) by_id.emplace(wordnet_.id(synset), synset);
    }
    for (const auto& [id, synset] : by_id) add_synset(synset);
    for (const auto& [id, synset] : by_id) {
      if (synset != resolutions_.root) add_hypernyms(synset);
    }
  }

  // The tree follows the first hypernym from which the root is reached, as the depth-first search does.
  void add_hypernyms(SynsetIndex synset) {
    const auto child = node_of_.at(synset);
    std::vector<SynsetIndex> seen;
    for (const auto above : wordnet_.hypernyms(synset)) {
      const auto parent = node_of_.find(above);
      if (parent == node_of_.end() || std::find(seen.begin(), seen.end(), above) != seen.end()) continue;
      seen.push_back(above);
      parts_.edges.push_back({child, parent->second});
      if (!parts_.tree_parent[child]) parts_.tree_parent[child] = parent->second;
    }
  }

  NodeIndex add_node(TaxonomyNode node, std::optional<NodeIndex> parent) {
    const auto index = static_cast<NodeIndex>(parts_.nodes.size());
    parts_.nodes.push_back(std::move(node));
    parts_.tree_parent.push_back(parent);
    if (parent) parts_.edges.push_back({index, *parent});
    return index;
  }

  NodeIndex add_synset(SynsetIndex synset) {
    const auto [place, fresh] = node_of_.emplace(synset, 0);
    if (fresh) {
      place->second = add_node({wordnet_.id(synset), wordnet_.name(synset),
                                std::string(wordnet_.gloss(synset)), wordnet_.sense_key(synset)},
                               std::nullopt);
    }
    return place->second;
  }

  // Follows a class's path down from its anchor, making what is not there yet.
  NodeIndex node_for(const ClassResolution& resolution) {
    auto synset = resolution.anchor;
    auto node = node_of_.at(synset);
    auto path = wordnet_.id(synset);
    std::vector<std::string> made;  // since the last synset
    for (const auto& part : resolution.below) {
      const auto parent = node;
      if (is_sense_key(part)) {
        synset = wordnet_.find(part);
        node = hang_synset(synset, parent);
        path = wordnet_.id(synset);
        made.clear();
        continue;
      }
      path += '/' + slug(part);
      made.push_back(part);
      const auto id = fmt::format("{}:{}", parts_.dataset, path);
      const auto [place, fresh] = made_.emplace(id, 0);
      if (fresh) place->second = add_node({id, made_name(made, synset), {}, {}}, parent);
      node = place->second;
    }
    return node;
  }

  // "2012" says nothing on its own: nodes of cars are called by all that leads to them, "Audi S4 sedan 2012".
  std::string made_name(const std::vector<std::string>& made, SynsetIndex type) const {
    if (!car_names_) return made.back();
    auto words = made;
    words.insert(words.begin() + std::min<std::ptrdiff_t>(2, std::ssize(words)), wordnet_.name(type));
    return fmt::format("{}", fmt::join(words, " "));
  }

  // A synset that is hung from another node than its hypernym: the tree follows that, the graph has both.
  NodeIndex hang_synset(SynsetIndex synset, NodeIndex parent) {
    const auto node = add_synset(synset);
    const auto [place, fresh] = hung_.emplace(synset, parent);
    if (place->second != parent) {
      throw Error(fmt::format("the overrides hang {} both below {} and below {}; choose one",
                              wordnet_.id(synset), parts_.nodes[place->second].id, parts_.nodes[parent].id));
    }
    if (!fresh || parts_.tree_parent[node] == parent) return node;
    if (synset == resolutions_.root) {
      throw Error(fmt::format("the overrides hang the root {} below {}", wordnet_.id(synset),
                              parts_.nodes[parent].id));
    }
    parts_.tree_parent[node] = parent;
    parts_.edges.push_back({node, parent});
    return node;
  }

  void add_class(const DatasetClass& source, const ClassResolution& resolution) {
    const auto node = node_for(resolution);
    parts_.classes.push_back({source.name, source.published, parts_.nodes[node].id, resolution.how,
                              resolution.matched, resolution.reason, doubt_about(resolution),
                              resolution.ambiguous ? resolution.doubt : 0});
  }

  // What else the name may mean, for whoever looks at its place.
  std::string doubt_about(const ClassResolution& resolution) const {
    if (!resolution.ambiguous) return {};
    std::vector<std::string> others;
    for (const auto& candidate : resolution.candidates) {
      if (candidate.synset == resolution.synset) continue;
      others.push_back(fmt::format("{} ({})", wordnet_.id(candidate.synset),
                                   shortened(wordnet_.gloss(candidate.synset), 60)));
      if (others.size() == 2) break;
    }
    const auto here = shortened(wordnet_.gloss(resolution.synset), 60);
    if (others.empty()) return fmt::format("here: {}; its usual meaning is not below the root", here);
    return fmt::format("here: {}; or {}", here, fmt::join(others, ", or "));
  }

  // Nodes by id, so that the file does not depend on the order in which classes came.
  void sort_nodes() {
    std::vector<NodeIndex> order(parts_.nodes.size());
    for (NodeIndex i = 0; i < order.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(),
              [&](NodeIndex a, NodeIndex b) { return parts_.nodes[a].id < parts_.nodes[b].id; });
    std::vector<NodeIndex> place(order.size());
    for (NodeIndex i = 0; i < order.size(); ++i) place[order[i]] = i;
    std::vector<TaxonomyNode> nodes(order.size());
    std::vector<std::optional<NodeIndex>> parents(order.size());
    for (NodeIndex i = 0; i < order.size(); ++i) {
      nodes[place[i]] = std::move(parts_.nodes[i]);
      if (parts_.tree_parent[i]) parents[place[i]] = place[*parts_.tree_parent[i]];
    }
    for (auto& edge : parts_.edges) edge = {place[edge.child], place[edge.parent]};
    std::stable_sort(parts_.edges.begin(), parts_.edges.end(),
                     [](const auto& a, const auto& b) { return a.child < b.child; });
    parts_.nodes = std::move(nodes);
    parts_.tree_parent = std::move(parents);
  }

  const WordNet& wordnet_;
  const Resolutions& resolutions_;
  bool car_names_;
  TaxonomyParts parts_;
  std::unordered_map<SynsetIndex, bool> reaches_;
  std::unordered_map<SynsetIndex, NodeIndex> node_of_;
  std::map<std::string, NodeIndex> made_;
  std::unordered_map<SynsetIndex, NodeIndex> hung_;  // which parent the overrides gave it
};

// Classes that came as synset numbers are called what WordNet calls them; where two would be called the same
// ("crane"), the hypernym tells them apart.
std::vector<DatasetClass> with_names(const WordNet& wordnet, std::span<const DatasetClass> classes,
                                     const Resolutions& resolutions) {
  std::vector<DatasetClass> named(classes.begin(), classes.end());
  std::map<std::string, int> uses;
  const auto is_number = [&](std::size_t i) {
    return is_wnid(classes[i].published) && classes[i].name == classes[i].published &&
           resolutions.classes[i].how == Resolution::kFullName;
  };
  for (std::size_t i = 0; i < named.size(); ++i) {
    if (is_number(i)) named[i].name = wordnet.name(resolutions.classes[i].synset);
    ++uses[named[i].name];
  }
  for (std::size_t i = 0; i < named.size(); ++i) {
    if (!is_number(i) || uses[named[i].name] == 1) continue;
    const auto above = wordnet.hypernyms(resolutions.classes[i].synset);
    if (!above.empty()) named[i].name += fmt::format(" ({})", wordnet.name(above.front()));
  }
  return named;
}

}  // namespace

BuiltTaxonomy build_taxonomy(const WordNet& wordnet, const HypernymGraph& graph, std::string_view dataset,
                             std::span<const DatasetClass> classes, const ResolveOptions& options) {
  BuiltTaxonomy built;
  built.resolutions = resolve_classes(wordnet, graph, classes, options);
  const auto named = with_names(wordnet, classes, built.resolutions);
  built.parts = PartsBuilder(wordnet, dataset, built.resolutions, options.car_names).build(named);
  return built;
}

std::string resolution_table(const WordNet& wordnet, const BuiltTaxonomy& built) {
  const auto field = [](std::string text) {
    std::replace_if(
        text.begin(), text.end(), [](char c) { return c == '\t' || c == '\n' || c == '\r'; }, ' ');
    return text;
  };
  std::string table =
      "label\tclass\tpublished\thow\tmatched\tnode\tsynset\tsense_key\tgloss\treason\tambiguous\tother_"
      "senses\n";
  for (std::size_t i = 0; i < built.parts.classes.size(); ++i) {
    const auto& entry = built.parts.classes[i];
    const auto& resolution = built.resolutions.classes[i];
    std::vector<std::string> others;
    for (const auto& candidate : resolution.candidates) {
      if (candidate.synset != resolution.synset) others.push_back(wordnet.sense_key(candidate.synset));
    }
    table += fmt::format("{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\n", i, field(entry.name),
                         field(entry.published), to_string(entry.how), field(entry.matched),
                         field(entry.node), wordnet.id(resolution.synset),
                         wordnet.sense_key(resolution.synset), wordnet.gloss(resolution.synset),
                         field(entry.reason), resolution.ambiguous ? "yes" : "no", fmt::join(others, " "));
  }
  return table;
}

}  // namespace procsim::taxonomy

#include "taxonomy/wordnet/hypernym_graph.hpp"

#include <algorithm>
#include <unordered_map>

#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/depth_first_search.hpp>
#include <boost/property_map/property_map.hpp>

namespace procsim::taxonomy {
namespace {

using Graph = boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, boost::no_property,
                                                 boost::no_property, SynsetIndex, std::uint32_t>;
using Colours = std::unordered_map<SynsetIndex, boost::default_color_type>;  // absent: white

// Remembers how every synset was come upon.
class PathVisitor : public boost::default_dfs_visitor {
 public:
  PathVisitor(std::unordered_map<SynsetIndex, SynsetIndex>& came_from, const bool& found)
      : came_from_(&came_from), found_(&found) {}

  template <typename Edge, typename AnyGraph>
  void tree_edge(Edge edge, const AnyGraph& graph) const {
    if (!*found_) (*came_from_)[target(edge, graph)] = source(edge, graph);
  }

 private:
  std::unordered_map<SynsetIndex, SynsetIndex>* came_from_;
  const bool* found_;
};

}  // namespace

struct HypernymGraph::State {
  Graph graph;
};

HypernymGraph::HypernymGraph(const WordNet& wordnet) {
  std::vector<std::pair<SynsetIndex, SynsetIndex>> edges;
  const auto count = static_cast<SynsetIndex>(wordnet.size());
  for (SynsetIndex synset = 0; synset < count; ++synset) {
    for (const auto hypernym : wordnet.hypernyms(synset)) edges.emplace_back(synset, hypernym);
  }
  state_ = std::make_unique<State>(State{Graph(boost::edges_are_sorted, edges.begin(), edges.end(), count,
                                               static_cast<std::uint32_t>(edges.size()))});
}

HypernymGraph::~HypernymGraph() = default;
HypernymGraph::HypernymGraph(HypernymGraph&&) noexcept = default;

std::optional<std::vector<SynsetIndex>> HypernymGraph::path_to(SynsetIndex from, SynsetIndex root) const {
  std::unordered_map<SynsetIndex, SynsetIndex> came_from;
  Colours colours;
  bool found = false;
  // True ends the search below a vertex; once the root is found, everywhere.
  const auto stop = [&](SynsetIndex vertex, const Graph&) {
    if (vertex == root) found = true;
    return found;
  };
  boost::depth_first_visit(state_->graph, from, PathVisitor(came_from, found),
                           boost::make_assoc_property_map(colours), stop);
  if (!found) return std::nullopt;
  std::vector<SynsetIndex> path = {root};
  while (path.back() != from) path.push_back(came_from.at(path.back()));
  std::reverse(path.begin(), path.end());
  return path;
}

std::vector<SynsetIndex> HypernymGraph::ancestors(SynsetIndex synset) const {
  Colours colours;
  boost::depth_first_visit(state_->graph, synset, boost::default_dfs_visitor(),
                           boost::make_assoc_property_map(colours));
  std::vector<SynsetIndex> found;
  for (const auto& [vertex, colour] : colours) {
    if (colour == boost::black_color) found.push_back(vertex);
  }
  std::sort(found.begin(), found.end());
  return found;
}

int HypernymGraph::depth(SynsetIndex synset) const {
  int deepest = 0;
  for (auto [edge, end] = out_edges(synset, state_->graph); edge != end; ++edge) {
    deepest = std::max(deepest, 1 + depth(target(*edge, state_->graph)));
  }
  return deepest;
}

}  // namespace procsim::taxonomy

#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "data/base/progress.hpp"
#include "data/sets/dataset.hpp"
#include "taxonomy/resolve/overrides.hpp"
#include "taxonomy/tree/taxonomy.hpp"
#include "taxonomy/wordnet/hypernym_graph.hpp"
#include "taxonomy/wordnet/wordnet.hpp"

namespace procsim::taxonomy {

// A sense that a class name could mean, below the root.
struct CandidateSense {
  SynsetIndex synset = 0;
  std::string matched;   // the words that led to it
  double score = 0;      // evidence; larger is better
  std::string evidence;  // in words: "12 of 13 other sparrows are here"
};

// Where one class belongs, and why.
struct ClassResolution {
  Resolution how = Resolution::kUnresolved;
  std::string matched;                     // the words that were looked up
  std::string reason;                      // the override's, the evidence, or why it stayed unresolved
  SynsetIndex synset = 0;                  // what it is; the root for classes that stayed unresolved
  SynsetIndex anchor = 0;                  // where the path begins: the synset itself when there is no path
  std::vector<std::string> below;          // a path from the anchor: names of nodes to make, or sense keys
  std::vector<CandidateSense> candidates;  // best first, the chosen one among them
  double doubt = 0;        // how probable it is that this sense is not the one that is meant (doubt_of)
  bool ambiguous = false;  // so doubtful that a person should look
};

struct ResolveOptions {
  std::optional<std::string> root;               // synset id or sense key; else the lowest common hypernym
  std::vector<std::vector<Override>> overrides;  // in rising priority
  bool car_names = false;                        // names are "make model type year"
  Progress progress;                             // of names: looked up, then placed
};

struct Resolutions {
  SynsetIndex root = 0;
  bool root_was_found = false;           // not given: it is the lowest common hypernym
  std::vector<ClassResolution> classes;  // a class each
};

// Finds every class's place in WordNet: overrides first; then names by the depth-first search for the first
// path under the root, the full name before shorter ends of it before the head noun; several senses are
// ranked by evidence. Names of the form n01440764 are synsets already. Throws Error for an override that does
// not fit or an unknown root. Where no name is known at all and no root is given, all stay unresolved below
// entity.n.01.
Resolutions resolve_classes(const WordNet& wordnet, const HypernymGraph& graph,
                            std::span<const DatasetClass> classes, const ResolveOptions& options);

// n and eight digits: a synset of WordNet 3.0, as ImageNet names its classes.
bool is_wnid(std::string_view name);

// Root of the data sets that we know: bird.n.01 for cub200 and fieldguide, car.n.01 for cars196.
std::optional<std::string> known_root(std::string_view dataset_kind);

}  // namespace procsim::taxonomy

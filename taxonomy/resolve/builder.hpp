#pragma once

#include <span>
#include <string>
#include <string_view>

#include "data/sets/dataset.hpp"
#include "taxonomy/resolve/resolver.hpp"
#include "taxonomy/tree/taxonomy.hpp"

namespace procsim::taxonomy {

// A taxonomy with the story of every class.
struct BuiltTaxonomy {
  TaxonomyParts parts;
  Resolutions resolutions;
};

// Resolves the classes and lays out the taxonomy: all hypernyms between the classes and the root as a graph,
// the first path of the depth-first search as the tree, made nodes where overrides and car names ask for
// them. Classes that stayed unresolved hang from the root. Classes named by synset (n01440764) get their
// names from WordNet.
BuiltTaxonomy build_taxonomy(const WordNet& wordnet, const HypernymGraph& graph, std::string_view dataset,
                             std::span<const DatasetClass> classes, const ResolveOptions& options);

// The resolution table as TSV: label, class, published, how, matched words, node, synset, sense key, gloss,
// reason, ambiguous, other candidate senses. The same bytes for the same input.
std::string resolution_table(const WordNet& wordnet, const BuiltTaxonomy& built);

}  // namespace procsim::taxonomy

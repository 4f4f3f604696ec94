#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "data/base/error.hpp"
#include "taxonomy/resolve/name_match.hpp"
#include "taxonomy/wordnet/hypernym_graph.hpp"
#include "tools/program/print_safely.hpp"
#include "tools/taxo/commands.hpp"

namespace procsim::tools {
namespace senses_command {
namespace {

struct Options {
  std::vector<std::string> words;
  std::optional<std::string> root_synset;
};

// The tree's way up, from the sense's hypernym to the root.
std::vector<std::string> path_names(const taxonomy::WordNet& wordnet, const taxonomy::HypernymGraph& graph,
                                    taxonomy::SynsetIndex from, taxonomy::SynsetIndex root) {
  std::vector<std::string> names;
  const auto path = graph.path_to(from, root);
  if (!path) return names;
  for (std::size_t i = 1; i < path->size(); ++i) names.push_back(wordnet.name((*path)[i]));
  return names;
}

void print_text(const taxonomy::WordNet& wordnet, const taxonomy::Sense& sense,
                const std::vector<std::string>& path) {
  print_safely("{}\n  {}  ({})\n  {}\n", wordnet.sense_key(sense.synset),
               fmt::format("{}", fmt::join(wordnet.words(sense.synset), ", ")), wordnet.id(sense.synset),
               wordnet.gloss(sense.synset));
  if (!path.empty()) print_safely("  ↑ {}\n", fmt::format("{}", fmt::join(path, " › ")));
}

int run(const Options& options, const GlobalOptions& global) {
  const taxonomy::WordNet wordnet;
  const taxonomy::HypernymGraph graph(wordnet);
  const auto word = fmt::format("{}", fmt::join(options.words, " "));
  const auto root = wordnet.find(options.root_synset.value_or("entity.n.01"));
  const auto name = taxonomy::match_name(wordnet, word);
  const bool whole = !name.matches.empty() && name.matches.front().how == taxonomy::Resolution::kFullName;
  std::vector<taxonomy::Sense> senses;
  if (whole) senses = name.matches.front().senses;
  std::erase_if(senses, [&](const taxonomy::Sense& sense) { return !graph.is_below(sense.synset, root); });
  if (senses.empty()) {
    throw Error(fmt::format("WordNet has no noun '{}'{}{}", word,
                            options.root_synset ? fmt::format(" below {}", *options.root_synset) : "",
                            !whole && !name.matches.empty()
                                ? fmt::format("; it has '{0}': taxo senses {0}", name.matches.front().matched)
                                : ""));
  }
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const auto& sense : senses) {
    const auto path = path_names(wordnet, graph, sense.synset, root);
    if (!global.json) {
      print_text(wordnet, sense, path);
      continue;
    }
    list.push_back({{"sense_key", wordnet.sense_key(sense.synset)},
                    {"id", wordnet.id(sense.synset)},
                    {"wnid", wordnet.wnid(sense.synset)},
                    {"words", wordnet.words(sense.synset)},
                    {"gloss", wordnet.gloss(sense.synset)},
                    {"path", path}});
  }
  if (global.json) fmt::print("{}\n", list.dump(2));
  return 0;
}

}  // namespace
}  // namespace senses_command

void add_taxo_senses(Program& program) {
  using namespace senses_command;
  auto options = std::make_shared<Options>();
  auto* command = program.add("senses", "The meanings of a noun in WordNet, with sense keys and paths",
                              "taxo senses sparrow --root-synset bird.n.01");
  command->add_option("word", options->words, "A noun, of several words if need be")
      ->required()
      ->type_name("WORD");
  command->add_option("--root-synset", options->root_synset, "Only meanings below this synset")
      ->type_name("SYNSET");
  program.on(command, options, run);
}

}  // namespace procsim::tools

// How long it takes to read WordNet, to resolve names, and to build a tree of every noun.
#include <algorithm>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include "taxonomy/resolve/builder.hpp"
#include "taxonomy/resolve/overrides.hpp"

namespace procsim {
namespace {

void ReadDatabase(benchmark::State& state) {
  for (auto _ : state) {
    const taxonomy::WordNet wordnet;
    benchmark::DoNotOptimize(wordnet.size());
  }
}
BENCHMARK(ReadDatabase)->Unit(benchmark::kMillisecond);

void MakeGraph(benchmark::State& state) {
  const taxonomy::WordNet wordnet;
  for (auto _ : state) {
    const taxonomy::HypernymGraph graph(wordnet);
    benchmark::DoNotOptimize(graph.depth(0));
  }
}
BENCHMARK(MakeGraph)->Unit(benchmark::kMillisecond);

// The birds of the built-in overrides, by their names alone: what the search and the ranking cost.
void ResolveBirdNames(benchmark::State& state) {
  const taxonomy::WordNet wordnet;
  const taxonomy::HypernymGraph graph(wordnet);
  std::vector<DatasetClass> classes;
  for (const auto& entry : taxonomy::built_in_overrides("cub200")) {
    auto name = entry.class_name.substr(4);
    std::replace(name.begin(), name.end(), '_', ' ');
    classes.push_back({entry.class_name, name, ""});
  }
  taxonomy::ResolveOptions options;
  options.root = "bird.n.01";
  for (auto _ : state)
    benchmark::DoNotOptimize(taxonomy::resolve_classes(wordnet, graph, classes, options).classes.size());
  state.counters["names/s"] =
      benchmark::Counter(static_cast<double>(classes.size()), benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(ResolveBirdNames)->Unit(benchmark::kMillisecond);

// Every noun synset as a class of its own: 82,115 classes from the database to the finished taxonomy.
void BuildTreeOfAllNouns(benchmark::State& state) {
  for (auto _ : state) {
    const taxonomy::WordNet wordnet;
    const taxonomy::HypernymGraph graph(wordnet);
    std::vector<DatasetClass> classes;
    for (taxonomy::SynsetIndex synset = 0; synset < wordnet.size(); ++synset) {
      const auto wnid = wordnet.wnid(synset);
      classes.push_back({wnid, wnid, ""});
    }
    const taxonomy::Taxonomy taxonomy(taxonomy::build_taxonomy(wordnet, graph, "nouns", classes, {}).parts);
    benchmark::DoNotOptimize(taxonomy.class_count());
  }
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  state.counters["peak_MB"] = static_cast<double>(usage.ru_maxrss) / 1024;
}
BENCHMARK(BuildTreeOfAllNouns)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace procsim

BENCHMARK_MAIN();

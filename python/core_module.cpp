// procsim._core: what needs no LibTorch. Tables come and go as files or Arrow streams; python/procsim/ makes
// them.
#include <map>
#include <memory>

#include "python/arrow_labels.hpp"
#include "python/long_call.hpp"
#include "python/python_errors.hpp"
#include <fmt/format.h>
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>
#include <nlohmann/json.hpp>

#include "curate/decisions/apply.hpp"
#include "curate/decisions/findings.hpp"
#include "curate/evidence/foreign_scores.hpp"
#include "curate/report/report_files.hpp"
#include "curate/report/thumbnails.hpp"
#include "data/base/digest.hpp"
#include "data/base/version.hpp"
#include "data/files/atomic_file.hpp"
#include "data/files/file_name.hpp"
#include "data/sets/class_names.hpp"
#include "noise/class_tables.hpp"
#include "noise/injection.hpp"
#include "taxonomy/resolve/builder.hpp"
#include "taxonomy/tree/queries.hpp"

namespace procsim::python {
namespace {

namespace fs = std::filesystem;
using taxonomy::Taxonomy;
using SharedTaxonomy = std::shared_ptr<Taxonomy>;

std::string write_labels(const nb::capsule& stream, const std::string& header, const std::string& path) {
  auto* pointer = static_cast<ArrowArrayStream*>(stream.data("arrow_array_stream"));
  return long_call(nb::none(),
                   [&](const Progress& report) { return write_label_stream(pointer, header, path, report); });
}

// --- Taxonomies
// ---------------------------------------------------------------------------------------------------

// Reading the dictionary takes longer than most uses of it.
struct Dictionary {
  taxonomy::WordNet wordnet;
  taxonomy::HypernymGraph graph;

  explicit Dictionary(const fs::path& folder) : wordnet(folder), graph(wordnet) {}
};

SharedTaxonomy build(const std::vector<std::string>& names, const std::string& dataset,
                     const std::optional<std::string>& root, const std::optional<std::string>& overrides,
                     const std::optional<std::string>& wordnet, const nb::object& progress) {
  return long_call(progress, [&](const Progress& report) {
    const fs::path folder = wordnet ? fs::path(*wordnet) : taxonomy::WordNet::find_folder();
    const Dictionary dictionary(folder);
    std::vector<DatasetClass> classes;
    for (const auto& name : names) classes.push_back({name, clean_class_name(name), {}});
    if (classes.empty()) throw Error("no class names: a taxonomy needs at least one");
    taxonomy::ResolveOptions options;
    options.root = root ? root : taxonomy::known_root(dataset);
    options.car_names = dataset == "cars196";
    options.overrides.push_back(taxonomy::built_in_overrides(dataset));
    if (overrides) options.overrides.push_back(taxonomy::read_overrides(*overrides));
    options.progress = report;
    auto built = taxonomy::build_taxonomy(dictionary.wordnet, dictionary.graph, dataset, classes, options);
    return std::make_shared<Taxonomy>(std::move(built.parts));
  });
}

SharedTaxonomy load(const std::string& path) {
  const nb::gil_scoped_release unlocked;
  return std::make_shared<Taxonomy>(Taxonomy::from_json(read_file(path), path));
}

taxonomy::NodeIndex place_of(const Taxonomy& tree, const std::string& name) {
  if (const auto node = tree.find_node(name)) return *node;
  return tree.leaf(tree.find_class(name));
}

std::vector<std::string> siblings(const Taxonomy& tree, const std::string& name) {
  const auto pruned = taxonomy::prune(tree);
  std::vector<std::string> names;
  for (const auto sibling : taxonomy::siblings(pruned, tree.find_class(name)))
    for (const auto label : taxonomy::labels_below(pruned, sibling))
      names.push_back(tree.class_at(label).name);
  return names;
}

nb::ndarray<nb::numpy, std::int32_t, nb::ndim<2>> distances(const Taxonomy& tree) {
  const auto classes = static_cast<std::size_t>(tree.class_count());
  auto values = std::make_unique<std::int32_t[]>(classes * classes);
  long_call(nb::none(), [&](const Progress& report) {
    const taxonomy::ClassMatrix matrix(tree);
    for (std::size_t label = 0; label < classes; ++label) {
      matrix.distances(static_cast<std::int32_t>(label), {values.get() + label * classes, classes});
      report(label, classes);
    }
  });
  auto* first = values.release();
  const nb::capsule owner(first, [](void* held) noexcept { delete[] static_cast<std::int32_t*>(held); });
  return {first, {classes, classes}, owner};
}

std::string shown_id(const Taxonomy& tree, taxonomy::NodeIndex place) {
  return tree.is_leaf(place) ? tree.class_at(tree.label_of_leaf(place)).name : tree.node(place).id;
}

// A row a node and a row a class: id, name, gloss, parent's id, label. Classes go by number where names
// repeat.
using NodeTuple =
    std::tuple<std::string, std::string, std::optional<std::string>, std::optional<std::int32_t>>;
std::vector<NodeTuple> nodes(const Taxonomy& tree) {
  std::vector<NodeTuple> rows;
  const auto add = [&](taxonomy::NodeIndex place, std::optional<std::int32_t> label) {
    const auto parent = tree.parent(place);
    rows.emplace_back(label ? "" : tree.node(place).id, std::string(tree.display_name(place)),
                      parent ? std::optional(tree.node(*parent).id) : std::nullopt, label);
  };
  for (taxonomy::NodeIndex node = 0; node < tree.node_count(); ++node) add(node, std::nullopt);
  for (std::int32_t label = 0; label < tree.class_count(); ++label) add(tree.leaf(label), label);
  return rows;
}

// --- Noise
// --------------------------------------------------------------------------------------------------------

struct InjectOptions {
  std::vector<std::pair<std::string, double>> components;
  std::uint64_t seed = 1;
  std::string split = "train";
  std::vector<std::string> classes;
  std::map<std::string, double> class_rates;
  std::map<std::string, std::string> pair_map;
  std::optional<std::string> matrix;
  std::string internal = "descend";
  double temperature = 1;
  std::int32_t level = 1;
  bool exact = false, stratify = false, guards = true;
  std::int64_t min_per_class = 2;
  unsigned threads = 0;
};

noise::NoiseSpec spec_of(const InjectOptions& options, const LabelSetInfo& info) {
  noise::NoiseSpec spec;
  for (const auto& [name, rate] : options.components)
    spec.components.push_back({noise::noise_kind_from_string(name), rate});
  if (options.matrix) spec.components.push_back({noise::NoiseKind::kMatrix, 1});
  spec.internal = options.internal == "leaves" ? noise::InnerStep::kLeaves : noise::InnerStep::kDescend;
  spec.temperature = options.temperature;
  spec.level = options.level;
  spec.seed = options.seed;
  spec.split = options.split;
  spec.exact = options.exact;
  spec.stratify = options.stratify;
  spec.guards = options.guards;
  spec.min_per_class = options.min_per_class;
  for (const auto& name : options.classes) spec.classes.push_back(info.label_of(name));
  std::sort(spec.classes.begin(), spec.classes.end());
  spec.classes.erase(std::unique(spec.classes.begin(), spec.classes.end()), spec.classes.end());
  for (const auto& [name, rate] : options.class_rates) spec.class_rates[info.label_of(name)] = rate;
  for (const auto& [from, to] : options.pair_map) spec.pair_map[info.label_of(from)] = info.label_of(to);
  spec.validate();
  return spec;
}

std::string inject(const std::string& parent, const std::string& output, const InjectOptions& options,
                   const std::shared_ptr<const Taxonomy>& tree, const std::string& tree_name,
                   const nb::object& progress) {
  return long_call(progress, [&](const Progress& report) {
    const auto info = LabelSetReader(parent).info();
    noise::InjectionOptions injection;
    injection.parent = parent;
    injection.output = output;
    injection.if_exists = IfExists::kReplace;
    injection.spec = spec_of(options, info);
    injection.threads = options.threads;
    injection.progress = report;
    noise::NoiseSources sources;
    if (injection.spec.needs_taxonomy()) {
      if (!tree)
        throw UsageError(fmt::format("{} needs a taxonomy: give taxonomy=", injection.spec.summary()));
      noise::require_same_classes(*tree, tree_name, info, "the labels");
      sources.taxonomy = tree;
      injection.inputs.push_back({"taxonomy", tree_name, tree->digest()});
    }
    if (options.matrix) {
      sources.matrix =
          std::make_shared<const noise::ClassMatrix>(noise::read_class_matrix(*options.matrix, info));
      injection.inputs.push_back(
          {"matrix", fs::path(*options.matrix).filename().string(), sha256_file(*options.matrix)});
    }
    const auto done = noise::inject(injection, sources);
    nlohmann::ordered_json json{{"digest", done.digest}};
    for (const auto* key : {"summary", "rows", "split_rows", "labelled", "changed", "changed_by_component",
                            "kept_by_guard", "kept_as_phantom", "kept_without_target", "guard_events"})
      json[key] = done.info.provenance.at(key);
    return json.dump();
  });
}

// --- Curation
// -----------------------------------------------------------------------------------------------------

curate::ClassFamilies families_of(const Taxonomy* tree, const std::vector<LabelClass>& classes) {
  return tree == nullptr ? curate::ClassFamilies() : curate::ClassFamilies(*tree, classes);
}

// What `curate report` writes, by the ending of its file.
std::map<std::string, std::string> report(const std::string& scores, const std::string& digest,
                                          const Taxonomy* tree, const std::optional<std::string>& images,
                                          std::size_t top, const std::string& labels,
                                          const nb::object& progress) {
  return long_call(progress, [&](const Progress& tell) {
    const auto table = curate::read_scores(scores, tell);
    curate::ReportSource source;
    source.labels = labels;
    source.scores = digest.empty() ? parts_digest(scores) : digest;
    source.label_set = table.info().provenance.label_set;
    if (source.label_set.empty()) source.label_set = source.scores;
    const auto families = families_of(tree, table.info().classes);
    const auto ranking = table.ranking();
    const auto summary = curate::summarize(table, ranking, families);
    auto made = curate::make_report(table, ranking, families, summary, source, top);
    std::map<std::string, std::string> files{{"csv", curate::table_csv(curate::suspects_table(made))},
                                             {"md", curate::report_markdown(made)},
                                             {"json", curate::report_json(made)},
                                             {"summary", curate::summary_json(made).dump()}};
    if (images) {
      const auto missing = curate::add_thumbnails(made, table, curate::ImageStore(*images), tell);
      if (missing.count > 0)
        files["note"] = fmt::format("images: {} of {} cannot be shown; the first: {}", missing.count,
                                    made.cards.size(), missing.first);
    }
    files["html"] = curate::report_html(made);
    return files;
  });
}

// How many labels were judged; the rate is in the file.
std::int64_t import_scores(const std::string& probabilities, const std::string& labels,
                           const std::string& out, const std::string& split, std::size_t rivals,
                           const nb::object& progress) {
  return long_call(progress, [&](const Progress& tell) {
    return curate::make_foreign_scores(probabilities, labels, out, IfExists::kReplace, {split, rivals}, tell)
        .rows;
  });
}

// sample, reviewer, verdict, new label, node
using DecisionTuple =
    std::tuple<std::int64_t, std::string, std::string, std::optional<std::int64_t>, std::string>;

std::string apply(const std::string& labels, const std::string& out,
                  const std::vector<DecisionTuple>& decisions, const std::optional<std::string>& scores,
                  const Taxonomy* tree, std::size_t min_agreement, std::optional<double> auto_above,
                  const std::string& auto_action, const std::string& unresolved, const nb::object& progress) {
  return long_call(progress, [&](const Progress& tell) {
    curate::ApplyInput input;
    input.labels = labels;
    input.labels_digest = parts_digest(labels);
    const auto info = LabelSetReader(labels).info();
    const auto classes = static_cast<std::int64_t>(info.classes.size());
    curate::DecisionLog log;
    for (const auto& [sample, reviewer, verdict, label, node] : decisions) {
      const auto word = curate::verdict_from_string(verdict);
      if (word == curate::Verdict::kRelabel && (!label || *label < 0 || *label >= classes))
        throw Error(
            fmt::format("the decision on sample {} relabels it and names no class of the labels", sample));
      DecisionRecord record;
      record.label_set = input.labels_digest;
      record.sample = sample;
      record.reviewer = reviewer;
      record.verdict = verdict;
      record.new_label = label;
      record.new_node = node;
      record.source = curate::kFromImport;
      log.add(record);
    }
    input.decisions = &log;
    std::optional<curate::ScoreTable> table;
    std::vector<double> probabilities;
    if (scores) {
      table.emplace(curate::read_scores(*scores, tell));
      input.scores = &*table;
      input.scores_digest = parts_digest(*scores);
      probabilities = curate::find_out(*table, log, curate::AuditDesign(*table, 0)).probability;
      input.probabilities = probabilities;
    }
    const auto families = families_of(tree, info.classes);
    input.families = &families;
    curate::ApplyOptions options;
    options.min_agreement = min_agreement;
    options.auto_above = auto_above;
    for (const auto action : {curate::AutoAction::kDrop, curate::AutoAction::kParent})
      if (to_string(action) == auto_action) options.auto_action = action;
    for (const auto what : {curate::Unresolved::kUnlabel, curate::Unresolved::kClass})
      if (to_string(what) == unresolved) options.unresolved = what;
    const auto result = curate::apply_decisions(input, options, out, IfExists::kReplace, tell);
    auto json = to_json(result.counts);
    json["digest"] = result.digest;
    return json.dump();
  });
}

}  // namespace

NB_MODULE(_core, module) {
  translate_errors();
  module.def("version", [] { return std::string(version()); }, "Version of the library.");
  module.def("write_labels", &write_labels, nb::arg("stream"), nb::arg("header"), nb::arg("path"),
             "Write a label set from an Arrow stream; returns its SHA-256.");
  module.def(
      "parts_digest", [](const std::string& path) { return parts_digest(path); }, nb::arg("path"),
      "SHA-256 of a label set, a file or a folder of parts.");

  nb::class_<Taxonomy>(module, "Taxonomy", "A class tree over WordNet's nouns; see procsim.Taxonomy.")
      .def_prop_ro("dataset", [](const Taxonomy& tree) { return tree.dataset(); })
      .def_prop_ro("digest", &Taxonomy::digest)
      .def_prop_ro("class_count", &Taxonomy::class_count)
      .def_prop_ro("root", [](const Taxonomy& tree) { return tree.node(tree.root()).id; })
      .def("classes",
           [](const Taxonomy& tree) {
             std::vector<std::tuple<std::string, std::string, std::string, std::string>> rows;
             for (const auto& one : tree.classes())
               rows.emplace_back(one.name, one.published, one.node, std::string(to_string(one.how)));
             return rows;
           })
      .def("nodes", &nodes)
      .def("to_json", &Taxonomy::to_json)
      .def("find_class", [](const Taxonomy& tree, const std::string& name) { return tree.find_class(name); })
      .def("siblings", &siblings, nb::arg("name"))
      .def("distance",
           [](const Taxonomy& tree, const std::string& a, const std::string& b) {
             return taxonomy::distance(tree, place_of(tree, a), place_of(tree, b));
           })
      .def("lowest_common_ancestor",
           [](const Taxonomy& tree, const std::string& a, const std::string& b) {
             return shown_id(tree,
                             taxonomy::lowest_common_ancestor(tree, place_of(tree, a), place_of(tree, b)));
           })
      .def("ancestors",
           [](const Taxonomy& tree, const std::string& name) {
             std::vector<std::string> ids;
             for (const auto node : taxonomy::ancestors(tree, place_of(tree, name)))
               ids.push_back(tree.node(node).id);
             return ids;
           })
      .def("distances", &distances);
  module.def("build_taxonomy", &build, nb::arg("names"), nb::arg("dataset"), nb::arg("root").none(),
             nb::arg("overrides").none(), nb::arg("wordnet").none(), nb::arg("progress").none());
  module.def("load_taxonomy", &load, nb::arg("path"));
  module.def(
      "taxonomy_from_json",
      [](const std::string& text) {
        return std::make_shared<Taxonomy>(Taxonomy::from_json(text, "the taxonomy"));
      },
      nb::arg("text"));

  nb::class_<InjectOptions>(module, "InjectOptions", "Which noise, and how it is drawn.")
      .def(nb::init<>())
      .def_rw("components", &InjectOptions::components)
      .def_rw("seed", &InjectOptions::seed)
      .def_rw("split", &InjectOptions::split)
      .def_rw("classes", &InjectOptions::classes)
      .def_rw("class_rates", &InjectOptions::class_rates)
      .def_rw("pair_map", &InjectOptions::pair_map)
      .def_rw("matrix", &InjectOptions::matrix)
      .def_rw("internal", &InjectOptions::internal)
      .def_rw("temperature", &InjectOptions::temperature)
      .def_rw("level", &InjectOptions::level)
      .def_rw("exact", &InjectOptions::exact)
      .def_rw("stratify", &InjectOptions::stratify)
      .def_rw("guards", &InjectOptions::guards)
      .def_rw("min_per_class", &InjectOptions::min_per_class)
      .def_rw("threads", &InjectOptions::threads);
  module.def("inject", &inject, nb::arg("parent"), nb::arg("output"), nb::arg("options"),
             nb::arg("taxonomy").none(), nb::arg("taxonomy_name"), nb::arg("progress").none());
  module.def("report", &report, nb::arg("scores"), nb::arg("digest"), nb::arg("taxonomy").none(),
             nb::arg("images").none(), nb::arg("top"), nb::arg("labels"), nb::arg("progress").none());
  module.def("import_scores", &import_scores, nb::arg("probabilities"), nb::arg("labels"), nb::arg("out"),
             nb::arg("split"), nb::arg("rivals"), nb::arg("progress").none());
  module.def("apply", &apply, nb::arg("labels"), nb::arg("out"), nb::arg("decisions"),
             nb::arg("scores").none(), nb::arg("taxonomy").none(), nb::arg("min_agreement"),
             nb::arg("auto_above").none(), nb::arg("auto_action"), nb::arg("unresolved"),
             nb::arg("progress").none());
}

}  // namespace procsim::python

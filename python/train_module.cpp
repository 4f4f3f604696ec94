// procsim._train: what needs LibTorch, which Python's torch has loaded before. Importing it also registers
// the operators of python/operators.cpp.
#include <memory>

#include "python/long_call.hpp"
#include "python/python_errors.hpp"
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <torch/torch.h>

#include "data/base/error.hpp"
#include "data/files/file_changes.hpp"
#include "taxonomy/tree/same_classes.hpp"
#include "taxonomy/tree/taxonomy.hpp"
#include "train/runs/run_scores.hpp"
#include "train/scoring/embedding_file.hpp"

namespace procsim::python {
namespace {

using Rows = nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// Writes the scores of the labels that train, a row of `rows` each in their order; `rows` is not copied.
// Returns what is to be said about them.
std::vector<std::string> score(const std::string& labels, const Rows& rows, const std::string& out,
                               const std::optional<std::string>& taxonomy_json, int folds, int rounds,
                               std::uint64_t seed, int threads, const nb::object& progress) {
  auto* values = const_cast<float*>(rows.data());  // from_blob asks for it; nothing writes
  const auto height = static_cast<std::int64_t>(rows.shape(0)),
             width = static_cast<std::int64_t>(rows.shape(1));
  return long_call(progress, [&](const Progress& report) {
    auto data = train::load_labels(labels);
    if (height != static_cast<std::int64_t>(data.train.size()))
      throw Error("the embeddings have " + std::to_string(height) + " rows for " +
                  std::to_string(data.train.size()) + " labelled samples");
    const auto embeddings = torch::from_blob(values, {height, width}, torch::kFloat32);
    train::check_embeddings(embeddings, data.train_ids(), "embeddings");
    if (taxonomy_json) {
      auto tree = std::make_shared<const taxonomy::Taxonomy>(
          taxonomy::Taxonomy::from_json(*taxonomy_json, "the taxonomy"));
      if (const auto mismatch = taxonomy::class_mismatch(*tree, data.info))
        throw Error("the taxonomy does not have the classes of the labels: " + *mismatch);
      data.taxonomy = std::move(tree);
    }
    train::LabelScoreOptions options;
    options.rounds = rounds;
    options.cross_fit.folds = folds;
    options.cross_fit.seed = seed;
    options.cross_fit.threads = threads;
    options.cross_fit.progress = report;
    const auto scores = train::score_labels(data, embeddings, data.taxonomy.get(), {}, options);
    FileChanges files;
    train::write_scores(data, scores, {{"from", "memory"}}, out, IfExists::kReplace, files);
    files.replace();
    files.keep();
    return scores.notes;
  });
}

}  // namespace

NB_MODULE(_train, module) {
  translate_errors();
  module.def("score", &score, nb::arg("labels"), nb::arg("rows"), nb::arg("out"), nb::arg("taxonomy").none(),
             nb::arg("folds"), nb::arg("rounds"), nb::arg("seed"), nb::arg("threads"),
             nb::arg("progress").none(),
             "Score labels by their embeddings; writes scores/1 and returns notes.");
}

}  // namespace procsim::python

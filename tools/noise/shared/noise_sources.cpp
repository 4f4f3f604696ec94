#include "tools/noise/shared/noise_sources.hpp"

#include <memory>
#include <utility>

#include <fmt/format.h>

#include "data/base/digest.hpp"
#include "data/base/error.hpp"
#include "data/files/file_name.hpp"
#include "data/labels/scores.hpp"
#include "data/sets/dataset.hpp"
#include "noise/class_tables.hpp"
#include "tools/noise/shared/noise_files.hpp"
#include "tools/program/workspace_choice.hpp"

namespace procsim::tools {
namespace fs = std::filesystem;
namespace {

noise::NoiseInput file_input(std::string role, const fs::path& path) {
  return {std::move(role), path.filename().string(), parts_digest(path)};
}

fs::path find_scores(const GlobalOptions& global, const SourceFiles& files, const LabelSetInfo& info) {
  if (files.scores) return *files.scores;
  const auto workspace = find_workspace(global);
  const auto scores = workspace ? workspace->newest_scores(info.dataset) : std::nullopt;
  if (!scores) throw UsageError("--knn needs --scores FILE: scores of a trained model");
  say(global, fmt::format("scores: run {} ({})", scores->name, scores->path));
  return workspace->resolve(scores->path);
}

std::shared_ptr<const noise::RivalTable> read_rivals(const fs::path& path, const LabelSetInfo& info) {
  ScoresReader reader(path);
  const auto& classes = reader.info().classes;
  if (classes.size() != info.classes.size()) {
    throw Error(fmt::format("{} scores {} classes of '{}', the labels have {} of '{}'", path.string(),
                            classes.size(), reader.info().dataset, info.classes.size(), info.dataset));
  }
  for (std::size_t label = 0; label < classes.size(); ++label) {
    if (classes[label].name == info.classes[label].name) continue;
    throw Error(fmt::format("{}: class {} is '{}' there and '{}' in the labels", path.string(), label,
                            classes[label].name, info.classes[label].name));
  }
  auto table = std::make_shared<noise::RivalTable>();
  for (auto rows = reader.next(); !rows.empty(); rows = reader.next()) {
    for (const auto& row : rows) {
      std::vector<std::pair<std::int32_t, double>> rivals;
      for (const auto& rival : row.rivals)
        rivals.emplace_back(rival.label, static_cast<double>(rival.probability));
      table->add(row.sample_id, rivals);
    }
  }
  return table;
}

struct ForeignRows {
  std::string dataset;
  std::optional<fs::path> root;
  std::vector<noise::ForeignImages::Image> images;
};

ForeignRows read_foreign(const GlobalOptions& global, const SourceFiles& files) {
  const fs::path named(*files.foreign);
  ForeignRows rows;
  const bool is_label_set = lower_extension(named) == ".parquet" && fs::is_regular_file(named);
  if (is_label_set) {
    LabelReadOptions read;
    read.true_labels = false;
    LabelSetReader reader(named, read);
    rows.dataset = reader.info().dataset;
    rows.root = find_root(find_workspace(global), files.foreign_root, rows.dataset);
    while (const auto batch = reader.next()) {
      for (std::int64_t row = 0; row < batch->rows(); ++row) {
        rows.images.push_back(
            {batch->sample_ids()[static_cast<std::size_t>(row)], std::string(batch->path(row))});
      }
    }
    return rows;
  }
  DatasetOptions options;
  options.root = files.foreign_root;
  auto dataset = open_dataset(*files.foreign, options);
  rows.dataset = dataset.name;
  rows.root = dataset.root;
  for (auto& sample : dataset.samples) rows.images.push_back({sample.id, std::move(sample.path)});
  return rows;
}

std::shared_ptr<const noise::ForeignImages> load_foreign(const GlobalOptions& global,
                                                         const SourceFiles& files, const LabelSetInfo& info,
                                                         LoadedSources& loaded) {
  if (!files.foreign)
    throw UsageError("--open-set needs --foreign: a label set or data set to take images from");
  auto rows = read_foreign(global, files);
  std::string prefix;
  if (files.foreign_prefix) {
    prefix = *files.foreign_prefix;
  } else {
    const auto root = find_root(find_workspace(global), files.root, info.dataset);
    if (!root || !rows.root) {
      throw UsageError(
          fmt::format("it is not known where the images of '{}' lie from those of '{}'; give "
                      "--foreign-prefix, the way from one root to the other (../{}/)",
                      rows.dataset, info.dataset, rows.dataset));
    }
    prefix = fs::absolute(*rows.root)
                 .lexically_normal()
                 .lexically_relative(fs::absolute(*root).lexically_normal())
                 .generic_string();
    if (!prefix.empty() && prefix.back() != '/') prefix += '/';
  }
  if (rows.dataset == info.dataset) {
    throw Error(
        fmt::format("--foreign {}: '{}' is the data set itself; open-set noise needs images of another one",
                    *files.foreign, info.dataset));
  }
  auto foreign = std::make_shared<noise::ForeignImages>();
  foreign->dataset = rows.dataset;
  Sha256 digest;
  for (auto& image : rows.images) {
    digest.update(fmt::format("{}\t{}\n", image.id, image.path));
    foreign->images.push_back({image.id, prefix + image.path});
  }
  loaded.inputs.push_back({"foreign", rows.dataset, digest.finish_hex()});
  loaded.remarks["foreign_prefix"] = prefix;
  return foreign;
}

std::shared_ptr<const noise::GivenLabels> load_replay(const GlobalOptions& global,
                                                      const noise::NoiseSpec& spec, const SourceFiles& files,
                                                      const fs::path& parent, LoadedSources& loaded) {
  if (!files.replay) throw UsageError("--replay needs a file of labels");
  const auto format = files.replay_format.value_or(noise::guess_given_format(*files.replay));
  auto options = files.replay_options;
  options.split = spec.split;
  auto list = noise::read_given_labels(*files.replay, format, parent, options);
  describe_given_labels(global, *files.replay, list);
  loaded.inputs.push_back(file_input("replay", *files.replay));
  loaded.remarks["replay"] = {{"format", to_string(format)},
                              {"column", options.label_column},
                              {"first_label", list.first_label},
                              {"drop_unknown", options.drop_unknown}};
  return std::make_shared<const noise::GivenLabels>(std::move(list.labels));
}

}  // namespace

void describe_given_labels(const GlobalOptions& global, const fs::path& file,
                           const noise::GivenLabelsFile& list) {
  say(global, fmt::format("{}: {} labels{}", shown(file), grouped(list.entries),
                          list.first_label != 0 ? fmt::format(", counted from {}", list.first_label) : ""));
  if (list.unmatched > 0) {
    say(global, fmt::format("{} entries are no samples of the split, '{}' for one", grouped(list.unmatched),
                            list.first_unmatched));
  }
  if (list.rows_without > 0) {
    say(global, fmt::format("{} samples of the split are not in the list and keep their labels",
                            grouped(list.rows_without)));
  }
  for (const auto& [label, count] : list.unknown) {
    say(global, fmt::format("label '{}' is no class: {} samples are left unlabelled", label, grouped(count)));
  }
}

LoadedSources load_sources(const GlobalOptions& global, const noise::NoiseSpec& spec,
                           const SourceFiles& files, const fs::path& parent, const LabelSetInfo& info) {
  LoadedSources loaded;
  if (spec.needs_taxonomy()) {
    const auto taxonomy = find_taxonomy(global, files.taxonomy, info, parent);
    if (!taxonomy) {
      throw Error(
          fmt::format("{} needs a taxonomy of '{}'. Make one with 'taxo build {}', or give --taxonomy FILE.",
                      spec.summary(), info.dataset, info.dataset));
    }
    loaded.sources.taxonomy = taxonomy->taxonomy;
    loaded.inputs.push_back(taxonomy->input);
  }
  if (spec.has(noise::NoiseKind::kMatrix)) {
    if (!files.matrix) throw UsageError("--matrix needs a file");
    loaded.sources.matrix =
        std::make_shared<const noise::ClassMatrix>(noise::read_class_matrix(*files.matrix, info));
    loaded.inputs.push_back(file_input("matrix", *files.matrix));
  }
  if (spec.has(noise::NoiseKind::kKnn)) {
    const auto path = find_scores(global, files, info);
    loaded.sources.rivals = read_rivals(path, info);
    loaded.inputs.push_back(file_input("scores", path));
  }
  if (spec.has(noise::NoiseKind::kReplay))
    loaded.sources.replay = load_replay(global, spec, files, parent, loaded);
  if (spec.has(noise::NoiseKind::kOpenSet))
    loaded.sources.foreign = load_foreign(global, files, info, loaded);
  return loaded;
}

}  // namespace procsim::tools

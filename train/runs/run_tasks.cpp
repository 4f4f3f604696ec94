#include "train/runs/run_tasks.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "data/base/error.hpp"
#include "data/files/table.hpp"
#include "data/images/image.hpp"
#include "data/sets/dataset.hpp"
#include "train/inputs/session.hpp"
#include "train/metrics/evaluation.hpp"
#include "train/metrics/neighbours.hpp"
#include "train/models/safetensors.hpp"
#include "train/samples/augmentation.hpp"

namespace procsim::train {
namespace {

namespace fs = std::filesystem;

void need_test_samples(const TrainData& data) {
  if (data.test.empty()) throw Error("the label set has no rows of the split 'test': nothing to evaluate on");
}

Image framed(const Image& picture, int side, int border, const std::array<std::uint8_t, 3>& colour) {
  Image tile{side, side, std::vector<std::uint8_t>(static_cast<std::size_t>(3 * side * side))};
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side; ++x) std::copy(colour.begin(), colour.end(), tile.pixel(x, y));
  const int inner = side - 2 * border;
  const auto scaled = render_view(picture, centre_crop_view({picture.width, picture.height}, 1), inner);
  for (int y = 0; y < inner; ++y) std::copy_n(scaled.pixel(0, y), 3 * inner, tile.pixel(border, y + border));
  return tile;
}

void paste(Image& sheet, const Image& tile, int left) {
  for (int y = 0; y < tile.height; ++y) std::copy_n(tile.pixel(0, y), 3 * tile.width, sheet.pixel(left, y));
}

}  // namespace

std::vector<std::pair<std::string, double>> evaluate_checkpoint(const TrainConfig& config,
                                                                const TrainData& data,
                                                                const fs::path& checkpoint,
                                                                const MachineOptions& machine,
                                                                const TrainObserver& observer) {
  need_test_samples(data);
  auto session = open_checkpoint(config, data, checkpoint, machine, observer);
  const auto embeddings = embed_all(*session.model, *session.test_images,
                                    session.embed_options(config, observer.progress_of("embedding")));
  return evaluate_embeddings(embeddings, data.test_labels(), config);
}

std::vector<fs::path> write_retrieval_sheets(const TrainConfig& config, const TrainData& data,
                                             const fs::path& checkpoint, const MachineOptions& machine,
                                             const TrainObserver& observer, const SheetOptions& options) {
  need_test_samples(data);
  auto session = open_checkpoint(config, data, checkpoint, machine, observer);
  const auto embeddings = embed_all(*session.model, *session.test_images,
                                    session.embed_options(config, observer.progress_of("embedding")));
  const auto count = static_cast<std::int64_t>(data.test.size());
  const auto k = std::min(options.neighbours, count - 1);
  const auto labels = data.test_labels();
  const auto picture = [&](std::int64_t sample) {
    const auto& path = data.test[static_cast<std::size_t>(sample)].path;
    return decode_image(read_sample_bytes(data.root, path), (data.root / path).string(),
                        {.shorter_side = options.side});
  };
  std::vector<fs::path> files;
  const auto queries = std::min(options.queries, count);
  for (std::int64_t q = 0; q < queries; ++q) {
    const std::int64_t query = q * count / queries;
    const auto row = embeddings.slice(0, query, query + 1);
    auto similarities = torch::mm(row, embeddings.t());
    similarities[0][query] = -2;
    const auto nearest = top_k_by_index(similarities, k).indices.contiguous();
    const int step = options.side + 4;
    Image sheet{step * static_cast<int>(k + 1) + 8, options.side, {}};
    sheet.rgb.assign(static_cast<std::size_t>(3) * static_cast<std::size_t>(sheet.width * sheet.height), 255);
    paste(sheet, framed(picture(query), options.side, 4, {60, 60, 60}), 0);
    for (std::int64_t j = 0; j < k; ++j) {
      const auto other = nearest.data_ptr<std::int64_t>()[j];
      const bool right = labels[static_cast<std::size_t>(other)] == labels[static_cast<std::size_t>(query)];
      const std::array<std::uint8_t, 3> colour =
          right ? std::array<std::uint8_t, 3>{40, 150, 70} : std::array<std::uint8_t, 3>{200, 50, 40};
      paste(sheet, framed(picture(other), options.side, 4, colour), 8 + step * static_cast<int>(j + 1));
    }
    const auto path =
        options.folder / fmt::format("query-{:06}.png", data.test[static_cast<std::size_t>(query)].id);
    write_file(path, encode_png(sheet), IfExists::kReplace);
    files.push_back(path);
  }
  return files;
}

std::int64_t write_embeddings(const TrainConfig& config, const TrainData& data, const fs::path& checkpoint,
                              const MachineOptions& machine, const TrainObserver& observer,
                              const std::string& split, const fs::path& out, IfExists if_exists) {
  auto session = open_checkpoint(config, data, checkpoint, machine, observer);
  std::vector<std::int64_t> ids;
  std::vector<std::string> paths;
  std::vector<std::string> splits;
  std::vector<std::int32_t> labels;
  TableColumn::FloatLists lists{config.dimension, {}};
  const auto add = [&](const std::vector<TrainSample>& samples, const InputSource& inputs, const char* name) {
    if ((split != "all" && split != name) || samples.empty()) return;
    const auto embeddings =
        embed_all(*session.model, inputs, session.embed_options(config, observer.progress_of(name)))
            .contiguous();
    lists.values.insert(lists.values.end(), embeddings.data_ptr<float>(),
                        embeddings.data_ptr<float>() + embeddings.numel());
    for (const auto& sample : samples) {
      ids.push_back(sample.id);
      paths.push_back(sample.path);
      splits.emplace_back(name);
      labels.push_back(sample.label);
    }
  };
  add(data.train, *session.train_images, "train");
  add(data.test, *session.test_images, "test");
  if (ids.empty()) throw Error("the label set has no rows of the split '" + split + "'");
  const auto rows = static_cast<std::int64_t>(ids.size());
  Table table;
  table.columns = {{"sample_id", std::move(ids)},
                   {"path", std::move(paths)},
                   {"split", std::move(splits)},
                   {"label", std::move(labels)},
                   {"embedding", std::move(lists)}};
  table.metadata["dataset"] = data.info.dataset;
  write_parquet_table(out, table, if_exists);
  return rows;
}

void export_model(const TrainConfig& config, const fs::path& checkpoint, bool trust_code,
                  const fs::path& folder, IfExists if_exists) {
  auto backbone = make_backbone(config.backbone, config.seed, trust_code);
  const auto scale = backbone->pixel_scale();
  const nlohmann::ordered_json description{
      {"format", kEmbedderFormat},          {"architecture", config.backbone},
      {"head", backbone->head_name()},      {"dimension", config.dimension},
      {"features", backbone->features()},   {"image_size", config.image_size},
      {"centre_crop", config.centre_crop},  {"pixel_mean", scale.mean},
      {"pixel_deviation", scale.deviation}, {"normalized", true}};
  Session session;
  session.model = std::make_unique<Embedder>(std::move(backbone), config.dimension, config.seed);
  load_checkpoint_model(session, checkpoint);
  TensorFile file;
  file.tensors = session.model->state();
  file.metadata["format"] = "pt";  // what Python's safetensors expects of PyTorch weights
  write_safetensors(folder / "model.safetensors", file, if_exists);
  write_file(folder / "config.json", description.dump(2) + "\n", if_exists);
}

}  // namespace procsim::train

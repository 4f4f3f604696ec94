#include "train/runs/feature_table.hpp"

#include <vector>

#include "data/files/table.hpp"
#include "train/models/torch.hpp"
#include "train/runs/embedding_sources.hpp"
#include "train/scoring/embedding_file.hpp"

namespace procsim::train {

FeatureTable::FeatureTable(const torch::Tensor& rows) : rows_(std::make_shared<const torch::Tensor>(rows)) {}

FeatureTable FeatureTable::read(const std::filesystem::path& path, const TrainData& data,
                                std::int64_t dimension) {
  return FeatureTable(read_embeddings(path, data.train_ids(), dimension));
}

std::vector<std::int64_t> FeatureTable::samples_of(const std::filesystem::path& path) {
  return embedded_samples(path);
}

FeatureTable FeatureTable::of_pretrained(const TrainConfig& config, const TrainData& data,
                                         const MachineOptions& machine, const TrainObserver& observer) {
  return FeatureTable(pretrained_features(config, data, machine, observer));
}

FeatureTable FeatureTable::of_run(const TrainConfig& config, const TrainData& data,
                                  const std::filesystem::path& checkpoint, const MachineOptions& machine,
                                  const TrainObserver& observer) {
  return FeatureTable(run_embeddings(config, data, checkpoint, machine, observer));
}

void FeatureTable::write(const TrainData& data, const std::filesystem::path& path, IfExists if_exists) const {
  const auto table = rows_->contiguous();
  const auto* first = table.data_ptr<float>();
  Table written;
  written.columns = {{"sample_id", data.train_ids()},
                     {"embedding", TableColumn::FloatLists{
                                       table.size(1), std::vector<float>(first, first + table.numel())}}};
  written.metadata["dataset"] = data.info.dataset;
  write_parquet_table(path, written, if_exists);
}

}  // namespace procsim::train

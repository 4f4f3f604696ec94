#include "train/loop/checkpoint.hpp"

#include <fmt/format.h>

#include "data/base/error.hpp"
#include "data/base/json_nesting.hpp"
#include "train/reports/run_files.hpp"

namespace procsim::train {
namespace {

using nlohmann::ordered_json;

constexpr std::string_view kColumns = "samples.";

ordered_json state_json(const RunInputs& inputs, const RunState& state, const EpochMeter& meter) {
  ordered_json json{{"format", kCheckpointFormat},
                    {"epoch", state.epoch},
                    {"step", state.step},
                    {"labels", inputs.labels},
                    {"guidance", inputs.guidance},
                    {"sums", meter.sums()},
                    {"best_epoch", state.best_epoch},
                    {"best_recall", state.best_recall},
                    {"records", ordered_json::array()}};
  for (const auto& record : state.records) json["records"].push_back(to_json(record));
  return json;
}

std::string text_in(const ordered_json& json, const char* field) {
  const auto found = json.is_object() ? json.find(field) : json.end();
  return found != json.end() && found->is_string() ? found->get<std::string>() : "";
}

ordered_json read_state(const TensorFile& file, const std::string& source) {
  const auto text = file.metadata.find("state");
  if (text == file.metadata.end()) throw Error(source + " is not a checkpoint of a run");
  auto json = parse_json<ordered_json>(text->second);
  const auto format = text_in(json, "format");
  if (format != kCheckpointFormat)
    throw Error(
        fmt::format("{} has the format '{}', this program reads {}: another version wrote it. Go on "
                    "with that one, or start a new run.",
                    source, format, kCheckpointFormat));
  return json;
}

std::map<std::string, std::vector<float>> columns_of(const TensorFile& file) {
  std::map<std::string, std::vector<float>> columns;
  for (const auto& [name, tensor] : file.below(kColumns)) {
    const auto values = tensor.to(torch::kFloat32).contiguous();
    columns[name].assign(values.data_ptr<float>(), values.data_ptr<float>() + values.numel());
  }
  return columns;
}

void restore_state(const ordered_json& json, TensorFile& file, const std::string& source,
                   const RunInputs& inputs, RunState& state, EpochMeter& meter, Method& method) {
  if (json.at("labels").get<std::string>() != inputs.labels)
    throw Error(source + " was trained on other labels: the label set has changed since. Start a new run.");
  if (json.at("guidance").get<std::string>() != inputs.guidance)
    throw Error(source +
                " was guided by another table: models or vectors have changed since. Start a new run.");
  method.restore(CheckpointPart(file, source));
  meter.restore(json.at("sums"), columns_of(file), source);
  state = {};
  json.at("epoch").get_to(state.epoch);
  json.at("step").get_to(state.step);
  json.at("best_epoch").get_to(state.best_epoch);
  json.at("best_recall").get_to(state.best_recall);
  for (const auto& record : json.at("records")) state.records.push_back(epoch_record_from_json(record));
}

}  // namespace

void save_checkpoint(const std::filesystem::path& path, const TrainConfig& config, const RunInputs& inputs,
                     const RunState& state, const EpochMeter& meter, Method& method) {
  TensorFile file;
  method.save(CheckpointPart(file, path.string()));
  for (const auto& [name, values] : meter.columns())
    file.tensors[std::string(kColumns) + name] = torch::tensor(values);
  file.metadata["state"] = state_json(inputs, state, meter).dump();
  file.metadata["config"] = to_json(config).dump();
  write_safetensors(path, file, IfExists::kReplace);
}

void restore_checkpoint(const std::filesystem::path& path, const RunInputs& inputs, RunState& state,
                        EpochMeter& meter, Method& method) {
  const auto source = path.string();
  auto file = read_safetensors(path);
  const auto json = read_state(file, source);
  try {
    restore_state(json, file, source, inputs, state, meter, method);
  } catch (const ordered_json::exception& exception) {
    throw Error(fmt::format("{} is damaged: {}", source, exception.what()));
  }
}

void save_model(const std::filesystem::path& path, const TrainConfig& config, std::int64_t epoch,
                Embedder& model) {
  TensorFile file;
  for (const auto& [name, tensor] : model.state()) file.tensors["model." + name] = tensor;
  file.metadata["config"] = to_json(config).dump();
  file.metadata["epoch"] = std::to_string(epoch);
  write_safetensors(path, file, IfExists::kReplace);
}

}  // namespace procsim::train

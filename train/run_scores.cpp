#include "train/run_scores.hpp"

#include "train/scoring.hpp"

namespace procsim {

void write_run_scores(const TrainConfig& config, const TrainData& data, const std::filesystem::path& path,
                      Session& session, const ProxyNca& proxies, const SampleMemory& memory) {
  const torch::NoGradGuard no_gradients;
  const auto embeddings = embed_all(*session.model, *session.train_inputs, session.embed_options(config));
  const auto centres = torch::nn::functional::normalize(proxies.proxies().detach().cpu());
  const auto rows = score_samples({.data = data,
                                   .embeddings = embeddings,
                                   .class_cosines = torch::mm(embeddings, centres.t()),
                                   .proxy_loss = memory.proxy_loss,
                                   .sigma = memory.sigma});
  ScoresInfo info;
  info.dataset = data.info.dataset;
  info.classes = data.info.classes;
  info.provenance = {{"program", "procsim-train"},
                     {"method", "in-sample proxies"},
                     {"seed", config.seed},
                     {"label_set", data.digest},
                     {"config", to_json(config)}};
  info.estimates = nullptr;
  ScoresWriter writer(path, IfExists::kReplace);
  writer.append(rows);
  writer.finish(info);
}

}  // namespace procsim

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "train/frame/method.hpp"
#include "train/frame/network.hpp"
#include "train/frame/objective.hpp"
#include "train/settings/config.hpp"

namespace procsim::train {

// Something that several parts of a method use, and that learns by itself: the proxies that a loss pulls
// towards and a confidence is read from.
class SharedPart {
 public:
  virtual ~SharedPart() = default;
  virtual void start(const TrainingSet&) {}
  virtual void begin_epoch(const TrainingSet&) {}
  virtual void learn() {}  // after every update of the network
  virtual void save(const CheckpointPart&) const {}
  virtual void restore(const CheckpointPart&) {}
};

// What a method of a run is made from.
struct MethodParts {
  const TrainConfig& config;
  Network& network;
  std::int64_t classes = 0;
  std::span<const std::uint8_t> wrong{};  // per training sample; empty: the truth is not known
  std::optional<double> noise_rate{};     // share of labels that are wrong, for methods that need it
  // B × B similarities that a batch is guided to; empty: no guidance.
  std::function<torch::Tensor(std::span<const std::int64_t> samples)> guidance{};
  // Another model like the network's, with the weights it starts from: a teacher, a second network.
  std::function<std::unique_ptr<Embedder>()> another_model{};

  std::shared_ptr<Objective> objective{};  // made before the trust, which may want its values
  bool pair_confidence = false;            // whether it weights its pairs by a confidence of its own
  std::map<std::string, std::shared_ptr<SharedPart>> shared{};

  // The part of this name, made where nobody has asked for it yet.
  template <typename Part, typename Make>
  std::shared_ptr<Part> share(const std::string& name, const Make& make) {
    auto& place = shared[name];
    if (!place) place = make();
    return std::dynamic_pointer_cast<Part>(place);
  }
};

}  // namespace procsim::train

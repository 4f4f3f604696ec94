#include "train/losses/sgps.hpp"

#include "train/frame/component.hpp"
#include "train/frame/option_check.hpp"
#include "train/losses/class_vectors.hpp"
#include "train/losses/mcl.hpp"
#include "train/losses/pair_sums.hpp"

namespace procsim::train {
namespace {

constexpr const char* kSgpsPrefix = "sgps";

torch::Tensor places_of(std::span<const std::int64_t> samples) {
  return torch::tensor(std::vector<std::int64_t>(samples.begin(), samples.end()), torch::kInt64);
}

// Of each query its subgroup over all images (Q × N), and the prototype that its nearest members make up.
struct Subgroups {
  torch::Tensor members;
  torch::Tensor prototypes;  // Q × D
  torch::Tensor some;        // whether there is any member
};

Subgroups subgroups_of(const torch::Tensor& places, const torch::Tensor& features,
                       const SgpsOptions& options) {
  auto cosine = torch::mm(features.index_select(0, places), features.t());
  cosine.scatter_(1, places.unsqueeze(1), -2);  // an image does not support itself
  Subgroups found{cosine >= options.similarity, torch::zeros({places.size(0), features.size(1)}), {}};
  found.some = found.members.any(1);
  const auto [nearest, order] = cosine.topk(std::min(options.supports, cosine.size(1)), 1);
  for (std::int64_t i = 0; i < places.size(0); ++i) {
    const auto chosen = order[i].masked_select(nearest[i] >= options.similarity);
    if (chosen.numel() > 0)
      found.prototypes[i] = subgroup_prototype(features.index_select(0, chosen), options.temperature);
  }
  return found;
}

}  // namespace

void SgpsOptions::validate() const {
  require_option(scale > 0, "--sgps-scale", scale, "above 0");
  require_option(margin >= 0 && margin < 1, "--sgps-margin", margin, "in [0, 1)");
  require_option(temperature > 0, "--sgps-temperature", temperature, "above 0");
  require_option(similarity > -1 && similarity < 1, "--sgps-similarity", similarity, "in (-1, 1)");
  require_option(supports >= 1 && supports <= 1000, "--sgps-supports", static_cast<double>(supports),
                 "in [1, 1000]");
  require_option(momentum >= 0 && momentum < 1, "--sgps-momentum", momentum, "in [0, 1)");
}

torch::Tensor subgroup_prototype(const torch::Tensor& supports, double temperature) {
  const auto support = (torch::mm(supports, supports.t()).sum(0) - 1) / supports.size(0);
  return torch::mv(supports.t(), (support / temperature).softmax(0));
}

torch::Tensor prototype_loss(const torch::Tensor& queries, const torch::Tensor& prototypes,
                             const torch::Tensor& negatives, const torch::Tensor& mask,
                             const SgpsOptions& options) {
  const auto near = (queries * unit_rows(prototypes)).sum(1, /*keepdim=*/true) - options.margin;
  return log_one_plus_sum(options.scale * (torch::mm(queries, negatives.t()) - near), mask);
}

void ImageFeatures::start(const TrainingSet& set) { rows_ = set.embeddings().to(torch::kFloat32).clone(); }

void ImageFeatures::offer(const Batch& batch, const torch::Tensor& embeddings) {
  offered_places_ = places_of(batch.samples);
  offered_ = embeddings.detach().to(torch::kCPU, torch::kFloat32);
}

void ImageFeatures::learn() {
  if (!offered_.defined()) return;
  const auto before = rows_.index_select(0, offered_places_);
  rows_.index_copy_(0, offered_places_, unit_rows(momentum_ * before + (1 - momentum_) * offered_));
  offered_ = torch::Tensor();
}

SubgroupPrototypes::SubgroupPrototypes(std::unique_ptr<Objective> clean,
                                       std::shared_ptr<CrossBatchMemory> memory,
                                       std::shared_ptr<ImageFeatures> features, const SgpsOptions& options)
    : ObjectiveDecorator(std::move(clean)),
      memory_(std::move(memory)),
      features_(std::move(features)),
      options_(options) {
  options_.validate();
}

torch::Tensor SubgroupPrototypes::term(const LossBatch& batch) {
  if (batch.step == nullptr) return {};
  features_->offer(*batch.step, batch.embeddings);
  if (!batch.partner_confidence.defined()) return {};
  const auto device = batch.embeddings.device();
  const auto left_out = (batch.partner_confidence <= 0.5).nonzero().squeeze(1);
  if (left_out.numel() == 0) return {};
  const auto places = places_of(batch.step->samples);
  const auto found =
      subgroups_of(places.index_select(0, left_out.to(torch::kCPU)), features_->rows(), options_);
  const auto rows = found.some.nonzero().squeeze(1);
  if (rows.numel() == 0) return {};

  const auto chosen = left_out.index_select(0, rows.to(device));
  const auto queries = batch.embeddings.index_select(0, chosen);
  const auto labels = batch.labels.index_select(0, chosen).unsqueeze(1);
  const auto prototypes = found.prototypes.index_select(0, rows).to(queries.options().requires_grad(false));
  const auto members = found.members.index_select(0, rows);
  const auto against = [&](const torch::Tensor& embeddings, const torch::Tensor& labels_of_others,
                           const torch::Tensor& samples) {
    const auto outside = ~members.index_select(1, samples.to(torch::kCPU)).to(device);
    return prototype_loss(queries, prototypes, embeddings.to(queries.dtype()),
                          outside & (labels != labels_of_others.unsqueeze(0)), options_)
        .mean();
  };
  auto value = against(batch.embeddings, batch.labels, places);
  if (memory_->size() > 0)
    value = value + against(memory_->embeddings(), memory_->labels(), memory_->samples());
  return value;
}

ObjectiveComponent sgps_objective() {
  auto component = objective_component<SgpsOptions>(
      "sgps", kSgpsPrefix, [](MethodParts& parts, const SgpsOptions& options) {
        const auto features = parts.share<ImageFeatures>(
            "features", [&] { return std::make_shared<ImageFeatures>(options.momentum); });
        return std::make_unique<SubgroupPrototypes>(make_memory_contrastive(parts),
                                                    CrossBatchMemory::of(parts), features, options);
      });
  component.description = "contrastive with a memory; what is not kept, towards a prototype of its subgroup";
  component.source = "Yu et al. 2024, subgroups in our reading";
  component.uses = {"memory_"};
  component.state = "a memory of embeddings and labels, a feature of every training image";
  return component;
}

}  // namespace procsim::train

#include "train/processes/bucketed_sum.hpp"

#include <torch/csrc/autograd/function_hook.h>
#include <torch/csrc/autograd/variable.h>

namespace procsim::train {
namespace {

struct Bucket {
  std::vector<torch::Tensor> parameters;
  std::size_t missing = 0;  // gradients that the backward pass still owes
  torch::Tensor values;     // all gradients in a row, once they left
  std::function<void()> wait;
};

}  // namespace

struct BucketedSum::State {
  std::vector<torch::Tensor> parameters;
  std::vector<Bucket> buckets;  // upper layers first: their gradients are there first
  StartSum start;
  std::size_t next = 0;  // the bucket that leaves next
  bool counting = false;

  void arrived(std::size_t bucket);
  void send(Bucket& bucket) const;
};

namespace {

template <typename State>
class Arrival : public torch::autograd::PostAccumulateGradHook {
 public:
  Arrival(std::weak_ptr<State> state, std::size_t bucket) : state_(std::move(state)), bucket_(bucket) {}
  void operator()(const torch::autograd::Variable&) override {
    if (const auto state = state_.lock()) state->arrived(bucket_);
  }

 private:
  std::weak_ptr<State> state_;
  std::size_t bucket_;
};

}  // namespace

void BucketedSum::State::arrived(std::size_t bucket) {
  if (!counting) return;
  --buckets[bucket].missing;
  while (next < buckets.size() && buckets[next].missing == 0) send(buckets[next++]);
}

// A parameter that the objective does not depend on has no gradient, in no process.
void BucketedSum::State::send(Bucket& bucket) const {
  std::vector<torch::Tensor> flat;
  for (const auto& parameter : bucket.parameters)
    if (parameter.grad().defined()) flat.push_back(parameter.grad().reshape(-1));
  if (flat.empty()) return;
  const torch::NoGradGuard no_gradients;
  bucket.values = torch::cat(flat);
  bucket.wait = start(bucket.values);
}

BucketedSum::BucketedSum(std::vector<torch::Tensor> parameters, StartSum start, std::int64_t bucket_bytes)
    : state_(std::make_shared<State>()) {
  state_->parameters = std::move(parameters);
  state_->start = std::move(start);
  std::int64_t bytes = bucket_bytes;
  for (auto parameter = state_->parameters.rbegin(); parameter != state_->parameters.rend(); ++parameter) {
    if (bytes >= bucket_bytes) {
      state_->buckets.emplace_back();
      bytes = 0;
    }
    bytes += static_cast<std::int64_t>(parameter->nbytes());
    state_->buckets.back().parameters.push_back(*parameter);
    torch::autograd::impl::set_post_acc_grad_hooks(
        *parameter, std::make_unique<Arrival<State>>(state_, state_->buckets.size() - 1));
  }
}

BucketedSum::~BucketedSum() {
  for (const auto& parameter : state_->parameters)
    torch::autograd::impl::set_post_acc_grad_hooks(parameter, nullptr);
}

void BucketedSum::begin() {
  state_->next = 0;
  state_->counting = true;
  for (auto& bucket : state_->buckets) {
    bucket.missing = bucket.parameters.size();
    bucket.values = torch::Tensor();
    bucket.wait = nullptr;
  }
}

void BucketedSum::finish() {
  state_->counting = false;
  while (state_->next < state_->buckets.size()) state_->send(state_->buckets[state_->next++]);
  const torch::NoGradGuard no_gradients;
  for (const auto& bucket : state_->buckets) {
    if (!bucket.wait) continue;
    bucket.wait();
    std::int64_t at = 0;
    for (const auto& parameter : bucket.parameters) {
      const auto& gradient = parameter.grad();
      if (!gradient.defined()) continue;
      gradient.copy_(bucket.values.narrow(0, at, gradient.numel()).view(gradient.sizes()));
      at += gradient.numel();
    }
  }
}

}  // namespace procsim::train

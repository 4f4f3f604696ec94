#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <torch/types.h>

#include "data/base/error.hpp"

namespace procsim::train {

// A part of a list: places first … first + count − 1.
struct Slice {
  std::int64_t first = 0;
  std::int64_t count = 0;
};
// The part of process `rank` of `size`: in order, together everything, sizes that differ by one at most.
Slice slice_of(std::int64_t count, std::int64_t rank, std::int64_t size);

// Adds up the gradients of some parameters over all processes.
class GradientSum {
 public:
  virtual ~GradientSum() = default;
  virtual void begin() = 0;   // before a backward pass
  virtual void finish() = 0;  // after it: every process has the same sums in its gradients
};

// Another process of the run ended, or cannot be reached. What it says has no way out yet: who knows the run
// adds it.
class LostProcess : public Error {
 public:
  using Error::Error;
};

// The processes that train one run together, and which of them this is. All call the same functions in the
// same order, or wait for each other until LostProcess is thrown; every function may throw it.
class Processes {
 public:
  virtual ~Processes() = default;

  virtual std::int64_t rank() const = 0;
  virtual std::int64_t size() const = 0;
  // The same among those of this machine.
  virtual std::int64_t rank_on_host() const = 0;
  virtual std::int64_t size_on_host() const = 0;

  // The one that writes and speaks.
  bool first() const { return rank() == 0; }
  Slice slice(std::int64_t count) const { return slice_of(count, rank(), size()); }

  // Rows of all processes, in their order: matrices of the same width (a process may have no row) and type.
  // What flows back to the rows is the gradient of this process's: where all compute the same from them,
  // nothing is counted twice.
  virtual torch::Tensor gather_rows(const torch::Tensor& own) = 0;
  // For parameters whose gradients are sums over rows of which each process saw its own.
  virtual std::unique_ptr<GradientSum> gradient_sum(std::vector<torch::Tensor> parameters) = 0;
  // Overwrites the tensors with those of the first process.
  virtual void take_from_first(const std::vector<torch::Tensor>& tensors) = 0;
  virtual std::string text_from_first(const std::string& own) = 0;
  // Whether it is true anywhere. Nobody goes on before all have asked.
  virtual bool any(bool own) = 0;

  // A word of the first process for itself in a later attempt, where a launcher starts all processes again:
  // it is kept where they meet. Empty: nothing was kept.
  virtual void keep(const std::string&) {}
  virtual std::string kept() { return {}; }
};

// No others.
std::shared_ptr<Processes> one_process();

// What `make` gives in the first process. Where it throws there, all throw.
std::string made_by_first(Processes& processes, const std::function<std::string()>& make);

// Throws Error that says so unless `text` is the same in all processes. `what`: "the settings".
void require_same(Processes& processes, const std::string& text, const std::string& what);

}  // namespace procsim::train

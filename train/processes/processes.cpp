#include "train/processes/processes.hpp"

#include <fmt/format.h>

namespace procsim::train {
namespace {

class NothingToAdd : public GradientSum {
 public:
  void begin() override {}
  void finish() override {}
};

class OneProcess : public Processes {
 public:
  std::int64_t rank() const override { return 0; }
  std::int64_t size() const override { return 1; }
  std::int64_t rank_on_host() const override { return 0; }
  std::int64_t size_on_host() const override { return 1; }
  torch::Tensor gather_rows(const torch::Tensor& own) override { return own; }
  std::unique_ptr<GradientSum> gradient_sum(std::vector<torch::Tensor>) override {
    return std::make_unique<NothingToAdd>();
  }
  void take_from_first(const std::vector<torch::Tensor>&) override {}
  std::string text_from_first(const std::string& own) override { return own; }
  bool any(bool own) override { return own; }
};

}  // namespace

Slice slice_of(std::int64_t count, std::int64_t rank, std::int64_t size) {
  const auto begin = [&](std::int64_t of) { return count * of / size; };
  return {begin(rank), begin(rank + 1) - begin(rank)};
}

std::shared_ptr<Processes> one_process() { return std::make_shared<OneProcess>(); }

std::string made_by_first(Processes& processes, const std::function<std::string()>& make) {
  // The first letter says whether it could be made.
  if (processes.first()) {
    std::string made;
    try {
      made = make();
    } catch (const std::exception& error) {
      processes.text_from_first(std::string("!") + error.what());
      throw;
    }
    return processes.text_from_first("=" + made).substr(1);
  }
  const auto heard = processes.text_from_first({});
  if (heard.starts_with('!'))
    throw Error(fmt::format("process {} stops with the first one: {}", processes.rank(), heard.substr(1)));
  return heard.substr(1);
}

void require_same(Processes& processes, const std::string& text, const std::string& what) {
  if (!processes.any(processes.text_from_first(text) != text)) return;
  throw Error(
      fmt::format("process {} of {}: {} are not the same in all processes. Start all of them with "
                  "the same command line, on the same files.",
                  processes.rank(), processes.size(), what));
}

}  // namespace procsim::train

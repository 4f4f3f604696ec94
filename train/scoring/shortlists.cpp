#include "train/scoring/shortlists.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace procsim::train {
namespace {

constexpr std::size_t kScoresTogether = 16;  // scores looked at together

struct ScoredClass {
  float score;
  std::int32_t of;
};

bool better(const ScoredClass& a, const ScoredClass& b) {
  return a.score != b.score ? a.score > b.score : a.of < b.of;
}

// The best of what it is given, by class from the first to the last. It holds a few times as many as wanted
// and throws out the worst when it is full, so that most scores are only compared with the worst that counts.
class Best {
 public:
  explicit Best(std::size_t wanted) : wanted_(wanted) { found_.reserve(4 * wanted); }

  float least() const { return least_; }
  void add(float score, std::int32_t of) {
    if (!(score > least_)) return;
    found_.push_back({score, of});
    if (found_.size() == 4 * wanted_) shorten();
  }
  // The worst last.
  std::vector<ScoredClass>& finish() {
    shorten();
    return found_;
  }

 private:
  void shorten() {
    if (found_.size() < wanted_) return;
    const auto last = found_.begin() + static_cast<std::ptrdiff_t>(wanted_) - 1;
    std::nth_element(found_.begin(), last, found_.end(), better);
    found_.resize(wanted_);
    least_ = found_.back().score;
  }

  std::size_t wanted_;
  float least_ = -std::numeric_limits<float>::infinity();
  std::vector<ScoredClass> found_;
};

}  // namespace

Shortlists::Shortlists(std::int64_t class_count)
    : width_(class_count), everything_(true), lists_(static_cast<std::size_t>(class_count)) {
  std::iota(lists_.begin(), lists_.end(), 0);
}

Shortlists::Shortlists(std::int64_t samples, std::int64_t width)
    : width_(width), everything_(false), lists_(static_cast<std::size_t>(samples * width)) {}

void Shortlists::set(std::int64_t sample, std::span<const float> scores, std::int64_t own) {
  Best best(static_cast<std::size_t>(width_));
  std::size_t c = 0;
  for (; c + kScoresTogether <= scores.size(); c += kScoresTogether) {
    int above = 0;
    for (std::size_t lane = 0; lane < kScoresTogether; ++lane) above |= scores[c + lane] > best.least();
    if (above == 0) continue;
    for (std::size_t lane = 0; lane < kScoresTogether; ++lane)
      best.add(scores[c + lane], static_cast<std::int32_t>(c + lane));
  }
  for (; c < scores.size(); ++c) best.add(scores[c], static_cast<std::int32_t>(c));
  auto& found = best.finish();
  const auto own_class = static_cast<std::int32_t>(own);
  if (std::ranges::none_of(found, [&](const ScoredClass& one) { return one.of == own_class; }))
    found.back().of = own_class;
  auto* list = lists_.data() + sample * width_;
  std::ranges::transform(found, list, &ScoredClass::of);
  std::sort(list, list + width_);
}

}  // namespace procsim::train

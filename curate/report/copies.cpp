#include "curate/report/copies.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <map>
#include <mutex>
#include <numeric>
#include <tuple>
#include <unordered_map>

#include "data/base/digest.hpp"
#include "data/base/error.hpp"
#include "data/base/keyed_random.hpp"
#include "data/base/thread_tasks.hpp"
#include "data/images/image.hpp"
#include "data/labels/label_set.hpp"

namespace procsim::curate {

namespace {

constexpr int kSide = 16, kCells = 4;    // of the grey picture, and of the grid of its means
constexpr int kGrids = 8;                // each with other shifts
constexpr double kCellWidth = 6;         // times the threshold
constexpr std::size_t kCompared = 64;    // within a cell
constexpr double kOfContrast = 0.15;     // near copies differ by less than this part of their contrast
constexpr double kLeastContrast = 0.01;  // an image of one colour is like any other: only its bytes tell
constexpr std::string_view kLearnedFrom = "train";

using Picture = std::array<std::uint8_t, static_cast<std::size_t>(kSide) * kSide>;

struct Look {
  std::string digest;  // empty: could not be read
  bool decoded = false;
  Picture picture{};
  std::string why;  // it could not be read or, where near copies are sought, not be decoded
};

Look look_at(const ImageStore& images, const std::string& path, bool near) {
  Look look;
  const auto bytes = images.bytes(path, &look.why);
  if (!bytes) return look;
  look.digest = sha256_hex(*bytes);
  if (!near) return look;
  try {
    DecodeOptions decode;
    decode.shorter_side = 4 * kSide;
    const auto small = resize(decode_image(*bytes, path, decode), kSide, kSide);
    for (std::size_t i = 0; i < look.picture.size(); ++i) {
      const auto* pixel = small.rgb.data() + 3 * i;
      look.picture[i] =
          static_cast<std::uint8_t>((299 * pixel[0] + 587 * pixel[1] + 114 * pixel[2] + 500) / 1000);
    }
    look.decoded = true;
  } catch (const Error& error) {
    look.why = error.what();  // a file that is no image still has copies
  }
  return look;
}

double contrast(const Picture& picture) {
  double sum = 0, squares = 0;
  for (const double value : picture) {
    sum += value / 255;
    squares += value * value / (255 * 255);
  }
  const auto n = static_cast<double>(picture.size());
  return std::sqrt(std::max(0.0, squares / n - sum / n * (sum / n)));
}

double difference(const Picture& a, const Picture& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double d = static_cast<double>(a[i]) - static_cast<double>(b[i]);
    sum += d * d;
  }
  return std::sqrt(sum / static_cast<double>(a.size())) / 255;
}

std::array<double, static_cast<std::size_t>(kCells) * kCells> cell_means(const Picture& picture) {
  std::array<double, static_cast<std::size_t>(kCells) * kCells> means{};
  constexpr std::size_t kWide = kSide / kCells;
  for (std::size_t y = 0; y < kSide; ++y)
    for (std::size_t x = 0; x < kSide; ++x)
      means[y / kWide * kCells + x / kWide] += picture[y * kSide + x] / (255.0 * kWide * kWide);
  return means;
}

// Thin strokes on white paper differ by little from any others: what differs is held against what is there.
bool are_near(const Picture& a, const Picture& b, double threshold) {
  return difference(a, b) <= std::min(threshold, kOfContrast * std::min(contrast(a), contrast(b)));
}

// Which samples are one group: the root of each.
class Groups {
 public:
  explicit Groups(std::size_t samples) : parent_(samples) {
    std::iota(parent_.begin(), parent_.end(), std::size_t{0});
  }
  std::size_t root(std::size_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(std::size_t a, std::size_t b) {
    parent_[std::max(root(a), root(b))] = std::min(root(a), root(b));
  }

 private:
  std::vector<std::size_t> parent_;
};

// One of each group so far is compared: pictures that are equal need no second look.
void join_near(const std::vector<Look>& looks, double threshold, Groups& groups) {
  std::map<Picture, std::size_t> distinct;
  for (std::size_t i = 0; i < looks.size(); ++i) {
    if (!looks[i].decoded || contrast(looks[i].picture) < kLeastContrast) continue;
    const auto [first, fresh] = distinct.try_emplace(looks[i].picture, i);
    if (!fresh) groups.join(first->second, i);
  }
  for (int grid = 0; grid < kGrids; ++grid) {
    const KeyedRandom random(static_cast<std::uint64_t>(grid), "curate copies");
    auto draws = random.for_id(0);
    std::array<double, static_cast<std::size_t>(kCells) * kCells> shifts{};
    for (auto& shift : shifts) shift = draws.uniform();
    std::unordered_map<std::string, std::vector<std::size_t>> cells;
    for (const auto& [picture, i] : distinct) {
      std::string key;
      const auto means = cell_means(picture);
      for (std::size_t c = 0; c < means.size(); ++c)
        key +=
            static_cast<char>(static_cast<int>(std::floor(means[c] / (kCellWidth * threshold) + shifts[c])));
      cells[key].push_back(i);
    }
    for (const auto& [key, members] : cells)
      for (std::size_t a = 0; a < members.size(); ++a)
        for (std::size_t b = a + 1; b < std::min(members.size(), a + kCompared); ++b)
          if (groups.root(members[a]) != groups.root(members[b]) &&
              are_near(looks[members[a]].picture, looks[members[b]].picture, threshold))
            groups.join(members[a], members[b]);
  }
}

}  // namespace

std::vector<CopySample> read_copy_samples(const std::filesystem::path& labels) {
  std::vector<CopySample> samples;
  LabelSetReader reader(labels);
  while (const auto batch = reader.next())
    for (std::int64_t row = 0; row < batch->rows(); ++row) {
      const auto at = static_cast<std::size_t>(row);
      if (batch->labels()[at] == kUnlabelled) continue;
      samples.push_back({batch->sample_ids()[at], std::string(batch->path(row)), batch->labels()[at],
                         std::string(batch->split(row))});
    }
  return samples;
}

FoundCopies find_copies(const std::vector<CopySample>& samples, const ImageStore& images,
                        const CopyOptions& options, const Progress& progress) {
  std::vector<Look> looks(samples.size());
  constexpr std::size_t kBlock = 64;
  const auto blocks = static_cast<std::int64_t>((samples.size() + kBlock - 1) / kBlock);
  std::atomic<std::size_t> done = 0;
  std::mutex reporting;
  run_on_threads(blocks, 0, [&](std::int64_t block) {
    const auto first = static_cast<std::size_t>(block) * kBlock;
    const auto last = std::min(samples.size(), first + kBlock);
    for (auto i = first; i < last; ++i) looks[i] = look_at(images, samples[i].path, options.near);
    const auto now = done += last - first;
    if (!progress) return;
    const std::lock_guard lock(reporting);
    progress(now, samples.size());
  });
  Groups joined(samples.size());
  std::unordered_map<std::string, std::size_t> by_digest;
  for (std::size_t i = 0; i < looks.size(); ++i) {
    if (looks[i].digest.empty()) continue;
    const auto [first, fresh] = by_digest.try_emplace(looks[i].digest, i);
    if (!fresh) joined.join(first->second, i);
  }
  if (options.near) join_near(looks, options.threshold, joined);

  std::map<std::size_t, CopyGroup> found;
  for (std::size_t i = 0; i < samples.size(); ++i)
    if (!looks[i].digest.empty()) found[joined.root(i)].members.push_back(i);
  FoundCopies result;
  for (std::size_t i = 0; i < samples.size(); ++i)
    if (!looks[i].why.empty())
      result.damaged.push_back({samples[i].id, samples[i].path, without_path(looks[i].why, samples[i].path)});
  auto& groups = result.groups;
  for (auto& [root, group] : found) {
    if (group.members.size() < 2) continue;
    std::ranges::sort(group.members, {}, [&](std::size_t i) { return samples[i].id; });
    const auto first = group.members.front();
    const auto differs = [&](auto what) {
      return std::ranges::any_of(group.members, [&](std::size_t i) { return what(i) != what(first); });
    };
    group.exact = !differs([&](std::size_t i) { return std::string_view(looks[i].digest); });
    group.labels_differ = differs([&](std::size_t i) { return samples[i].label; });
    group.across_splits = differs([&](std::size_t i) { return std::string_view(samples[i].split); });
    groups.push_back(std::move(group));
  }
  std::ranges::sort(groups, [&](const CopyGroup& a, const CopyGroup& b) {
    return std::tuple(!a.across_splits, !a.labels_differ, b.members.size(), samples[a.members[0]].id) <
           std::tuple(!b.across_splits, !b.labels_differ, a.members.size(), samples[b.members[0]].id);
  });
  return result;
}

std::size_t kept_copy(const CopyGroup& group, const std::vector<CopySample>& samples) {
  std::map<std::int32_t, std::size_t> votes;
  for (const auto i : group.members) ++votes[samples[i].label];
  return *std::ranges::min_element(group.members, {}, [&](std::size_t i) {
    return std::tuple(samples[i].split == kLearnedFrom, group.members.size() - votes[samples[i].label],
                      samples[i].id);
  });
}

}  // namespace procsim::curate

#include "train/samples/train_data.hpp"

#include <algorithm>
#include <set>
#include <unordered_set>

#include <fmt/format.h>

#include "data/base/error.hpp"
#include "data/base/thread_tasks.hpp"
#include "data/files/file_name.hpp"
#include "data/images/image.hpp"
#include "data/sets/dataset.hpp"
#include "data/sets/image_presence.hpp"

namespace procsim::train {
namespace fs = std::filesystem;

void check_images(const TrainData& data) {
  ImagePresence images(data.root);
  std::size_t missing = 0;
  std::string first;
  for (const auto* samples : {&data.train, &data.test}) {
    for (const auto& sample : *samples) {
      if (images.has(sample.path)) continue;
      ++missing;
      if (first.empty()) first = (data.root / sample.path).string();
    }
  }
  if (missing == 0) return;
  const auto all = data.train.size() + data.test.size();
  throw Error(fmt::format("{} of {} images are missing, the first is {}. {}", missing, all, first,
                          missing < all
                              ? "Leave them out with --skip-broken, or say where they are with --root."
                              : "Say where the data set lies with --root."));
}

void index_classes(TrainData& data) {
  data.classes.clear();
  data.train_class.clear();
  for (const auto& sample : data.train) data.classes.push_back(sample.label);
  std::sort(data.classes.begin(), data.classes.end());
  data.classes.erase(std::unique(data.classes.begin(), data.classes.end()), data.classes.end());
  for (const auto& sample : data.train)
    data.train_class.push_back(std::lower_bound(data.classes.begin(), data.classes.end(), sample.label) -
                               data.classes.begin());
}

bool TrainData::truth_known() const {
  return std::all_of(train.begin(), train.end(),
                     [](const TrainSample& sample) { return sample.true_label.has_value(); });
}

const LabelClass& TrainData::class_at(std::size_t index) const {
  return info.classes.at(static_cast<std::size_t>(classes[index]));
}

std::vector<std::int64_t> TrainData::train_ids() const {
  std::vector<std::int64_t> ids;
  ids.reserve(train.size());
  for (const auto& sample : train) ids.push_back(sample.id);
  return ids;
}

std::vector<std::int64_t> TrainData::test_labels() const {
  std::vector<std::int64_t> labels;
  for (const auto& sample : test) labels.push_back(sample.true_label.value_or(sample.label));
  return labels;
}

TrainData load_labels_of(const fs::path& label_set, std::string_view split,
                         const std::optional<std::vector<std::int64_t>>& featured) {
  auto set = read_label_set(label_set);
  TrainData data;
  data.digest = parts_digest(label_set);
  std::set<std::string> covered;
  if (featured) {
    const std::unordered_set<std::int64_t> there(featured->begin(), featured->end());
    for (const auto& row : set.rows)
      if (there.contains(row.sample_id)) covered.insert(row.split);
  }
  // Where features of no split are there, whoever reads them says so.
  const bool every = !featured || covered.empty();
  for (auto& row : set.rows) {
    const bool wanted =
        split == kAllSplits ? every || covered.contains(row.split) : row.split == split || row.split.empty();
    if (row.label == kUnlabelled) {
      data.unlabelled += wanted;
    } else if (wanted) {
      data.train.push_back({row.sample_id, std::move(row.path), row.label, row.true_label});
    } else {
      ++data.other_splits;
    }
  }
  data.info = std::move(set.info);
  if (data.train.empty())
    throw Error(
        fmt::format("{} has no labelled row of the split '{}': nothing to score", label_set.string(), split));
  index_classes(data);
  return data;
}

TrainData load_labels(const fs::path& label_set) {
  auto set = read_label_set(label_set);
  TrainData data;
  data.digest = parts_digest(label_set);
  const bool has_splits =
      std::any_of(set.rows.begin(), set.rows.end(), [](const LabelRow& row) { return !row.split.empty(); });
  for (auto& row : set.rows) {
    const bool trains = !has_splits || row.split == "train";
    if (!trains && row.split != "test") continue;
    if (trains && row.label == kUnlabelled) {
      ++data.unlabelled;
      continue;
    }
    if (!trains && row.label == kUnlabelled && !row.true_label) continue;
    if (!trains && row.true_label == kNoneOfThese) continue;  // nothing to retrieve
    TrainSample sample{row.sample_id, std::move(row.path), row.label, row.true_label};
    (trains ? data.train : data.test).push_back(std::move(sample));
  }
  data.info = std::move(set.info);
  if (data.train.empty())
    throw Error(
        fmt::format("{} has no labelled row of the split 'train': nothing to train on", label_set.string()));
  index_classes(data);
  if (data.classes.size() < 2)
    throw Error(fmt::format("{} has a single training class ('{}'): a metric needs two or more",
                            label_set.string(),
                            data.info.classes.at(static_cast<std::size_t>(data.classes.front())).name));
  return data;
}

TrainData load_train_data(const fs::path& label_set, const fs::path& root) {
  auto data = load_labels(label_set);
  data.root = root;
  check_images(data);
  return data;
}

std::vector<std::string> drop_broken_images(TrainData& data, int workers) {
  std::vector<std::string> messages;
  for (auto* samples : {&data.train, &data.test}) {
    std::vector<std::string> broken(samples->size());
    run_on_threads(static_cast<std::int64_t>(samples->size()), workers, [&](std::int64_t sample) {
      const auto i = static_cast<std::size_t>(sample);
      const auto& path = (*samples)[i].path;
      try {
        decode_image(read_sample_bytes(data.root, path), (data.root / path).string());
      } catch (const Error& error) {
        broken[i] = error.what();
      }
    });
    std::vector<TrainSample> whole;
    for (std::size_t i = 0; i < samples->size(); ++i) {
      if (broken[i].empty())
        whole.push_back(std::move((*samples)[i]));
      else
        messages.push_back(std::move(broken[i]));
    }
    *samples = std::move(whole);
  }
  if (data.train.empty())
    throw Error("none of the training images can be decoded; the first: " + messages.front());
  index_classes(data);
  return messages;
}

}  // namespace procsim::train

#include "data/labels/label_difference.hpp"

#include <algorithm>
#include <unordered_map>

namespace procsim {
namespace {

// One row, wherever it stands. Labels are indices into the classes of both sets.
struct RowView {
  std::int64_t id = 0;
  std::string_view path, split;
  std::int32_t label = kUnlabelled;
  std::optional<std::int32_t> true_label;
  std::int64_t position = 0;  // in its set

  bool known() const { return true_label && label != kUnlabelled; }
  bool wrong() const { return known() && label != *true_label; }
};

// A row that waits for its partner.
struct WaitingRow {
  LabelRow row;
  std::int64_t position = 0;
};

RowView view(const WaitingRow& waiting) {
  const auto& row = waiting.row;
  return {row.sample_id, row.path, row.split, row.label, row.true_label, waiting.position};
}

using WaitingRows = std::unordered_map<std::int64_t, WaitingRow>;

void wait(WaitingRows& rows, const RowView& row) {
  rows.emplace(row.id,
               WaitingRow{{row.id, std::string(row.path), std::string(row.split), row.label, row.true_label},
                          row.position});
}

// The rows of a set one after another.
class Rows {
 public:
  // `numbers`: a set's label → index into the classes of both.
  Rows(LabelSetReader& reader, std::vector<std::int32_t> numbers)
      : reader_(reader), numbers_(std::move(numbers)), batch_(reader_.next()) {}

  std::optional<RowView> current() const {
    if (!batch_) return std::nullopt;
    const auto at = static_cast<std::size_t>(row_);
    const auto truth = batch_->true_label(row_);
    return RowView{batch_->sample_ids()[at],
                   batch_->path(row_),
                   batch_->split(row_),
                   number(batch_->labels()[at]),
                   truth ? std::optional(number(*truth)) : std::nullopt,
                   position_};
  }
  void advance() {
    ++position_;
    if (++row_ < batch_->rows()) return;
    batch_ = reader_.next();
    row_ = 0;
  }

 private:
  std::int32_t number(std::int32_t label) const {
    return label == kUnlabelled ? kUnlabelled : numbers_[static_cast<std::size_t>(label)];
  }

  LabelSetReader& reader_;
  std::vector<std::int32_t> numbers_;
  std::optional<LabelBatch> batch_;
  std::int64_t row_ = 0, position_ = 0;
};

// The number of each class in `all`, which grows by those it does not have yet.
std::vector<std::int32_t> number_classes(const LabelSetInfo& info, std::vector<std::string>& all) {
  std::unordered_map<std::string, std::int32_t> known;
  for (std::size_t i = 0; i < all.size(); ++i) known.emplace(all[i], static_cast<std::int32_t>(i));
  std::vector<std::int32_t> numbers;
  for (std::size_t label = 0; label < info.classes.size(); ++label) {
    const auto& name = info.classes[label].name;
    if (label < all.size() && all[label] == name) {  // also where two classes have one name
      numbers.push_back(static_cast<std::int32_t>(label));
      continue;
    }
    const auto [found, is_new] = known.emplace(name, static_cast<std::int32_t>(all.size()));
    if (is_new) all.push_back(name);
    numbers.push_back(found->second);
  }
  return numbers;
}

class Comparer {
 public:
  Comparer(LabelDifference& result, const std::function<void(const LabelChange&)>& each)
      : result_(result), each_(each) {}

  void add(const std::optional<RowView>& before, const std::optional<RowView>& after) {
    if (before) {
      ++result_.rows_before;
      result_.known_before += before->known() ? 1 : 0;
      result_.wrong_before += before->wrong() ? 1 : 0;
    }
    if (after) {
      ++result_.rows_after;
      result_.known_after += after->known() ? 1 : 0;
      result_.wrong_after += after->wrong() ? 1 : 0;
    }
    if (before && after && before->id == after->id) {
      compare(*before, *after);
    } else {
      if (before) add_before(*before);
      if (after) add_after(*after);
    }
    if (only_after_.empty()) report();  // nothing that comes before them is open any more
  }

  void finish() {
    report();
    result_.only_after = static_cast<std::int64_t>(only_after_.size());
    result_.only_before = static_cast<std::int64_t>(only_before_.size());
    std::vector<std::int64_t> ids;
    for (const auto& [id, waiting] : only_before_) ids.push_back(id);
    std::ranges::sort(ids);
    for (const auto id : ids) leave_out(view(only_before_.at(id)));
  }

 private:
  void add_before(const RowView& row) {
    const auto partner = only_after_.find(row.id);
    if (partner == only_after_.end()) return wait(only_before_, row);
    compare(row, view(partner->second));
    only_after_.erase(partner);
  }

  void add_after(const RowView& row) {
    const auto partner = only_before_.find(row.id);
    if (partner == only_before_.end()) return wait(only_after_, row);
    compare(view(partner->second), row);
    only_before_.erase(partner);
  }

  void compare(const RowView& before, const RowView& after) {
    ++result_.common;
    result_.other_path += before.path != after.path ? 1 : 0;
    const bool both_known = before.true_label && after.true_label;
    result_.other_truth += both_known && before.true_label != after.true_label ? 1 : 0;
    if (before.label == after.label) return;
    ++result_.changed;
    ++result_.pairs[{before.label, after.label}];
    const auto truth = after.true_label ? after.true_label : before.true_label;
    if (truth) judge(before.label, after.label, *truth);
    if (each_)
      changes_.emplace(after.position,
                       LabelChange{after.id, std::string(after.path), std::string(after.split), before.label,
                                   after.label, truth});
  }

  void judge(std::int32_t before, std::int32_t after, std::int32_t truth) {
    if (before == truth)
      ++result_.spoilt;
    else if (before == kUnlabelled)
      result_.labelled_right += after == truth ? 1 : 0;
    else
      ++(after == truth ? result_.corrected : result_.still_wrong);
  }

  void leave_out(const RowView& row) {
    result_.wrong_left_out += row.wrong() ? 1 : 0;
    result_.right_left_out += row.known() && !row.wrong() ? 1 : 0;
    if (each_)
      each_({row.id, std::string(row.path), std::string(row.split), row.label, std::nullopt, row.true_label});
  }

  void report() {
    for (const auto& [position, change] : changes_) each_(change);
    changes_.clear();
  }

  LabelDifference& result_;
  const std::function<void(const LabelChange&)>& each_;
  WaitingRows only_before_, only_after_;
  std::map<std::int64_t, LabelChange> changes_;  // by the position in the second set
};

}  // namespace

std::optional<double> LabelDifference::precision() const {
  const auto wrong = corrected + still_wrong + wrong_left_out, all = wrong + spoilt + right_left_out;
  if (all == 0) return std::nullopt;
  return static_cast<double>(wrong) / static_cast<double>(all);
}

LabelDifference compare_label_sets(const std::filesystem::path& before, const std::filesystem::path& after,
                                   const std::function<void(const LabelChange&)>& each) {
  LabelReadOptions options;
  options.unique_ids = true;
  LabelSetReader first(before, options), second(after, options);
  LabelDifference result;
  result.classes = first.info().class_names();
  Rows left(first, number_classes(first.info(), result.classes)),
      right(second, number_classes(second.info(), result.classes));
  Comparer comparer(result, each);
  for (;;) {
    const auto a = left.current(), b = right.current();
    if (!a && !b) break;
    comparer.add(a, b);
    if (a) left.advance();
    if (b) right.advance();
  }
  comparer.finish();
  return result;
}

}  // namespace procsim

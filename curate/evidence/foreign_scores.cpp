#include "curate/evidence/foreign_scores.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <unordered_map>

#include <fmt/format.h>

#include "data/base/error.hpp"
#include "data/base/version.hpp"
#include "data/files/file_changes.hpp"
#include "data/files/file_name.hpp"
#include "data/files/npy.hpp"
#include "data/labels/foreign_table.hpp"
#include "data/noise_model/dominant_confusions.hpp"
#include "data/noise_model/noise_estimates.hpp"
#include "data/noise_model/noise_fit.hpp"
#include "data/noise_model/noise_readings.hpp"
#include "data/noise_model/suspicions.hpp"

namespace procsim::curate {

struct Probabilities::Source {
  std::filesystem::path file;
  std::optional<NpyMatrix> matrix;
  std::optional<ForeignTable> table;
  std::vector<const TableColumn*> columns;  // of the table, a class each
  const TableColumn::FloatLists* lists = nullptr;
  std::vector<std::int64_t> ids;
  std::int64_t rows = 0, at = 0;
  std::vector<double> row;
};

namespace {

// A column per class, under any of the names it goes by.
std::vector<const TableColumn*> class_columns(const ForeignTable& table, const LabelSetInfo& classes,
                                              const std::filesystem::path& file) {
  std::vector<const TableColumn*> columns;
  for (std::size_t label = 0; label < classes.classes.size(); ++label) {
    const auto& item = classes.classes[label];
    const auto plain = fmt::format("{}", label), short_name = fmt::format("p{}", label),
               long_name = fmt::format("p_{}", label);
    const auto* column = table.find({item.name, item.published, plain, short_name, long_name});
    if (!column)
      throw Error(fmt::format("{}: no column for class {} ('{}'); name it so, or {}", file.string(), label,
                              item.name, short_name));
    columns.push_back(column);
  }
  return columns;
}

const TableColumn::FloatLists* list_column(const Table& table) {
  for (const auto& column : table.columns)
    if (const auto* lists = std::get_if<TableColumn::FloatLists>(&column.values)) return lists;
  return nullptr;
}

// Half precision and two digits after the point stay within it.
constexpr double kSumTolerance = 0.02;

void check_width(std::int64_t width, const LabelSetInfo& classes, const std::filesystem::path& file) {
  if (width != static_cast<std::int64_t>(classes.classes.size()))
    throw Error(fmt::format("{} has {} columns, but the label set has {} classes", file.string(), width,
                            classes.classes.size()));
}

// Rows of the label set, in its order, without those that have no label or are of another split.
std::vector<LabelRow> labelled_rows(const std::filesystem::path& labels, const std::string& split) {
  LabelReadOptions read;
  if (!split.empty()) read.split = split;
  auto rows = read_label_set(labels, read).rows;
  std::erase_if(rows, [](const LabelRow& row) { return row.label == kUnlabelled; });
  return rows;
}

ScoreRow score(const LabelRow& sample, std::span<const double> p, std::size_t rivals) {
  constexpr double kLeast = 1e-12;
  ScoreRow row;
  row.sample_id = sample.sample_id;
  row.path = sample.path;
  row.label = sample.label;
  row.true_label = sample.true_label;
  const double given = p[static_cast<std::size_t>(sample.label)];
  std::vector<std::int32_t> others;
  for (std::size_t label = 0; label < p.size(); ++label)
    if (static_cast<std::int32_t>(label) != sample.label) others.push_back(static_cast<std::int32_t>(label));
  const auto kept = std::min(rivals, others.size());
  std::ranges::partial_sort(
      others, others.begin() + static_cast<std::ptrdiff_t>(kept), [&](std::int32_t a, std::int32_t b) {
        const double pa = p[static_cast<std::size_t>(a)], pb = p[static_cast<std::size_t>(b)];
        return pa != pb ? pa > pb : a < b;
      });
  for (std::size_t i = 0; i < kept; ++i)
    row.rivals.push_back({others[i], static_cast<float>(p[static_cast<std::size_t>(others[i])])});
  row.p_given = static_cast<float>(given);
  row.confidence = row.p_given;
  row.proxy_loss = static_cast<float>(-std::log(std::max(given, kLeast)));
  if (kept > 0) {
    row.suggested = others.front();
    row.margin = static_cast<float>(std::log(std::max<double>(row.rivals.front().probability, kLeast)) -
                                    std::log(std::max(given, kLeast)));
  }
  row.suspicion = row.margin;
  return row;
}

// What the noise model makes of the probabilities: the same treatment as for our own judges.
class ForeignJudge {
 public:
  ForeignJudge(std::int64_t classes, std::int64_t samples)
      : scores_(samples, classes, ScoringOptions{}.discriminant.candidates),
        listed_(static_cast<std::size_t>(classes)),
        order_(listed_.size()),
        logarithms_(order_.size()),
        mass_(order_.size(), std::vector<double>(order_.size() <= kMostLikeness ? order_.size() : 0, 0)) {
    // The probabilities are a softmax of their own logarithms.
    options_.noise.first_scale = 1;
    std::iota(listed_.begin(), listed_.end(), 0);
  }

  void add(std::span<const double> p, std::int64_t given) {
    const auto sample = static_cast<std::int64_t>(given_.size());
    for (std::size_t c = 0; c < p.size(); ++c) {
      logarithms_[c] = static_cast<float>(std::log(std::max(p[c], kLeastProbability)));
      if (logarithms_[c] == kUnsupported) logarithms_[c] = std::nextafter(kUnsupported, 0.0F);
      if (!mass_.front().empty()) mass_[static_cast<std::size_t>(given)][c] += p[c];
    }
    scores_.keep(sample, listed_, logarithms_, given, {}, order_);
    given_.push_back(given);
  }

  // Fills probability, suspicion and the order of the rivals; returns the estimates.
  ScoreEstimates judge(std::span<ScoreRow> rows) {
    scores_.shorten(static_cast<std::int64_t>(given_.size()));  // some labels have no probabilities
    const auto classes = scores_.classes;
    const auto distances = distances_with_confusions();
    const auto fit = fit_noise(scores_, given_, distances, options_.noise);
    PairBeliefs pairs(classes, options_.estimates.least_belief);
    double disagree = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto sample = static_cast<std::int64_t>(i);
      const auto beliefs = fit.beliefs(scores_, sample, given_[i], distances);
      const auto candidates = scores_.candidates_of(sample);
      std::unordered_map<std::int32_t, double> belief_in;
      for (std::size_t k = 0; k < candidates.size(); ++k) {
        if (candidates[k] == given_[i]) continue;
        pairs.add(given_[i], candidates[k], beliefs.kept[k]);
        belief_in[candidates[k]] = beliefs.kept[k];
      }
      std::stable_sort(
          rows[i].rivals.begin(), rows[i].rivals.end(),
          [&](const RivalClass& a, const RivalClass& b) { return belief_in[a.label] > belief_in[b.label]; });
      set_first_rival(rows[i]);
      const double right = std::clamp(beliefs.given, kLeastProbability, 1 - kLeastProbability);
      rows[i].suspicion = static_cast<float>(std::log((1 - right) / right));
      rows[i].p_mislabelled = static_cast<float>(1 - right);
      disagree += scores_.given[i] < scores_.scores_of(sample)[0];
    }
    scale_temperature(rows, options_.temperature);
    std::vector<std::int32_t> labels(static_cast<std::size_t>(classes));
    std::iota(labels.begin(), labels.end(), 0);
    auto estimates = noise_estimates(labels, given_, rows, pairs, options_.estimates);
    const auto samples = static_cast<double>(rows.size());
    estimates.noise_rate =
        with_readings(estimates.noise_rate, disagree / samples, samples, options_.readings);
    return estimates;
  }

 private:
  static constexpr double kLeastProbability = 1e-7;
  static constexpr std::size_t kMostLikeness = 2000;  // classes up to which a table of pairs is small

  static void set_first_rival(ScoreRow& row) {
    if (row.rivals.empty()) return;
    row.suggested = row.rivals.front().label;
    row.margin =
        static_cast<float>(std::log(std::max<double>(row.rivals.front().probability, kLeastProbability)) -
                           std::log(std::max<double>(row.p_given, kLeastProbability)));
  }

  // Classes are alike where the model gives one's samples to the other; and the errors that most go to.
  ClassDistances distances_with_confusions() const {
    const auto classes = static_cast<std::size_t>(scores_.classes);
    ClassDistances distances(scores_.classes);
    if (!mass_.front().empty()) {
      std::vector<std::vector<std::int32_t>> alike(classes);
      for (std::size_t c = 0; c < classes; ++c) {
        for (std::size_t other = 0; other < classes; ++other)
          if (other != c) alike[c].push_back(static_cast<std::int32_t>(other));
        std::stable_sort(alike[c].begin(), alike[c].end(), [&](std::int32_t one, std::int32_t two) {
          return mass_[c][static_cast<std::size_t>(one)] > mass_[c][static_cast<std::size_t>(two)];
        });
      }
      distances = ClassDistances(alike, options_.likeness);
    }
    std::unordered_map<std::uint64_t, double> pairs;
    std::vector<double> all(classes, 0);
    for (std::size_t i = 0; i < given_.size(); ++i) {
      const auto best = static_cast<std::size_t>(scores_.candidates_of(static_cast<std::int64_t>(i))[0]);
      if (static_cast<std::int64_t>(best) == given_[i]) continue;
      ++pairs[procsim::pair_key(scores_.classes, static_cast<std::int64_t>(best), given_[i])];
      ++all[best];
    }
    const auto& rule = options_.dominant_confusions;
    return distances.with_dominant_confusions(
        find_dominant_confusions(pairs, all, {rule.counted_errors, rule.counted_part}));
  }

  ScoringOptions options_;
  ClassScores scores_;
  std::vector<std::int64_t> given_;
  std::vector<std::int32_t> listed_;  // every class
  std::vector<std::int32_t> order_;
  std::vector<float> logarithms_;
  std::vector<std::vector<double>> mass_;  // given class × class: probability, summed; empty for many classes
};

}  // namespace

Probabilities::Probabilities(const std::filesystem::path& file, const LabelSetInfo& classes)
    : source_(std::make_unique<Source>()) {
  auto& source = *source_;
  source.file = file;
  if (lower_extension(file) == ".npy") {
    source.matrix.emplace(file);
    source.rows = source.matrix->rows();
    check_width(source.matrix->columns(), classes, file);
    return;
  }
  source.table.emplace(file);
  source.rows = source.table->rows();
  if (const auto* ids = source.table->find({"sample_id", "id"}))
    for (std::int64_t row = 0; row < source.rows; ++row)
      source.ids.push_back(source.table->integer(*ids, row));
  source.lists = list_column(source.table->table());
  if (source.lists)
    check_width(source.lists->width, classes, file);
  else
    source.columns = class_columns(*source.table, classes, file);
}

Probabilities::~Probabilities() = default;
Probabilities::Probabilities(Probabilities&&) noexcept = default;

std::int64_t Probabilities::rows() const { return source_->rows; }
const std::vector<std::int64_t>& Probabilities::sample_ids() const { return source_->ids; }

std::span<const double> Probabilities::next() {
  auto& source = *source_;
  if (source.at == source.rows) return {};
  if (source.matrix) {
    source.matrix->next(source.row);
  } else if (source.lists) {
    const auto begin = source.lists->values.begin() + source.at * source.lists->width;
    source.row.assign(begin, begin + source.lists->width);
  } else {
    source.row.clear();
    for (const auto* column : source.columns) source.row.push_back(source.table->number(*column, source.at));
  }
  ++source.at;
  for (const double p : source.row)
    if (!(p >= -1e-6 && p <= 1 + 1e-6))
      throw Error(fmt::format("{}, row {}: {} is not a probability", source.file.string(), source.at, p));
  for (double& p : source.row) p = std::clamp(p, 0.0, 1.0);
  const double sum = std::accumulate(source.row.begin(), source.row.end(), 0.0);
  if (std::abs(sum - 1) > kSumTolerance)
    throw Error(
        fmt::format("{}, row {}: its probabilities add up to {:.4g}, not to 1. Give those of all classes, "
                    "divided by their sum.",
                    source.file.string(), source.at, sum));
  return source.row;
}

ForeignScoresResult make_foreign_scores(const std::filesystem::path& probabilities,
                                        const std::filesystem::path& labels, const std::filesystem::path& out,
                                        IfExists if_exists, const ForeignScoresOptions& options,
                                        const Progress& progress) {
  FileChanges files;
  auto result = make_foreign_scores(probabilities, labels, out, if_exists, options, files, progress);
  files.replace();
  files.keep();
  return result;
}

ForeignScoresResult make_foreign_scores(const std::filesystem::path& probabilities,
                                        const std::filesystem::path& labels, const std::filesystem::path& out,
                                        IfExists if_exists, const ForeignScoresOptions& options,
                                        FileChanges& files, const Progress& progress) {
  const auto info = LabelSetReader(labels).info();
  const auto samples = labelled_rows(labels, options.split);
  Probabilities source(probabilities, info);
  std::unordered_map<std::int64_t, std::size_t> by_id;
  if (source.sample_ids().empty()) {
    if (source.rows() != static_cast<std::int64_t>(samples.size()))
      throw Error(fmt::format(
          "{} has {} rows, but {} has {} labelled samples{}. The rows must be the same, in the same order; "
          "choose a split with --split, or give a sample_id column.",
          probabilities.string(), source.rows(), labels.string(), samples.size(),
          options.split.empty() ? "" : fmt::format(" in split {}", options.split)));
  } else {
    for (std::size_t i = 0; i < samples.size(); ++i) by_id.emplace(samples[i].sample_id, i);
  }
  std::vector<ScoreRow> rows;
  rows.reserve(samples.size());
  std::optional<ForeignJudge> judge;
  if (info.classes.size() > 1)
    judge.emplace(static_cast<std::int64_t>(info.classes.size()), static_cast<std::int64_t>(samples.size()));
  for (std::int64_t number = 0; number < source.rows(); ++number) {
    const auto p = source.next();
    auto index = static_cast<std::size_t>(number);
    if (!source.sample_ids().empty()) {
      const auto found = by_id.find(source.sample_ids()[index]);
      if (found == by_id.end()) continue;
      index = found->second;
    }
    rows.push_back(score(samples[index], p, options.rivals));
    if (judge) judge->add(p, samples[index].label);
    if (progress && number % 4096 == 0)
      progress(static_cast<std::uint64_t>(number), static_cast<std::uint64_t>(source.rows()));
  }
  if (rows.empty())
    throw Error(
        fmt::format("{} has none of the labelled samples of {}", probabilities.string(), labels.string()));

  ScoresInfo scores;
  if (judge) scores.estimates = judge->judge(rows);
  const auto rate = scores.estimates ? scores.estimates->noise_rate : WrongRate{};
  ScoresWriter writer(out, if_exists);
  writer.append(rows);
  scores.dataset = info.dataset;
  scores.classes = info.classes;
  scores.provenance.program = "curate";
  scores.provenance.method = {{"name", "import-scores"},
                              {"version", version()},
                              {"probabilities_digest", parts_digest(probabilities)},
                              {"noise_rate", rate.rate}};
  scores.provenance.label_set = parts_digest(labels);
  auto digest = writer.finish(scores, files);
  return {static_cast<std::int64_t>(rows.size()), rate, std::move(digest)};
}

}  // namespace procsim::curate

#include "curate/evidence/foreign_scores.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <unordered_map>

#include <fmt/format.h>

#include "curate/evidence/table_reading.hpp"
#include "data/base/digest.hpp"
#include "data/base/error.hpp"
#include "data/base/version.hpp"
#include "data/files/file_changes.hpp"
#include "data/files/file_name.hpp"
#include "data/files/npy.hpp"

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

double wrong_given(double p_given, double rate, double classes) {
  const double wrong = rate / (classes - 1) * (1 - p_given), right = (1 - rate) * p_given;
  return wrong + right > 0 ? wrong / (wrong + right) : rate;
}

// EM for the noise rate; each step cannot lower the likelihood, and there is one parameter only.
double fit_rate(std::span<const ScoreRow> rows, double classes) {
  double rate = 0.1;
  for (int step = 0; step < 500 && !rows.empty() && classes > 1; ++step) {
    double sum = 0;
    for (const auto& row : rows) sum += wrong_given(row.p_given, rate, classes);
    const double next = sum / static_cast<double>(rows.size());
    const bool settled = std::abs(next - rate) < 1e-9;
    rate = next;
    if (settled) break;
  }
  return rate;
}

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
  for (std::int64_t number = 0; number < source.rows(); ++number) {
    const auto p = source.next();
    auto index = static_cast<std::size_t>(number);
    if (!source.sample_ids().empty()) {
      const auto found = by_id.find(source.sample_ids()[index]);
      if (found == by_id.end()) continue;
      index = found->second;
    }
    rows.push_back(score(samples[index], p, options.rivals));
    if (progress && number % 4096 == 0)
      progress(static_cast<std::uint64_t>(number), static_cast<std::uint64_t>(source.rows()));
  }
  if (rows.empty())
    throw Error(
        fmt::format("{} has none of the labelled samples of {}", probabilities.string(), labels.string()));

  const auto classes = static_cast<double>(info.classes.size());
  const double rate = fit_rate(rows, classes);
  for (auto& row : rows)
    row.p_mislabelled = classes > 1 ? static_cast<float>(wrong_given(row.p_given, rate, classes)) : 0;
  ScoresWriter writer(out, if_exists);
  writer.append(rows);
  ScoresInfo scores;
  scores.dataset = info.dataset;
  scores.classes = info.classes;
  scores.provenance.program = "curate";
  scores.provenance.method = {{"name", "import-scores"},
                              {"version", version()},
                              {"probabilities_digest", sha256_file(probabilities)},
                              {"noise_rate", rate}};
  scores.provenance.label_set = label_set_digest(labels);
  auto digest = writer.finish(scores, files);
  return {static_cast<std::int64_t>(rows.size()), rate, std::move(digest)};
}

}  // namespace procsim::curate

#include "curate/review/review_session.hpp"

#include <algorithm>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "data/base/digest.hpp"
#include "data/base/utc_time.hpp"

namespace procsim::curate {

namespace {

constexpr std::size_t kMostReviewers = 1000, kKeysKept = 100000;

// Nothing random is needed where nobody may guess: a number that differs from reviewer to reviewer.
std::uint64_t number_of(std::string_view reviewer) {
  return std::stoull(sha256_hex(reviewer).substr(0, 12), nullptr, 16);
}

}  // namespace

void ReviewOptions::validate() const {
  const auto is_rate = [](double rate) { return rate >= 0 && rate < 1; };
  if (!is_rate(audit_rate)) throw UsageError("--audit must be at least 0 and below 1");
  if (!is_rate(planted_rate)) throw UsageError("--planted must be at least 0 and below 1");
  if (audit_rate + planted_rate >= 1)
    throw UsageError("--audit and --planted together must leave room for suspects");
  if (reviews == 0) throw UsageError("--reviews must be at least 1");
}

ReviewSession::ReviewSession(const ScoreTable& table, const ClassFamilies& families,
                             std::optional<Workspace> workspace, ReportSource source, ReviewOptions options,
                             std::string secret, Clock clock)
    : table_(table),
      families_(families),
      workspace_(std::move(workspace)),
      source_(std::move(source)),
      options_(options),
      secret_(std::move(secret)),
      clock_(std::move(clock)),
      design_(table, options.seed),
      suspects_(table.ranking()),
      queue_(table),
      has_opinion_(table.size(), false) {
  if (workspace_)
    for (const auto& record : decisions_on(*workspace_, source_.label_set, source_.made_from)) take(record);
  refit();
}

void ReviewSession::take(const DecisionRecord& record) {
  log_.add(record);
  auto& reviewer = reviewers_[record.reviewer];
  reviewer.last = record;
  if (record.verdict == "undo") {
    const auto last = std::find(reviewer.history.rbegin(), reviewer.history.rend(),
                                std::pair(record.sample, record.source));
    if (last != reviewer.history.rend()) reviewer.history.erase(std::next(last).base());
  } else {
    reviewer.history.emplace_back(record.sample, record.source);
    ++reviewer.cards;
  }
  if (record.source != kFromPlanted) count_votes(record.sample);
}

void ReviewSession::count_votes(std::int64_t sample) {
  const auto row = table_.find(sample);
  if (!row) return;
  const auto opinions = log_.standing().find(sample);
  std::size_t votes = 0;
  if (opinions != log_.standing().end())
    for (const auto& [reviewer, opinion] : opinions->second)
      votes += opinion.verdict != Verdict::kSkip ? 1 : 0;
  if (has_opinion_[*row] != (votes > 0)) {
    has_opinion_[*row] = votes > 0;
    decided_ += votes > 0 ? 1 : 0;
    decided_ -= votes > 0 ? 0 : 1;
  }
  if (votes >= options_.reviews)
    queue_.finish(*row);
  else
    queue_.reopen(*row);
}

void ReviewSession::refit() {
  taken_since_fit_ = 0;
  findings_ = find_out(table_, log_, design_, findings_.calibration);
  queue_.adapt(findings_.calibration);
}

Summary ReviewSession::summary() {
  const std::lock_guard lock(mutex_);
  if (taken_since_fit_ > 0) refit();
  return summarize(table_, suspects_, families_, findings_);
}

void ReviewSession::check_name(const std::string& reviewer) const {
  if (!is_reviewer_name(reviewer))
    throw ReviewError(400, fmt::format("a reviewer's name has 1 to {} letters", kLongestReviewer));
  if (!reviewers_.contains(reviewer) && reviewers_.size() >= kMostReviewers)
    throw ReviewError(429, fmt::format("more than {} reviewers", kMostReviewers));
}

bool ReviewSession::leased_by_others(std::int64_t sample, const std::string& reviewer) const {
  const auto lease = leases_.find(sample);
  return lease != leases_.end() && lease->second.reviewer != reviewer && lease->second.until > clock_();
}

bool ReviewSession::open_for(std::uint32_t row, const std::string& reviewer, bool mind_leases) const {
  const auto sample = table_.sample_ids()[row];
  if (log_.find(sample, reviewer)) return false;
  return !mind_leases || options_.reviews > 1 || !leased_by_others(sample, reviewer);
}

// Cards that somebody has open are drawn, too. A label that was judged already is known: no card is spent on
// it.
std::optional<std::uint32_t> ReviewSession::audit_row() const {
  std::vector<std::size_t> drawn(design_.strata(), 0);
  std::set<std::int64_t> open;
  for (const auto& [name, person] : reviewers_)
    if (person.open) open.insert(person.open->sample);
  for (const auto& [sample, opinions] : log_.audits())
    if (const auto row = table_.find(sample)) ++drawn[design_.stratum(*row)];
  return design_.next(drawn, [&](std::uint32_t row) {
    const auto sample = table_.sample_ids()[row];
    return !log_.standing().contains(sample) && !open.contains(sample);
  });
}

// A sample that is almost surely right, and has a class to be mistaken for.
std::optional<std::uint32_t> ReviewSession::planted_row(const std::string& reviewer, Draws& draws) const {
  for (std::size_t attempt = 0; attempt < 1000 && table_.size() > 0; ++attempt) {
    const auto row = static_cast<std::uint32_t>(draws.below(table_.size()));
    const auto sample = table_.sample_ids()[row];
    if (table_.p_mislabelled()[row] > 0.05F || table_.suggested()[row] < 0 || table_.labels()[row] < 0)
      continue;
    if (table_.suggested()[row] == table_.labels()[row]) continue;
    const auto seen = log_.planted().find(sample);
    if (seen != log_.planted().end() && seen->second.contains(reviewer)) continue;
    if (log_.standing().contains(sample)) continue;  // somebody knows it
    return row;
  }
  return std::nullopt;
}

Card ReviewSession::card(std::uint32_t row, const std::string& source) const {
  auto result = make_card(table_, families_, row);
  if (source == kFromPlanted) {
    std::swap(result.given, result.suggested);
    std::swap(result.near_given, result.near_suggested);
    result.duplicates.clear();
  }
  result.scores->p = queue_.probability(row);
  if (!options_.blind() && source != kFromAudit) return result;
  result.scores.reset();
  result.path.reset();  // folders are often named after classes: the path would tell, too
  result.why.clear();
  result.p_none.reset();
  for (auto& rival : result.rivals) {  // choices remain, what the model thinks of them does not
    rival.probability.reset();
    if (source == kFromPlanted && rival.label == result.given) rival.label = result.suggested;
  }
  return result;
}

// Says nothing to whoever holds it, and the server need not remember it.
std::string ReviewSession::ticket(const std::string& reviewer, std::int64_t sample,
                                  std::string_view source) const {
  return sha256_hex(fmt::format("{}\n{}\n{}\n{}\n{}", secret_, source_.label_set, sample, source, reviewer))
      .substr(0, 32);
}

// Whether a card is held is told by its lease: only cards of the queue have one.
void ReviewSession::give_back(const std::string& reviewer) {
  const auto person = reviewers_.find(reviewer);
  if (person == reviewers_.end() || !person->second.open) return;
  const auto lease = leases_.find(person->second.open->sample);
  if (lease == leases_.end() || lease->second.reviewer != reviewer) return;
  leases_.erase(lease);
  person->second.open.reset();
}

void ReviewSession::release(const std::string& reviewer) {
  const std::lock_guard lock(mutex_);
  give_back(reviewer);
}

Card ReviewSession::hand_out(const std::string& reviewer, std::uint32_t row, const std::string& source,
                             std::optional<std::uint64_t> pair, bool audit) {
  give_back(reviewer);
  const auto sample = table_.sample_ids()[row];
  if (source == kFromQueue) leases_[sample] = {reviewer, clock_() + options_.lease};
  auto shown = card(row, source);
  shown.ticket = ticket(reviewer, sample, source);
  reviewers_[reviewer].open = OpenCard{pair, audit, sample, shown};
  return shown;
}

NextCard ReviewSession::next(const std::string& reviewer, std::optional<std::uint64_t> pair) {
  const std::lock_guard lock(mutex_);
  check_name(reviewer);
  auto& person = reviewers_[reviewer];
  const auto left = [&] { return pair ? queue_.left(*pair) : queue_.left(); };
  const auto handed = [&](std::uint32_t row, std::string_view source) {
    auto shown = hand_out(reviewer, row, std::string(source), pair);
    return NextCard{left(), std::move(shown)};
  };
  if (person.open && person.open->pair == pair && !person.open->audit) return {left(), person.open->card};

  if (!pair && !options_.read_only) {
    auto draws = KeyedRandom(options_.seed, "curate cards")
                     .for_id(static_cast<std::int64_t>(number_of(reviewer) + person.cards));
    const double draw = draws.uniform();
    if (draw < options_.planted_rate) {
      if (const auto row = planted_row(reviewer, draws)) return handed(*row, kFromPlanted);
    } else if (draw < options_.planted_rate + options_.audit_rate) {
      if (const auto row = audit_row()) return handed(*row, kFromAudit);
    }
  }
  for (const bool mind_leases : {true, false}) {
    const auto row =
        queue_.first([&](std::uint32_t each) { return open_for(each, reviewer, mind_leases); }, pair);
    if (row) return handed(*row, kFromQueue);
  }
  return {left(), std::nullopt};
}

NextCard ReviewSession::next_audit(const std::string& reviewer) {
  const std::lock_guard lock(mutex_);
  check_name(reviewer);
  auto& person = reviewers_[reviewer];
  const auto left = table_.size() - log_.standing().size();
  if (person.open && person.open->audit) return {left, person.open->card};
  const auto row = audit_row();
  if (!row) return {};
  return {left, hand_out(reviewer, *row, std::string(kFromAudit), {}, true)};
}

std::string ReviewSession::source_of(const ReviewerWord& word) {
  if (word.verdict == Verdict::kUndo) {
    const auto& history = reviewers_[word.reviewer].history;
    const auto last = std::find_if(history.rbegin(), history.rend(),
                                   [&](const auto& each) { return each.first == word.sample; });
    if (last == history.rend())
      throw ReviewError(409, fmt::format("nothing to undo on sample {}", word.sample));
    return last->second;
  }
  if (!word.ticket) return std::string(kFromQueue);
  for (const auto source : {kFromQueue, kFromAudit, kFromPlanted})
    if (*word.ticket == ticket(word.reviewer, word.sample, source)) return std::string(source);
  // What was shown on a card may not be what the label says: an unknown card is never guessed at.
  throw ReviewError(409, "this card was not handed out here; ask for the next one");
}

// All but the source.
DecisionRecord ReviewSession::checked(const ReviewerWord& word) const {
  DecisionRecord record;
  record.label_set = source_.label_set;
  record.reviewer = word.reviewer;
  record.sample = word.sample;
  record.verdict = to_string(word.verdict);
  if (!table_.find(word.sample))
    throw ReviewError(404, fmt::format("no sample {} in these scores", word.sample));
  if (word.verdict == Verdict::kRelabel) {
    const auto classes = static_cast<std::int64_t>(table_.info().classes.size());
    if (!word.label || *word.label < 0 || *word.label >= classes)
      throw ReviewError(400, fmt::format("'label' must be a class, 0 to {}", classes - 1));
    record.new_label = word.label;
  }
  if (word.verdict == Verdict::kParent) {
    if (!families_.find(word.node)) throw ReviewError(400, "'node' is not a node of the taxonomy");
    record.new_node = word.node;
  }
  return record;
}

bool ReviewSession::said_already(const ReviewerWord& word, const DecisionRecord& record) const {
  const auto person = reviewers_.find(record.reviewer);
  if (!word.after || person == reviewers_.end()) return false;
  const auto& last = person->second.last;
  return last.id > *word.after &&
         std::tie(last.sample, last.verdict, last.new_label, last.new_node) ==
             std::tie(record.sample, record.verdict, record.new_label, record.new_node);
}

RecordedWord ReviewSession::decide(const ReviewerWord& word) {
  const std::lock_guard lock(mutex_);
  if (options_.read_only || !workspace_) throw ReviewError(403, "this server is read-only");
  check_name(word.reviewer);
  const auto key = word.key ? fmt::format("{}\n{}", word.reviewer, *word.key) : std::string();
  if (key.size() > 200) throw ReviewError(400, "'key' is too long");
  if (const auto seen = keys_.find(key); !key.empty() && seen != keys_.end())
    return {seen->second, progress()};

  auto record = checked(word);
  if (said_already(word, record)) return {reviewers_.at(word.reviewer).last.id, progress()};
  record.source = source_of(word);
  record.time = utc_text(clock_());
  record = workspace_->append_decision(std::move(record));  // on disk before anybody is told
  take(record);

  auto& person = reviewers_[word.reviewer];
  if (person.open && person.open->sample == record.sample) person.open.reset();
  leases_.erase(record.sample);
  if (!key.empty()) {
    keys_.emplace(key, record.id);
    key_order_.push_back(key);
    if (key_order_.size() > kKeysKept) {
      keys_.erase(key_order_.front());
      key_order_.pop_front();
    }
  }
  if (++taken_since_fit_ >= std::max<std::size_t>(10, log_.standing().size() / 10)) refit();
  return {record.id, progress()};
}

ReviewProgress ReviewSession::progress() const {
  ReviewProgress result;
  result.decided = decided_;
  result.left = queue_.left();
  result.samples = table_.size();
  for (const auto& [name, person] : reviewers_) result.reviewers += person.history.empty() ? 0 : 1;
  result.audited = log_.audits().size();
  if (const auto& audit = findings_.audit) result.noise = noise_of_audit(*audit, table_.size());
  return result;
}

ReviewerState ReviewSession::state(const std::string& reviewer) {
  const std::lock_guard lock(mutex_);
  check_name(reviewer);
  if (taken_since_fit_ > 0) refit();  // what it says of the noise is what a report would say
  ReviewerState result;
  result.progress = progress();
  const auto person = reviewers_.find(reviewer);
  if (person == reviewers_.end()) return result;
  result.last = person->second.last.id;
  for (const auto& [sample, source] : person->second.history) {
    result.history.push_back(sample);
    if (const auto* opinion = log_.find(sample, reviewer)) result.decisions.emplace_back(sample, *opinion);
  }
  return result;
}

}  // namespace procsim::curate

#include "curate/decisions/decisions.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "data/base/error.hpp"
#include "data/base/letters.hpp"
#include "data/base/suggest.hpp"
#include "data/base/utf8.hpp"
#include "data/labels/label_provenance.hpp"
#include "data/labels/label_set.hpp"

namespace procsim::curate {

namespace {

constexpr std::array<std::pair<Verdict, std::string_view>, 7> kVerdicts{{{Verdict::kKeep, "keep"},
                                                                         {Verdict::kRelabel, "relabel"},
                                                                         {Verdict::kParent, "parent"},
                                                                         {Verdict::kNone, "none"},
                                                                         {Verdict::kAmbiguous, "ambiguous"},
                                                                         {Verdict::kSkip, "skip"},
                                                                         {Verdict::kUndo, "undo"}}};

}  // namespace

std::string_view to_string(Verdict verdict) { return kVerdicts[static_cast<std::size_t>(verdict)].second; }

Verdict verdict_from_string(std::string_view text) {
  std::vector<std::string> words;
  for (const auto& [verdict, word] : kVerdicts) {
    if (word == text) return verdict;
    words.emplace_back(word);
  }
  throw Error(fmt::format("'{}' is not a verdict{}", text, did_you_mean(text, words)));
}

void DecisionLog::add(const DecisionRecord& record) {
  ++rows_;
  const auto verdict = verdict_from_string(record.verdict);
  if (record.source == kFromPlanted)
    apply(record, verdict, planted_history_, planted_);
  else
    apply(record, verdict, history_, standing_);
  if (record.source == kFromAudit) apply(record, verdict, audit_history_, audits_);
}

void DecisionLog::apply(const DecisionRecord& record, Verdict verdict, History& histories, BySample& table) {
  auto& history = histories[{record.sample, record.reviewer}];
  if (verdict == Verdict::kUndo) {
    if (!history.empty()) history.pop_back();
  } else {
    Opinion opinion{verdict, std::nullopt, record.new_node, record.source};
    if (record.new_label) opinion.label = static_cast<std::int32_t>(*record.new_label);
    history.push_back(std::move(opinion));
  }
  if (!history.empty()) {
    table[record.sample][record.reviewer] = history.back();
    return;
  }
  const auto sample = table.find(record.sample);
  if (sample == table.end()) return;
  sample->second.erase(record.reviewer);
  if (sample->second.empty()) table.erase(sample);
}

const Opinion* DecisionLog::find(std::int64_t sample, const std::string& reviewer) const {
  const auto opinions = standing_.find(sample);
  if (opinions == standing_.end()) return nullptr;
  const auto opinion = opinions->second.find(reviewer);
  return opinion == opinions->second.end() ? nullptr : &opinion->second;
}

DecisionLog fold_decisions(std::span<const DecisionRecord> records) {
  DecisionLog log;
  for (const auto& record : records) log.add(record);
  return log;
}

std::vector<std::string> applied_from(const nlohmann::ordered_json& provenance) {
  std::vector<std::string> digests;
  for (const auto& step : label_history(provenance)) {
    if (step.operation != kApplyOperation || step.parent_digest.empty()) break;
    digests.push_back(step.parent_digest);
  }
  return digests;
}

std::vector<DecisionRecord> decisions_on(const Workspace& workspace, std::string_view label_set,
                                         std::span<const std::string> made_from) {
  std::vector<DecisionRecord> records;
  for (const auto& before : made_from)
    for (auto& record : workspace.decisions(before)) {
      if (record.source == kFromPlanted) continue;
      if (record.source == kFromAudit) record.source = kFromQueue;
      const auto verdict = verdict_from_string(record.verdict);
      if (verdict == Verdict::kParent || verdict == Verdict::kNone || verdict == Verdict::kAmbiguous)
        record.verdict = to_string(Verdict::kKeep);
      records.push_back(std::move(record));
    }
  for (auto& record : workspace.decisions(label_set)) records.push_back(std::move(record));
  std::ranges::sort(records, {}, &DecisionRecord::id);
  return records;
}

std::string category(const Opinion& opinion, std::int32_t given) {
  switch (opinion.verdict) {
    case Verdict::kKeep:
      return fmt::format("label {}", given);
    case Verdict::kRelabel:
      return fmt::format("label {}", opinion.label.value_or(kUnlabelled));
    case Verdict::kParent:
      return "node " + opinion.node;
    case Verdict::kNone:
    case Verdict::kAmbiguous:
      return std::string(to_string(opinion.verdict));
    case Verdict::kSkip:
    case Verdict::kUndo:
      break;
  }
  return {};
}

Outcome settle(const std::map<std::string, Opinion>& opinions, std::int32_t given,
               std::size_t min_agreement) {
  Outcome outcome;
  std::map<std::string, std::pair<std::size_t, const Opinion*>> votes;
  for (const auto& [reviewer, opinion] : opinions) {
    const auto vote = category(opinion, given);
    if (vote.empty()) continue;
    ++outcome.reviewers;
    auto& [count, example] = votes[vote];
    ++count;
    if (!example || opinion.verdict == Verdict::kKeep) example = &opinion;
  }
  bool tied = false;
  for (const auto& [vote, counted] : votes) {
    if (counted.first == outcome.votes) tied = true;
    if (counted.first <= outcome.votes) continue;
    tied = false;
    outcome.votes = counted.first;
    outcome.opinion = *counted.second;
  }
  if (outcome.opinion.verdict == Verdict::kRelabel && outcome.opinion.label == given) {
    outcome.opinion.verdict = Verdict::kKeep;
    outcome.opinion.label.reset();
  }
  outcome.settled = outcome.votes > 0 && !tied && outcome.votes >= min_agreement;
  return outcome;
}

bool is_reviewer_name(std::string_view name) {
  return !name.empty() && name.size() <= kLongestReviewer && is_utf8(name) && printable(name) == name;
}

bool is_time(std::string_view text) {
  constexpr std::string_view kDate = "dddd-dd-dd", kTime = "dd:dd:dd";
  const auto fits = [](std::string_view part, std::string_view pattern) {
    return part.size() >= pattern.size() &&
           std::equal(pattern.begin(), pattern.end(), part.begin(), [](char wanted, char found) {
             return wanted == 'd' ? found >= '0' && found <= '9' : wanted == found;
           });
  };
  if (!fits(text, kDate)) return false;
  text.remove_prefix(kDate.size());
  if (text.empty()) return true;
  if ((text.front() != 'T' && text.front() != ' ') || !fits(text.substr(1), kTime)) return false;
  text.remove_prefix(1 + kTime.size());
  if (text.starts_with('.')) {
    const auto end = text.find_first_not_of("0123456789", 1);
    if (end == 1 || std::min(end, text.size()) > 10) return false;
    text.remove_prefix(std::min(end, text.size()));
  }
  if (text.empty() || text == "Z") return true;
  const bool has_sign = text.front() == '+' || text.front() == '-';
  return has_sign && ((text.size() == 6 && fits(text.substr(1), "dd:dd")) ||
                      (text.size() == 5 && fits(text.substr(1), "dddd")));
}

std::optional<std::int64_t> first_broken_link(std::span<const DecisionRecord> records) {
  std::string previous;
  for (const auto& record : records) {
    if (record.previous != previous || decision_hash(record) != record.hash) return record.id;
    previous = record.hash;
  }
  return std::nullopt;
}

bool ends_at_head(std::span<const DecisionRecord> records, const DecisionsHead& head) {
  return static_cast<std::int64_t>(records.size()) == head.rows &&
         (records.empty() ? std::string() : records.back().hash) == head.hash;
}

std::string log_fault(std::span<const DecisionRecord> records, const DecisionsHead& head) {
  if (const auto broken = first_broken_link(records))
    return fmt::format(
        "decision {} was changed, or one before it was removed: its hash does not follow from the row "
        "before. "
        "Restore the workspace's database from a copy.",
        *broken);
  if (!ends_at_head(records, head))
    return fmt::format(
        "the log has {} decisions, but {} were made: the last ones were removed. Restore the workspace's "
        "database from a copy.",
        records.size(), head.rows);
  return {};
}

}  // namespace procsim::curate

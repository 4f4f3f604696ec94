#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "curate/decisions/decisions.hpp"
#include "curate/report/report.hpp"
#include "curate/review/review_error.hpp"
#include "curate/review/review_queue.hpp"
#include "curate/review/review_types.hpp"
#include "data/base/keyed_random.hpp"
#include "data/workspace/workspace.hpp"

namespace procsim::curate {

struct ReviewOptions {
  double audit_rate = 0;    // share of cards drawn at random from every stratum of suspicion
  double planted_rate = 0;  // share of cards with a label made wrong on purpose
  std::size_t reviews = 1;  // how many reviewers see each sample
  std::uint64_t seed = 1;   // of the audits and planted errors
  bool read_only = false;
  std::chrono::seconds lease{600};  // how long a card that was handed out is kept from others

  bool blind() const { return audit_rate > 0 || planted_rate > 0; }
  void validate() const;  // throws UsageError naming the option
};

// Several people reviewing the same labels at once: hands out cards, records decisions in the workspace
// before it answers, and adapts the order to them. Every public function may be called from any thread.
class ReviewSession {
 public:
  using Clock = std::function<std::chrono::system_clock::time_point()>;

  // Takes up where the workspace's decisions on this label set left off. Without a workspace it must be read
  // only. Table and families must outlive it. `secret` signs the cards that are handed out: with the same one
  // a later session knows them again, so that a page that stayed open over a restart loses nothing.
  ReviewSession(const ScoreTable& table, const ClassFamilies& families, std::optional<Workspace> workspace,
                ReportSource source, ReviewOptions options, std::string secret,
                Clock clock = std::chrono::system_clock::now);

  // The next card for this reviewer. Asking again without a decision gives the same card. With audits or
  // planted errors no card shows a probability, or the reviewer could tell them apart.
  NextCard next(const std::string& reviewer, std::optional<std::uint64_t> pair = {});
  // The next random card of the audit; none when all were drawn.
  NextCard next_audit(const std::string& reviewer);

  // The card that this reviewer has open goes back to the queue, for others to see. An audit or a planted
  // error stays with its reviewer, who could else look for a nicer one.
  void release(const std::string& reviewer);

  // One decision. A key that was seen before is answered as before and recorded once; so is what the
  // reviewer's last word says already, when its id is above `after`. Throws ReviewError.
  RecordedWord decide(const ReviewerWord& word);

  // Progress of all, and what this reviewer has decided so far.
  ReviewerState state(const std::string& reviewer);

  // What is known by now of all labels.
  Summary summary();

 private:
  struct OpenCard {
    std::optional<std::uint64_t> pair;  // what was asked for
    bool audit = false;                 // random cards were asked for
    std::int64_t sample = 0;
    Card card;
  };
  struct Lease {
    std::string reviewer;
    std::chrono::system_clock::time_point until;
  };
  struct Reviewer {
    std::optional<OpenCard> open;  // handed out and not yet decided
    DecisionRecord last;           // id 0 when there is none
    std::uint64_t cards = 0;
    std::vector<std::pair<std::int64_t, std::string>> history;  // sample and source, undone ones removed
  };

  void take(const DecisionRecord& record);  // into memory
  void count_votes(std::int64_t sample);
  void refit();
  void check_name(const std::string& reviewer) const;
  DecisionRecord checked(const ReviewerWord& word) const;
  bool said_already(const ReviewerWord& word, const DecisionRecord& record) const;
  std::string source_of(const ReviewerWord& word);
  bool leased_by_others(std::int64_t sample, const std::string& reviewer) const;
  bool open_for(std::uint32_t row, const std::string& reviewer, bool mind_leases) const;
  void give_back(const std::string& reviewer);
  std::string ticket(const std::string& reviewer, std::int64_t sample, std::string_view source) const;
  Card hand_out(const std::string& reviewer, std::uint32_t row, const std::string& source,
                std::optional<std::uint64_t> pair, bool audit = false);
  Card card(std::uint32_t row, const std::string& source) const;
  std::optional<std::uint32_t> audit_row() const;
  std::optional<std::uint32_t> planted_row(const std::string& reviewer, Draws& draws) const;
  ReviewProgress progress() const;

  const ScoreTable& table_;
  const ClassFamilies& families_;
  std::optional<Workspace> workspace_;
  const ReportSource source_;
  const ReviewOptions options_;
  const std::string secret_;
  const Clock clock_;
  const AuditDesign design_;
  const std::vector<std::uint32_t> suspects_;  // rows, most suspect first

  mutable std::mutex mutex_;
  DecisionLog log_;
  ReviewQueue queue_;
  Findings findings_;
  std::size_t taken_since_fit_ = 0;
  std::size_t decided_ = 0;  // samples with an opinion
  std::vector<bool> has_opinion_;
  std::map<std::string, Reviewer> reviewers_;
  std::unordered_map<std::int64_t, Lease> leases_;
  std::unordered_map<std::string, std::int64_t> keys_;  // answered requests
  std::deque<std::string> key_order_;
};

}  // namespace procsim::curate

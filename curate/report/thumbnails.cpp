#include "curate/report/thumbnails.hpp"

#include <algorithm>
#include <mutex>
#include <unordered_map>
#include <unordered_set>

#include "data/base/base64.hpp"
#include "data/base/thread_tasks.hpp"

namespace procsim::curate {

namespace {

struct Wanted {
  std::int64_t id = 0;
  std::uint32_t index = 0;  // in the table
};

struct Size {
  int side, quality;
};
constexpr Size kOwn[] = {{96, 70}, {80, 60}, {64, 50}, {48, 40}};
constexpr Size kNeighbour{56, 60};

// 5 MB for 500 cards: some of it is text. More cards may take more, fewer need not fill it.
constexpr std::size_t kTextPerCard = 1000, kBytesPerCard = 9400;

std::vector<std::string> encode(std::span<const Wanted> wanted, const ScoreTable& table,
                                const ImageStore& images, Size size, MissingImages* missing,
                                const Progress& progress) {
  std::vector<std::string> encoded(wanted.size()), reasons(wanted.size());
  std::mutex reporting;
  std::size_t done = 0;
  const auto threads = std::min<std::size_t>(static_cast<std::size_t>(thread_count()), wanted.size() / 8 + 1);
  run_on_threads(static_cast<std::int64_t>(wanted.size()), static_cast<int>(threads), [&](std::int64_t task) {
    const auto i = static_cast<std::size_t>(task);
    const auto path = table.path(wanted[i].index);
    if (auto jpeg = images.thumbnail(path, size.side, size.quality, &reasons[i]))
      encoded[i] = base64(*jpeg);
    else
      reasons[i] = std::string(path) + ": " + without_path(reasons[i], path);
    if (!progress) return;
    const std::lock_guard lock(reporting);
    progress(++done, wanted.size());
  });
  if (missing)
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      if (!encoded[i].empty()) continue;
      if (missing->count++ == 0) missing->first = reasons[i];
    }
  return encoded;
}

// Neighbours in the order of their use: the first of every card before the second of any.
std::vector<Wanted> neighbours_by_rank(const std::vector<Card>& cards, const ScoreTable& table,
                                       std::unordered_set<std::int64_t> taken) {
  std::vector<Wanted> wanted;
  bool more = true;
  for (std::size_t rank = 0; more; ++rank) {
    more = false;
    for (const auto& card : cards)
      for (const auto* list : {&card.duplicates, &card.near_suggested, &card.near_given, &card.near_rivals}) {
        if (rank >= list->size()) continue;
        more = true;
        const auto id = (*list)[rank].id;
        const auto index = table.find(id);
        if (index && taken.insert(id).second) wanted.push_back({id, *index});
      }
  }
  return wanted;
}

std::size_t total_size(const std::vector<std::string>& parts) {
  std::size_t sum = 0;
  for (const auto& part : parts) sum += part.size();
  return sum;
}

}  // namespace

MissingImages add_thumbnails(Report& report, const ScoreTable& table, const ImageStore& images,
                             const Progress& progress) {
  auto& thumbnails = report.thumbnails.emplace();
  const auto put = [&](const Wanted& wanted, std::string&& bytes) {
    thumbnails.image_of.emplace_back(wanted.id, thumbnails.images.size());
    thumbnails.images.push_back(std::move(bytes));
  };

  std::vector<Wanted> own;
  std::unordered_set<std::int64_t> taken;
  for (const auto& card : report.cards)
    if (taken.insert(card.id).second) own.push_back({card.id, table.find(card.id).value()});
  const std::size_t budget = own.size() * (kBytesPerCard - kTextPerCard);
  MissingImages missing;
  std::vector<std::string> encoded;
  for (const auto size : kOwn) {
    missing = {};
    encoded = encode(own, table, images, size, &missing, progress);
    if (total_size(encoded) <= budget * 7 / 10) break;
  }
  auto left = budget - std::min(budget, total_size(encoded));
  for (std::size_t i = 0; i < own.size(); ++i)
    if (!encoded[i].empty()) put(own[i], std::move(encoded[i]));

  // In pieces, so that no more are made than fit.
  const auto neighbours = neighbours_by_rank(report.cards, table, taken);
  for (std::size_t begin = 0; begin < neighbours.size() && left > 0;) {
    const auto piece =
        std::span(neighbours).subspan(begin, std::min<std::size_t>(256, neighbours.size() - begin));
    encoded = encode(piece, table, images, kNeighbour, nullptr, {});
    for (std::size_t i = 0; i < piece.size(); ++i) {
      if (encoded[i].empty()) continue;
      if (encoded[i].size() > left) {
        left = 0;
        break;
      }
      left -= encoded[i].size();
      put(piece[i], std::move(encoded[i]));
    }
    begin += piece.size();
  }
  return missing;
}

}  // namespace procsim::curate

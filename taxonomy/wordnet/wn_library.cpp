#include "taxonomy/wordnet/wn_library.hpp"

#include <wn.h>

#undef bit

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <optional>

#include <fmt/format.h>

#include "data/base/error.hpp"

namespace procsim::taxonomy {
namespace {

constexpr std::size_t kLongestPath = 200;  // the library formats paths into 256 bytes
constexpr int kMostForms = 16;             // more base forms or spellings than any word has

// The library's own state: which database its global variables stand on.
struct LibraryState {
  std::mutex mutex;
  std::filesystem::path folder;
  bool started = false;
};

LibraryState& library_state() {
  static LibraryState state;
  return state;
}

struct FreeIndex {
  void operator()(IndexPtr index) const { free_index(index); }
};
using IndexHandle = std::unique_ptr<Index, FreeIndex>;

// WNSEARCHDIR is how the library is told where to look; it is put back afterwards.
class SearchFolder {
 public:
  explicit SearchFolder(const std::filesystem::path& folder) {
    if (const char* value = std::getenv(kName)) before_ = value;
    changed_ = !before_ || *before_ != folder.string();
    if (changed_) setenv(kName, folder.c_str(), 1);
  }
  ~SearchFolder() {
    if (!changed_) return;
    if (before_) {
      setenv(kName, before_->c_str(), 1);
    } else {
      unsetenv(kName);
    }
  }
  SearchFolder(const SearchFolder&) = delete;
  SearchFolder& operator=(const SearchFolder&) = delete;

 private:
  static constexpr const char* kName = "WNSEARCHDIR";
  std::optional<std::string> before_;
  bool changed_ = false;
};

// Opens the database anew, even the one that is open: its files may be others by now. Call with the mutex
// held.
void open_database(const std::filesystem::path& folder, LibraryState& state) {
  const SearchFolder search(folder);
  state.folder.clear();
  const int status = state.started ? re_wninit() : wninit();
  if (status != 0) {
    throw Error(
        fmt::format("the wn library could not open WordNet's database in {}. Install it: apt-get install "
                    "wordnet-base",
                    folder.string()));
  }
  state.started = true;
  state.folder = folder;
}

// A copy that the library may write into.
class MutableWord {
 public:
  explicit MutableWord(std::string_view word) { std::copy(word.begin(), word.end(), letters_.begin()); }
  char* get() { return letters_.data(); }

 private:
  std::array<char, 256> letters_{};
};

bool can_be_looked_up(std::string_view word) {
  if (word.empty() || word.size() > kLongestLookup) return false;
  const auto is_separator = [](char c) { return c == '-' || c == '_'; };
  if (is_separator(word.front()) || is_separator(word.back())) return false;
  return std::all_of(word.begin(), word.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
           std::string_view("'./-_").find(c) != std::string_view::npos;
  });
}

// The results of morphstr live in one static buffer, and looking one up would disturb the search: all are
// copied first.
std::vector<std::string> base_forms(std::string_view word) {
  std::vector<std::string> forms;
  MutableWord letters(word);
  const char* form = morphstr(letters.get(), NOUN);
  for (int i = 0; form != nullptr && i < kMostForms; ++i) {
    forms.emplace_back(form);
    form = morphstr(nullptr, NOUN);
  }
  return forms;
}

// getindex goes on where it stopped, so it is always asked until it has nothing left.
void add_spellings(std::string_view word, std::vector<WnLibrary::Entry>& entries) {
  MutableWord letters(word);
  IndexHandle index(getindex(letters.get(), NOUN));
  for (int i = 0; index != nullptr && i < kMostForms; ++i) {
    const std::string lemma = index->wd;
    const bool known =
        std::any_of(entries.begin(), entries.end(), [&](const auto& e) { return e.lemma == lemma; });
    if (!known) {
      WnLibrary::Entry entry{lemma, {}};
      entry.counted = index->tagged_cnt;
      for (int sense = 0; sense < index->off_cnt; ++sense) {
        entry.offsets.push_back(static_cast<std::uint32_t>(index->offset[sense]));
      }
      entries.push_back(std::move(entry));
    }
    index.reset(getindex(nullptr, NOUN));
  }
}

}  // namespace

WnLibrary::WnLibrary(std::filesystem::path folder) : folder_(std::move(folder)) {
  if (folder_.string().size() > kLongestPath) {
    throw Error(
        fmt::format("the path of WordNet's database is longer than the {} letters that the wn library can "
                    "take: {}. Set WNSEARCHDIR "
                    "to a shorter path, or install wordnet-base",
                    kLongestPath, folder_.string()));
  }
  auto& state = library_state();
  const std::lock_guard lock(state.mutex);
  open_database(folder_, state);
}

std::vector<WnLibrary::Entry> WnLibrary::look_up(std::string_view word, Morphology morphology) const {
  if (!can_be_looked_up(word)) return {};
  auto& state = library_state();
  const std::lock_guard lock(state.mutex);
  if (state.folder != folder_) open_database(folder_, state);
  std::vector<Entry> entries;
  add_spellings(word, entries);
  if (morphology == Morphology::kSkip) return entries;
  for (const auto& form : base_forms(word)) {
    if (can_be_looked_up(form)) add_spellings(form, entries);
  }
  return entries;
}

}  // namespace procsim::taxonomy

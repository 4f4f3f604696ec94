#include "train/language/word_piece.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "data/base/error.hpp"
#include "data/base/unicode.hpp"
#include "data/files/atomic_file.hpp"

namespace procsim::train {
namespace {

// BERT's blocks of CJK ideographs: not Hangul, Hiragana or Katakana, which are written with spaces or run on.
constexpr std::array<std::pair<char32_t, char32_t>, 8> kIdeographs{{{0x4E00, 0x9FFF},
                                                                    {0x3400, 0x4DBF},
                                                                    {0x20000, 0x2A6DF},
                                                                    {0x2A700, 0x2B73F},
                                                                    {0x2B740, 0x2B81F},
                                                                    {0x2B820, 0x2CEAF},
                                                                    {0xF900, 0xFAFF},
                                                                    {0x2F800, 0x2FA1F}}};

bool is_ideograph(char32_t letter) {
  return std::any_of(kIdeographs.begin(), kIdeographs.end(),
                     [&](const auto& block) { return letter >= block.first && letter <= block.second; });
}

// All ASCII that is neither letter, digit nor space counts as punctuation, "$" and "^" too.
bool parts_words(char32_t letter) {
  if (letter < 0x80)
    return (letter >= 33 && letter <= 47) || (letter >= 58 && letter <= 64) ||
           (letter >= 91 && letter <= 96) || (letter >= 123 && letter <= 126);
  return unicode::is_punctuation(letter);
}

std::u32string cleaned(std::string_view text, bool part_ideographs) {
  std::u32string out;
  for (const auto letter : unicode::decode(text)) {
    const bool white = letter == '\t' || letter == '\n' || letter == '\r' || unicode::is_space(letter);
    if (white) {
      out += U' ';
    } else if (letter == 0xFFFD || unicode::is_control(letter)) {
      continue;
    } else if (part_ideographs && is_ideograph(letter)) {
      out += U' ';
      out += letter;
      out += U' ';
    } else {
      out += letter;
    }
  }
  return out;
}

}  // namespace

WordPiece::WordPiece(const std::filesystem::path& vocabulary, const WordPieceOptions& options)
    : options_(options) {
  const auto content = read_file(vocabulary);
  for (std::size_t at = 0; at < content.size();) {
    const auto end = std::min(content.find('\n', at), content.size());
    auto piece = content.substr(at, end - at);
    if (piece.ends_with('\r')) piece.pop_back();
    const auto [before, fresh] = ids_.try_emplace(piece, size());
    if (!fresh)
      throw Error(fmt::format("{}, line {}: the piece '{}' stands in line {} already", vocabulary.string(),
                              size() + 1, piece, before->second + 1));
    pieces_.push_back(std::move(piece));
    at = end + 1;
  }
  unknown_ = required("[UNK]", vocabulary);
  first_ = required("[CLS]", vocabulary);
  last_ = required("[SEP]", vocabulary);
  for (const char* name : {"[UNK]", "[SEP]", "[PAD]", "[CLS]", "[MASK]"})
    if (const auto found = ids_.find(name); found != ids_.end()) control_.emplace_back(name, found->second);
}

std::int64_t WordPiece::required(const std::string& piece, const std::filesystem::path& vocabulary) const {
  const auto found = ids_.find(piece);
  if (found != ids_.end()) return found->second;
  throw Error(fmt::format("{} is not a WordPiece vocabulary: among its {} lines there is no {}",
                          vocabulary.string(), size(), piece));
}

std::vector<std::int64_t> WordPiece::encode(std::string_view text, std::int64_t max_tokens) const {
  std::vector<std::int64_t> ids{first_};
  while (!text.empty()) {
    // The next control token, if any; the text before it is tokenized by itself.
    std::size_t at = text.size();
    const std::pair<std::string, std::int64_t>* next = nullptr;
    for (const auto& token : control_) {
      const auto found = text.find(token.first);
      if (found >= at) continue;
      at = found;
      next = &token;
    }
    add_text(text.substr(0, at), ids);
    if (next == nullptr) break;
    ids.push_back(next->second);
    text.remove_prefix(at + next->first.size());
  }
  const auto room = static_cast<std::size_t>(std::max<std::int64_t>(2, max_tokens) - 1);
  if (ids.size() > room) ids.resize(room);
  ids.push_back(last_);
  return ids;
}

void WordPiece::add_text(std::string_view text, std::vector<std::int64_t>& ids) const {
  auto letters = cleaned(text, options_.part_ideographs);
  if (options_.strip_accents) letters = unicode::without_accents(letters);
  if (options_.lower_case) letters = unicode::small_letters(letters);
  const std::u32string_view all = letters;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= all.size(); ++i) {
    const bool ends = i == all.size() || unicode::is_space(all[i]) || parts_words(all[i]);
    if (!ends) continue;
    if (i > begin) add_word(all.substr(begin, i - begin), ids);
    if (i < all.size() && parts_words(all[i])) add_word(all.substr(i, 1), ids);
    begin = i + 1;
  }
}

void WordPiece::add_word(std::u32string_view word, std::vector<std::int64_t>& ids) const {
  if (static_cast<std::int64_t>(word.size()) > options_.max_word_letters) {
    ids.push_back(unknown_);
    return;
  }
  const auto before = ids.size();
  for (std::size_t begin = 0; begin < word.size();) {
    std::size_t end = word.size();
    for (; end > begin; --end) {
      const auto piece = (begin == 0 ? "" : "##") + unicode::encode(word.substr(begin, end - begin));
      const auto found = ids_.find(piece);
      if (found == ids_.end()) continue;
      ids.push_back(found->second);
      break;
    }
    if (end == begin) {  // one part that is no piece makes the whole word unknown
      ids.resize(before);
      ids.push_back(unknown_);
      return;
    }
    begin = end;
  }
}

}  // namespace procsim::train

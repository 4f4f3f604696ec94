#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace procsim::train {

struct WordPieceOptions {
  bool lower_case = true;
  bool strip_accents = true;            // canonical decomposition, then without its accents
  bool part_ideographs = true;          // every CJK ideograph is a word of its own
  std::int64_t max_word_letters = 100;  // longer words are unknown
};

// BERT's tokenizer: the text is cleaned, parted into words and punctuation marks, and every word into the
// longest pieces of the vocabulary from left to right. Where the published Python and Hugging Face's fast
// tokenizer differ (unassigned letters, a final sigma), it does as the latter. Control tokens that stand in
// the text ("[MASK]") are taken as such.
class WordPiece {
 public:
  // A vocabulary has one piece a line; its number is the line's, from 0. Throws Error with the file when
  // [UNK], [CLS] or [SEP] is missing, or a piece occurs twice.
  explicit WordPiece(const std::filesystem::path& vocabulary, const WordPieceOptions& options = {});

  std::int64_t size() const { return static_cast<std::int64_t>(pieces_.size()); }
  const std::string& piece(std::int64_t id) const { return pieces_.at(static_cast<std::size_t>(id)); }

  // The pieces' numbers, [CLS] first and [SEP] last, cut to `max_tokens` (2 or more) in all.
  std::vector<std::int64_t> encode(std::string_view text, std::int64_t max_tokens) const;

 private:
  std::int64_t required(const std::string& piece, const std::filesystem::path& vocabulary) const;
  void add_text(std::string_view text, std::vector<std::int64_t>& ids) const;
  void add_word(std::u32string_view word, std::vector<std::int64_t>& ids) const;

  WordPieceOptions options_;
  std::vector<std::string> pieces_;
  std::unordered_map<std::string, std::int64_t> ids_;
  std::int64_t unknown_ = 0, first_ = 0, last_ = 0;
  std::vector<std::pair<std::string, std::int64_t>> control_;  // [MASK] and the like
};

}  // namespace procsim::train

#include "taxonomy/wordnet/wordnet_nouns.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include <fmt/format.h>

#include "data/base/error.hpp"
#include "data/base/words.hpp"
#include "data/files/atomic_file.hpp"
#include "taxonomy/wordnet/wordnet_line.hpp"

namespace procsim::taxonomy {
namespace {

constexpr std::array<std::string_view, 19> kPointers = {"!",  "@",  "@i", "~",  "~i", "#m", "#s",
                                                        "#p", "%m", "%s", "%p", "=",  "+",  ";c",
                                                        "-c", ";r", "-r", ";u", "-u"};
constexpr std::array<std::string_view, 21> kIndexPointers = {"!",  "@",  "@i", "~",  "~i", "#m", "#s",
                                                             "#p", "%m", "%s", "%p", "=",  "+",  ";",
                                                             "-",  ";c", "-c", ";r", "-r", ";u", "-u"};
constexpr std::uint32_t kMostSenses = 75;    // MAXSENSE of the wn library
constexpr std::size_t kLongestGloss = 3000;  // it copies glosses into 3 KiB
constexpr std::uint32_t kLastLexicographerFile = 44;
constexpr std::size_t kBlock = 32;  // bytes; no synset is shorter

// FNV-1a over the lower-case letters: index and data are compared by it, since looking at the letters again
// would jump about in 20 MB.
std::uint64_t word_hash(std::string_view word) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char c : word) hash = (hash ^ static_cast<unsigned char>(lower_case(c))) * 0x100000001b3U;
  return hash;
}

[[noreturn]] void fail_missing(const std::filesystem::path& file) {
  throw Error(fmt::format(
      "WordNet's database is not complete: {} is missing. Install it: apt-get install wordnet-base",
      file.string()));
}

std::unique_ptr<const std::string> load(const std::filesystem::path& file) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(file, ignored)) fail_missing(file);
  return std::make_unique<const std::string>(read_file(file));
}

std::uint64_t pair_key(std::uint32_t first, std::uint32_t second) {
  return std::uint64_t{first} << 32 | second;
}

}  // namespace

// Reads data.noun.
class WordNetNouns::DataParser {
 public:
  DataParser(WordNetNouns& nouns, const std::filesystem::path& file)
      : nouns_(nouns), file_(file), lines_(file, *nouns.data_) {}

  void parse() {
    nouns_.release_ = skip_license(lines_, file_);
    // Enough for WordNet 3.0 and 3.1, so that the tables grow once.
    nouns_.synsets_.reserve(84'000);
    nouns_.words_.reserve(150'000);
    word_hashes_.reserve(150'000);
    do {
      synset();
    } while (lines_.next());
    resolve_offsets();
  }

  // (parent, child) pairs that the hyponym pointers name, sorted.
  std::span<const std::uint64_t> hyponyms() const { return hyponyms_; }
  // A hash for each word, in order.
  std::span<const std::uint64_t> word_hashes() const { return word_hashes_; }

 private:
  struct Pointer {
    SynsetIndex from;
    std::uint32_t offset;
    std::size_t line;
  };

  void synset() {
    auto line = lines_.fields();
    Entry entry;
    entry.offset = line.number(8);
    if (entry.offset != lines_.position()) line.fail("the synset is not where its offset says");
    entry.lexicographer_file = static_cast<std::uint8_t>(line.number(2));
    if (entry.lexicographer_file > kLastLexicographerFile) line.fail("the lexicographer file is unknown");
    line.expect("n");
    entry.first_word = static_cast<std::uint32_t>(nouns_.words_.size());
    entry.word_count = static_cast<std::uint16_t>(line.number(2, 16));
    if (entry.word_count == 0) line.fail("the synset has no words");
    for (unsigned i = 0; i < entry.word_count; ++i) {
      const auto word = line.word();
      nouns_.words_.push_back({word, static_cast<std::uint8_t>(line.number(1, 16))});
      word_hashes_.push_back(word_hash(word));
    }
    pointers(line, entry.word_count);
    if (!line.rest().starts_with("| ")) line.fail("the gloss is missing");
    auto gloss = line.rest().substr(2);
    while (gloss.ends_with(' ')) gloss.remove_suffix(1);
    if (gloss.size() > kLongestGloss) line.fail("the gloss is too long");
    entry.gloss = gloss;
    nouns_.synsets_.push_back(entry);
  }

  void pointers(WordNetLine& line, std::uint32_t word_count) {
    const auto here = static_cast<SynsetIndex>(nouns_.synsets_.size());
    const auto count = line.number(3);
    for (std::uint32_t i = 0; i < count; ++i) {
      const auto symbol = line.field();
      if (std::find(kPointers.begin(), kPointers.end(), symbol) == kPointers.end())
        line.fail("a pointer is unknown");
      const auto target = line.number(8);
      const auto part = line.field();
      if (part != "n" && part != "v" && part != "a" && part != "r" && part != "s") {
        line.fail("a pointer's part of speech is unknown");
      }
      if (line.number(4, 16) >> 8 > word_count) line.fail("a pointer's word is unknown");
      if (part != "n") {
        if (symbol[0] == '@' || symbol[0] == '~') line.fail("a hypernym is not a noun");
        continue;
      }
      if (symbol[0] == '@') {
        up_.push_back({here, target, lines_.number()});
      } else if (symbol[0] == '~') {
        down_.push_back({here, target, lines_.number()});
      } else {
        others_.push_back({here, target, lines_.number()});
      }
    }
  }

  SynsetIndex target_of(const Pointer& pointer) const {
    const auto synset = nouns_.at_offset(pointer.offset);
    if (!synset) fail_wordnet(file_, fmt::format("line {}: a pointer leads to no synset", pointer.line));
    return *synset;
  }

  void resolve_offsets() {
    nouns_.build_offset_blocks();
    nouns_.hypernyms_.reserve(up_.size());
    for (const auto& pointer : up_) {
      auto& entry = nouns_.synsets_[pointer.from];
      if (entry.hypernym_count == 0)
        entry.first_hypernym = static_cast<std::uint32_t>(nouns_.hypernyms_.size());
      ++entry.hypernym_count;
      nouns_.hypernyms_.push_back(target_of(pointer));
    }
    hyponyms_.reserve(down_.size());
    for (const auto& pointer : down_) hyponyms_.push_back(pair_key(pointer.from, target_of(pointer)));
    std::sort(hyponyms_.begin(), hyponyms_.end());
    for (const auto& pointer : others_) target_of(pointer);
  }

  WordNetNouns& nouns_;
  const std::filesystem::path& file_;
  WordNetLines lines_;
  std::vector<Pointer> up_, down_, others_;
  std::vector<std::uint64_t> hyponyms_;
  std::vector<std::uint64_t> word_hashes_;
};

// Reads index.noun and compares it with the synsets.
class WordNetNouns::IndexParser {
 public:
  IndexParser(WordNetNouns& nouns, const std::filesystem::path& file,
              std::span<const std::uint64_t> word_hashes)
      : nouns_(nouns), file_(file), lines_(file, *nouns.index_), word_hashes_(word_hashes) {}

  void parse(const std::filesystem::path& data_file) {
    skip_license(lines_, file_);
    first_line_ = lines_.number();
    nouns_.lemmas_.reserve(120'000);
    senses_.reserve(150'000);
    std::string_view before;
    do {
      lemma(before);
    } while (lines_.next());
    match_synsets(data_file);
  }

 private:
  void lemma(std::string_view& before) {
    auto line = lines_.fields();
    const auto text = line.word();
    if (text <= before) line.fail("the words are not sorted");
    if (std::any_of(text.begin(), text.end(), [](char c) { return c >= 'A' && c <= 'Z'; })) {
      line.fail("a word is not in lower case");
    }
    before = text;
    line.expect("n");
    const auto count = line.number(0);
    if (count == 0 || count > kMostSenses) line.fail("the number of senses is impossible");
    const auto pointer_count = line.number(0);
    for (std::uint32_t i = 0; i < pointer_count; ++i) line.expect_one_of(kIndexPointers);
    if (line.number(0) != count) line.fail("the numbers of senses differ");
    if (line.number(0) > count) line.fail("the number of tagged senses is impossible");
    const auto first = static_cast<std::uint32_t>(senses_.size());
    const auto lemma = static_cast<std::uint32_t>(nouns_.lemmas_.size());
    nouns_.lemmas_.push_back({text, first, count});
    const auto hash = word_hash(text);
    for (std::uint32_t i = 0; i < count; ++i) senses_.push_back({hash, line.number(8), first + i, lemma});
    if (line.rest() != " ") line.fail("there is more than the senses");
  }

  [[noreturn]] void fail(std::uint32_t lemma, std::string_view what) const {
    fail_wordnet(file_, fmt::format("line {}: {}", first_line_ + lemma, what));
  }

  // Every sense must lead to a synset that has the word, and every word of a synset must be some sense.
  // Senses are visited in the order of their synsets.
  void match_synsets(const std::filesystem::path& data_file) {
    std::sort(senses_.begin(), senses_.end(),
              [](const auto& a, const auto& b) { return a.offset < b.offset; });
    nouns_.sense_list_.resize(senses_.size());
    std::vector<char> indexed(nouns_.words_.size(), 0);
    SynsetIndex synset = 0;
    for (const auto& sense : senses_) {
      while (synset < nouns_.size() && nouns_.synsets_[synset].offset < sense.offset) ++synset;
      if (synset == nouns_.size() || nouns_.synsets_[synset].offset != sense.offset) {
        fail(sense.lemma, "a sense leads to no synset");
      }
      if (!mark_word(synset, sense.hash, indexed)) {
        fail(sense.lemma, "a sense leads to a synset without the word");
      }
      nouns_.sense_list_[sense.place] = synset;
    }
    const auto missing = std::find(indexed.begin(), indexed.end(), 0);
    if (missing == indexed.end()) return;
    const auto& word = nouns_.words_[static_cast<std::size_t>(missing - indexed.begin())];
    fail_wordnet(data_file, fmt::format("the word '{}' is not in the index", word.text));
  }

  bool mark_word(SynsetIndex synset, std::uint64_t hash, std::vector<char>& indexed) const {
    const auto& entry = nouns_.synsets_[synset];
    bool found = false;
    for (std::size_t i = entry.first_word; i < entry.first_word + entry.word_count; ++i) {
      if (word_hashes_[i] != hash) continue;
      indexed[i] = 1;
      found = true;
    }
    return found;
  }

  struct SenseEntry {
    std::uint64_t hash;
    std::uint32_t offset;
    std::uint32_t place;  // in sense_list_
    std::uint32_t lemma;
  };
  WordNetNouns& nouns_;
  const std::filesystem::path& file_;
  WordNetLines lines_;
  std::span<const std::uint64_t> word_hashes_;
  std::size_t first_line_ = 0;
  std::vector<SenseEntry> senses_;
};

WordNetNouns::WordNetNouns(const std::filesystem::path& folder) {
  const auto data_file = folder / "data.noun";
  const auto index_file = folder / "index.noun";
  data_ = load(data_file);
  index_ = load(index_file);
  DataParser parser(*this, data_file);
  parser.parse();
  check_relations(data_file, parser.hyponyms());
  IndexParser(*this, index_file, parser.word_hashes()).parse(data_file);
  build_lemma_slots();
}

void WordNetNouns::build_offset_blocks() {
  offset_blocks_.reserve(data_->size() / kBlock + 2);
  SynsetIndex synset = 0;
  for (std::size_t start = 0; start <= data_->size(); start += kBlock) {
    while (synset < size() && synsets_[synset].offset < start) ++synset;
    offset_blocks_.push_back(synset);
  }
}

void WordNetNouns::build_lemma_slots() {
  lemma_slots_.assign(std::bit_ceil(lemmas_.size() * 2), 0);
  const auto mask = lemma_slots_.size() - 1;
  for (std::uint32_t i = 0; i < lemmas_.size(); ++i) {
    auto slot = std::hash<std::string_view>{}(lemmas_[i].text) & mask;
    while (lemma_slots_[slot] != 0) slot = (slot + 1) & mask;
    lemma_slots_[slot] = i + 1;
  }
}

void WordNetNouns::check_relations(const std::filesystem::path& file,
                                   std::span<const std::uint64_t> hyponyms) const {
  std::vector<std::uint64_t> upwards;
  upwards.reserve(hypernyms_.size());
  for (SynsetIndex synset = 0; synset < size(); ++synset) {
    for (const auto parent : hypernyms(synset)) upwards.push_back(pair_key(parent, synset));
  }
  std::sort(upwards.begin(), upwards.end());
  if (!std::equal(upwards.begin(), upwards.end(), hyponyms.begin(), hyponyms.end())) {
    const auto [up, down] = std::mismatch(upwards.begin(), upwards.end(), hyponyms.begin(), hyponyms.end());
    const auto key = up != upwards.end() ? *up : *down;
    fail_wordnet(file, fmt::format("hypernyms and hyponyms of the synset at {:08} disagree",
                                   synsets_[static_cast<SynsetIndex>(key >> 32)].offset));
  }
  // Take away synsets without children until none is left; what stays goes round in a circle.
  std::vector<std::uint32_t> children(size(), 0);
  for (const auto parent : hypernyms_) ++children[parent];
  std::vector<SynsetIndex> ready;
  for (SynsetIndex synset = 0; synset < size(); ++synset) {
    if (children[synset] == 0) ready.push_back(synset);
  }
  std::size_t taken = 0;
  while (!ready.empty()) {
    const auto synset = ready.back();
    ready.pop_back();
    ++taken;
    for (const auto parent : hypernyms(synset)) {
      if (--children[parent] == 0) ready.push_back(parent);
    }
  }
  if (taken != size()) fail_wordnet(file, "the hypernyms go round in a circle");
}

std::span<const WordNetNouns::Word> WordNetNouns::words(SynsetIndex synset) const {
  return std::span(words_).subspan(synsets_[synset].first_word, synsets_[synset].word_count);
}

std::span<const SynsetIndex> WordNetNouns::hypernyms(SynsetIndex synset) const {
  return std::span(hypernyms_).subspan(synsets_[synset].first_hypernym, synsets_[synset].hypernym_count);
}

std::optional<SynsetIndex> WordNetNouns::at_offset(std::uint32_t offset) const {
  if (offset >= data_->size()) return std::nullopt;
  auto synset = offset_blocks_[offset / kBlock];
  while (synset < size() && synsets_[synset].offset < offset) ++synset;
  if (synset == size() || synsets_[synset].offset != offset) return std::nullopt;
  return synset;
}

std::span<const SynsetIndex> WordNetNouns::senses(std::string_view lemma) const {
  const auto mask = lemma_slots_.size() - 1;
  auto slot = std::hash<std::string_view>{}(lemma)&mask;
  for (; lemma_slots_[slot] != 0; slot = (slot + 1) & mask) {
    const auto& entry = lemmas_[lemma_slots_[slot] - 1];
    if (entry.text == lemma) return std::span(sense_list_).subspan(entry.first, entry.count);
  }
  return {};
}

void check_wordnet_files_exist(const std::filesystem::path& folder) {
  for (const auto* part : {"noun", "verb", "adj", "adv"}) {
    for (const auto* kind : {"data.{}", "index.{}", "{}.exc"}) {
      const auto file = folder / fmt::format(fmt::runtime(kind), part);
      std::error_code ignored;
      if (!std::filesystem::is_regular_file(file, ignored)) fail_missing(file);
    }
  }
}

std::vector<std::string> read_irregular_nouns(const std::filesystem::path& folder) {
  const auto file = folder / "noun.exc";
  const auto text = load(file);
  WordNetLines lines(file, *text);
  std::vector<std::string> words;
  while (lines.next()) {
    const std::string padded = std::string(lines.text()) + ' ';
    WordNetLine line(file, lines.number(), padded);
    std::string word(line.word());
    if (!words.empty() && word < words.back()) line.fail("the words are not sorted");
    words.push_back(std::move(word));
    do {
      line.word();
    } while (!line.rest().empty());
  }
  return words;
}

}  // namespace procsim::taxonomy

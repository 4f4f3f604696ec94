#include "taxonomy/wordnet/wordnet_line.hpp"

#include <cctype>

#include <fmt/format.h>

#include "data/base/error.hpp"

namespace procsim::taxonomy {

void fail_wordnet(const std::filesystem::path& file, std::string_view what) {
  throw Error(fmt::format(
      "WordNet's database is damaged: {}: {}. Install it again: apt-get install --reinstall wordnet-base",
      file.string(), what));
}

WordNetLines::WordNetLines(const std::filesystem::path& file, std::string_view text)
    : file_(file), text_(text) {
  if (text.empty()) fail_wordnet(file, "the file is empty");
  if (text.back() != '\n') fail_wordnet(file, "the last line is cut off");
}

bool WordNetLines::next() {
  // The wn library reads lines into a buffer of 15 KiB.
  constexpr std::size_t kLongestLine = 15 * 1024 - 2;
  if (end_ == text_.size()) return false;
  position_ = end_;
  end_ = text_.find('\n', position_) + 1;
  ++number_;
  line_ = text_.substr(position_, end_ - 1 - position_);
  if (line_.size() > kLongestLine) fields().fail("the line is too long");
  unsigned strange = 0;
  for (const char c : line_) strange |= static_cast<unsigned>(static_cast<unsigned char>(c) - 0x20) > 0x5eU;
  if (strange != 0) fields().fail("there are bytes that are not text");
  return true;
}

std::string skip_license(WordNetLines& lines, const std::filesystem::path& file) {
  constexpr std::string_view kRelease = "WordNet ";
  constexpr std::string_view kCopyright = " Copyright";
  std::string release;
  std::size_t expected = 0;
  while (lines.next() && lines.text().starts_with("  ")) {
    ++expected;
    const auto prefix = fmt::format("  {} ", expected);
    if (!lines.text().starts_with(prefix))
      fail_wordnet(file, "the license at the beginning is not WordNet's");
    const auto text = lines.text().substr(prefix.size());
    const auto copyright = text.find(kCopyright);
    if (text.starts_with(kRelease) && copyright != std::string_view::npos) {
      release = text.substr(kRelease.size(), copyright - kRelease.size());
    }
  }
  if (release.empty()) fail_wordnet(file, "the license at the beginning is missing");
  return release;
}

}  // namespace procsim::taxonomy

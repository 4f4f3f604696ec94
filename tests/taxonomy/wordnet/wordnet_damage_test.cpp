#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/base/error.hpp"
#include "data/base/keyed_random.hpp"
#include "taxonomy/wordnet/wordnet.hpp"
#include "tests/support/test_files.hpp"
#include "tests/taxonomy/mini_wordnet.hpp"

namespace procsim::taxonomy {
namespace {

namespace fs = std::filesystem;
using test::TemporaryFolder;
using ::testing::AllOf;
using ::testing::HasSubstr;

void write_bytes(const fs::path& file, std::string_view bytes) {
  std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
}

// What a user would read, empty when the database was taken as sound. Where it was, words are looked up in
// it: that must work too, whatever the damage.
std::string complaint(const fs::path& folder) {
  try {
    const WordNet wordnet(folder);
    for (const auto* word :
         {"sparrow", "house sparrow", "birdies", "zebra", "jonathan livingston", "entities"}) {
      for (const auto& sense : wordnet.senses(word)) {
        EXPECT_LT(sense.synset, wordnet.size());
        EXPECT_TRUE(wordnet.find_id(wordnet.id(sense.synset)));
      }
    }
  } catch (const Error& error) {
    const std::string text = error.what();
    EXPECT_EQ(text.find('\n'), std::string::npos);
    EXPECT_THAT(text, HasSubstr("apt-get install"));
    EXPECT_THAT(text, HasSubstr(folder.string()));
    return text;
  }
  return {};
}

class SmallDatabase : public ::testing::Test {
 protected:
  SmallDatabase() { test::write_mini_wordnet(folder_.path(), test::mini_synsets()); }
  TemporaryFolder folder_;
};

TEST_F(SmallDatabase, IsSoundAsWritten) {
  ASSERT_EQ(complaint(folder_.path()), "");
  const WordNet wordnet(folder_.path());
  EXPECT_EQ(wordnet.size(), 12U);
  EXPECT_EQ(wordnet.senses("Sparrow").size(), 2U);
  EXPECT_EQ(wordnet.senses("birdies").size(), 1U);
}

TEST_F(SmallDatabase, CutAtAnyByteIsRefused) {
  for (const auto* name : {"data.noun", "index.noun"}) {
    const auto whole = test::read_all(folder_ / name);
    for (std::size_t length = 0; length < whole.size(); ++length) {
      write_bytes(folder_ / name, std::string_view(whole).substr(0, length));
      ASSERT_NE(complaint(folder_.path()), "") << name << " cut to " << length << " bytes";
    }
    write_bytes(folder_ / name, whole);
  }
  ASSERT_EQ(complaint(folder_.path()), "");
}

// A changed letter in a gloss is still a gloss; anywhere else it must be noticed or do no harm.
TEST_F(SmallDatabase, AnyChangedByteIsRefusedOrHarmless) {
  for (const auto* name : {"data.noun", "index.noun", "noun.exc"}) {
    const auto whole = test::read_all(folder_ / name);
    std::size_t refused = 0, tried = 0;
    for (std::size_t place = 0; place < whole.size(); ++place) {
      for (const char flip : {'\x01', '\x10', '\x80', '\x2a'}) {
        auto damaged = whole;
        damaged[place] = static_cast<char>(damaged[place] ^ flip);
        write_bytes(folder_ / name, damaged);
        ++tried;
        if (!complaint(folder_.path()).empty()) ++refused;
      }
    }
    EXPECT_GT(refused, tried / 4) << name;  // the highest bit alone is a quarter
    write_bytes(folder_ / name, whole);
  }
}

TEST_F(SmallDatabase, AnyMissingLineIsRefused) {
  for (const auto* name : {"data.noun", "index.noun"}) {
    const auto whole = test::read_all(folder_ / name);
    std::vector<std::string> lines;
    std::istringstream stream(whole);
    for (std::string line; std::getline(stream, line);) lines.push_back(line + "\n");
    for (std::size_t leave_out = 2; leave_out < lines.size(); ++leave_out) {
      std::string text;
      for (std::size_t i = 0; i < lines.size(); ++i) text += i == leave_out ? "" : lines[i];
      write_bytes(folder_ / name, text);
      ASSERT_NE(complaint(folder_.path()), "") << name << " without line " << leave_out + 1;
    }
    write_bytes(folder_ / name, whole);
  }
}

TEST_F(SmallDatabase, CyclesAreRefused) {
  auto synsets = test::mini_synsets();
  synsets[0].parents = {5};
  TemporaryFolder other;
  test::write_mini_wordnet(other.path(), synsets);
  EXPECT_THAT(complaint(other.path()), HasSubstr("circle"));
}

TEST_F(SmallDatabase, WordsAndLinesLongerThanTheLibrarysBuffersAreRefused) {
  for (const std::size_t length : {300U, 20'000U}) {
    auto synsets = test::mini_synsets();
    synsets[3].words.push_back(std::string(length, 'x'));
    TemporaryFolder other;
    test::write_mini_wordnet(other.path(), synsets);
    EXPECT_THAT(complaint(other.path()), HasSubstr("too long"));
  }
  auto synsets = test::mini_synsets();
  synsets[3].gloss = std::string(5000, 'g');
  TemporaryFolder other;
  test::write_mini_wordnet(other.path(), synsets);
  EXPECT_THAT(complaint(other.path()), HasSubstr("gloss is too long"));
}

TEST_F(SmallDatabase, EveryMissingFileIsNamed) {
  for (const auto* name : {"data.noun", "index.noun", "noun.exc", "data.verb", "index.adj", "adv.exc"}) {
    const auto away = folder_ / "away";
    fs::rename(folder_ / name, away);
    EXPECT_THAT(complaint(folder_.path()), AllOf(HasSubstr(name), HasSubstr("wordnet-base")));
    fs::create_directory(folder_ / name);
    EXPECT_THAT(complaint(folder_.path()), HasSubstr(name)) << "a folder instead of a file";
    fs::remove(folder_ / name);
    fs::rename(away, folder_ / name);
  }
}

TEST(WordNetFolder, ThatDoesNotExistIsNamed) {
  EXPECT_THAT(complaint("/nowhere/wordnet"), HasSubstr("no such folder"));
}

TEST(WordNetFolder, WithAPathTooLongForTheLibraryIsRefused) {
  TemporaryFolder folder;
  auto deep = folder.path();
  for (int i = 0; i < 10; ++i) deep /= std::string(40, 'd');
  test::write_mini_wordnet(deep, test::mini_synsets());
  try {
    const WordNet wordnet(deep);
    FAIL() << "taken";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("shorter path"));
  }
}

TEST(WordNetFolder, DatabasesInTwoFoldersDoNotMix) {
  TemporaryFolder folder;
  test::write_mini_wordnet(folder.path(), test::mini_synsets());
  const WordNet real;
  const WordNet small(folder.path());
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(small.senses("sedan").size(), 1U);
    EXPECT_EQ(real.senses("sedan").size(), 2U);
    EXPECT_TRUE(small.senses("zebra").empty());
    EXPECT_EQ(real.senses("zebra").size(), 1U);
  }
}

// The real files, damaged in many places. The other files are links.
class RealDatabase : public ::testing::Test {
 protected:
  RealDatabase() {
    for (const auto& file : fs::directory_iterator(WordNet::find_folder())) {
      fs::create_symlink(file.path(), folder_.path() / file.path().filename());
    }
  }
  void own(const std::string& name) {
    fs::remove(folder_ / name);
    fs::copy_file(WordNet::find_folder() / name, folder_ / name);
  }
  TemporaryFolder folder_;
};

TEST_F(RealDatabase, CutAtManyPlacesIsRefused) {
  for (const std::string name : {"data.noun", "index.noun"}) {
    own(name);
    const auto size = fs::file_size(folder_ / name);
    auto draws = KeyedRandom(7, name).for_id(0);
    std::vector<std::uint64_t> lengths = {0, 1, 1740, size - 1, size - 2, size / 2};
    for (int i = 0; i < 50; ++i) lengths.push_back(draws.below(size));
    std::sort(lengths.rbegin(), lengths.rend());
    for (const auto length : lengths) {
      fs::resize_file(folder_ / name, length);
      ASSERT_NE(complaint(folder_.path()), "") << name << " cut to " << length << " bytes";
    }
    own(name);
  }
}

TEST_F(RealDatabase, ChangedInManyPlacesIsRefusedOrHarmless) {
  for (const std::string name : {"data.noun", "index.noun", "noun.exc"}) {
    own(name);
    const auto size = fs::file_size(folder_ / name);
    const auto random = KeyedRandom(8, name);
    for (int trial = 0; trial < 40; ++trial) {
      auto draws = random.for_id(trial);
      const auto place = static_cast<std::streamoff>(draws.below(size));
      std::fstream file(folder_ / name, std::ios::in | std::ios::out | std::ios::binary);
      file.seekg(place);
      const char before = static_cast<char>(file.get());
      file.seekp(place);
      file.put(static_cast<char>(draws.below(256)));
      file.flush();
      complaint(folder_.path());
      file.seekp(place);
      file.put(before);
    }
  }
  EXPECT_EQ(complaint(folder_.path()), "");
}

}  // namespace
}  // namespace procsim::taxonomy

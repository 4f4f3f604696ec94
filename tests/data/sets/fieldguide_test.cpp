#include "data/sets/fieldguide.hpp"

#include <algorithm>
#include <csignal>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/wait.h>
#include <unistd.h>

#include "data/base/digest.hpp"
#include "data/base/error.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/test_files.hpp"

namespace procsim {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

// Nouns as the files of WordNet list them (wndb(5WN)), read here as plain text, without our WordNet code.
class WordNetNouns {
 public:
  static std::optional<fs::path> folder() {
    for (const char* path :
         {"/usr/share/wordnet", "/usr/share/wordnet/dict", "/usr/local/WordNet-3.0/dict"}) {
      if (fs::exists(fs::path(path) / "index.noun") && fs::exists(fs::path(path) / "data.noun")) return path;
    }
    return std::nullopt;
  }

  explicit WordNetNouns(const fs::path& folder) {
    std::ifstream data(folder / "data.noun");
    for (std::string line; std::getline(data, line);) {
      if (line.empty() || line[0] == ' ') continue;  // the licence
      std::istringstream words(line);
      std::string offset, file, type, count, word, id;
      words >> offset >> file >> type >> count;
      for (int i = std::stoi(count, nullptr, 16); i > 0; --i) words >> word >> id;
      int pointers = 0;
      words >> pointers;
      std::string symbol, target, part_of_speech, source_target;
      while (pointers-- > 0 && words >> symbol >> target >> part_of_speech >> source_target) {
        if (symbol == "@" || symbol == "@i") parents_[offset].push_back(target);
      }
    }
    std::ifstream index(folder / "index.noun");
    for (std::string line; std::getline(index, line);) {
      if (line.empty() || line[0] == ' ') continue;
      std::istringstream words(line);
      std::string lemma, type, skipped;
      int senses = 0;
      int pointers = 0;
      words >> lemma >> type >> senses >> pointers;
      for (int i = 0; i < pointers + 2; ++i) words >> skipped;
      for (std::string offset; words >> offset;) senses_[lemma].push_back(offset);
    }
  }

  // Offsets of the senses of a name, most frequent first.
  std::vector<std::string> senses(std::string name) const {
    for (auto& letter : name) {
      letter = letter == ' ' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    }
    const auto found = senses_.find(name);
    return found == senses_.end() ? std::vector<std::string>{} : found->second;
  }

  std::set<std::string> ancestors(const std::string& offset) const {
    std::set<std::string> all;
    std::vector<std::string> open{offset};
    while (!open.empty()) {
      const auto node = open.back();
      open.pop_back();
      const auto found = parents_.find(node);
      if (found == parents_.end()) continue;
      for (const auto& parent : found->second) {
        if (all.insert(parent).second) open.push_back(parent);
      }
    }
    return all;
  }

 private:
  std::map<std::string, std::vector<std::string>> parents_;
  std::map<std::string, std::vector<std::string>> senses_;
};

std::string digest_of(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  Sha256 digest;
  for (const auto& file : files) {
    digest.update(fs::relative(file, folder).string());
    digest.update(test::read_all(file));
  }
  return digest.finish_hex();
}

std::set<std::string> files_below(const fs::path& folder) {
  std::set<std::string> found;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) found.insert(fs::relative(entry.path(), folder).string());
  }
  return found;
}

std::set<std::string> expected_files() {
  std::set<std::string> expected{"fieldguide.json"};
  for (std::size_t c = 0; c < fieldguide_classes().size(); ++c) {
    for (int i = 0; i < kFieldguideImagesPerClass; ++i) {
      expected.insert(fieldguide_image_path(static_cast<int>(c), i));
    }
  }
  return expected;
}

// Looks complete without being drawn.
void write_pretence(const test::TemporaryFolder& folder, int version) {
  for (const auto& file : expected_files()) folder.write("fieldguide/" + file, "x");
  std::string digests;
  for (std::size_t i = 1; i < expected_files().size(); ++i) digests += sha256_hex("x");
  const nlohmann::json manifest{
      {"format", "fieldguide"}, {"version", version}, {"images_sha256", sha256_hex(digests)}};
  folder.write("fieldguide/fieldguide.json", manifest.dump());
}

void expect_drawn_picture(const fs::path& folder, int class_index, int image_index) {
  const auto path = fieldguide_image_path(class_index, image_index);
  const auto image = decode_image(test::read_all(folder / path), path);
  const auto drawn = draw_fieldguide_bird(class_index, image_index);
  ASSERT_EQ(image.rgb.size(), drawn.rgb.size());
  double difference = 0;
  for (std::size_t i = 0; i < drawn.rgb.size(); ++i) difference += std::abs(image.rgb[i] - drawn.rgb[i]);
  EXPECT_LT(difference / static_cast<double>(drawn.rgb.size()), 4);  // JPEG
}

void expect_manifest(const fs::path& folder) {
  const auto manifest = nlohmann::json::parse(test::read_all(folder / "fieldguide.json"));
  EXPECT_EQ(manifest.at("version"), kFieldguideVersion);
  EXPECT_EQ(manifest.at("classes").size(), fieldguide_classes().size());
  EXPECT_EQ(manifest.at("classes").at(0).at("name"), fieldguide_classes().at(0).name);
  EXPECT_EQ(manifest.at("classes").at(0).at("split"), "train");
}

void expect_left_alone(const fs::path& folder) {
  const auto before = fs::last_write_time(folder / fieldguide_image_path(0, 0));
  int calls = 0;
  generate_fieldguide(folder, [&](auto, auto) { ++calls; });
  EXPECT_EQ(calls, 0);
  EXPECT_EQ(fs::last_write_time(folder / fieldguide_image_path(0, 0)), before);
}

TEST(FieldguideClasses, AreAtLeast32SpeciesIn8Families) {
  std::set<std::string> names;
  std::set<std::string> families;
  for (const auto& bird : fieldguide_classes()) {
    EXPECT_TRUE(names.insert(bird.name).second) << bird.name << " occurs twice";
    families.insert(bird.family);
  }
  EXPECT_GE(names.size(), 32u);
  EXPECT_GE(families.size(), 8u);
}

TEST(FieldguideClasses, SplitInHalvesThatBothSpreadOverEveryFamily) {
  std::map<std::string, std::pair<int, int>> of_family;
  int train = 0;
  const auto& classes = fieldguide_classes();
  for (std::size_t i = 0; i < classes.size(); ++i) {
    EXPECT_EQ(classes[i].train, i < classes.size() / 2) << "training classes come first";
    (classes[i].train ? of_family[classes[i].family].first : of_family[classes[i].family].second)++;
    train += classes[i].train;
  }
  EXPECT_EQ(train * 2, static_cast<int>(classes.size()));
  for (const auto& [family, counts] : of_family) {
    EXPECT_GE(counts.first, 2) << family;  // every training class has a sibling to be confused with
    EXPECT_GE(counts.second, 2) << family;
  }
}

TEST(FieldguideClasses, AreBirdsInWordNetBelowTheirFamilyAndNothingElse) {
  const auto folder = WordNetNouns::folder();
  if (!folder) GTEST_SKIP() << "no WordNet files (Debian: wordnet-base)";
  const WordNetNouns nouns(*folder);
  const auto bird = nouns.senses("bird").at(0);
  for (const auto& species : fieldguide_classes()) {
    const auto senses = nouns.senses(species.name);
    ASSERT_FALSE(senses.empty()) << species.name << " is not a noun in WordNet";
    const auto families = nouns.senses(species.family);
    for (const auto& sense : senses) {
      const auto ancestors = nouns.ancestors(sense);
      EXPECT_TRUE(ancestors.contains(bird)) << species.name;
      EXPECT_TRUE(
          std::any_of(families.begin(), families.end(), [&](auto& f) { return ancestors.contains(f); }))
          << species.name << " is not below " << species.family;
    }
  }
}

TEST(FieldguideDrawing, DependsOnItsIndicesOnly) {
  const auto image = draw_fieldguide_bird(3, 7);
  EXPECT_EQ(image.width, kFieldguideImageSide);
  EXPECT_EQ(image.height, kFieldguideImageSide);
  draw_fieldguide_bird(4, 7);
  EXPECT_EQ(draw_fieldguide_bird(3, 7), image);
  EXPECT_NE(draw_fieldguide_bird(3, 8), image);
  EXPECT_NE(draw_fieldguide_bird(4, 7), image);
}

// SHA-256 of the pixels as version 1 draws them, whatever the compiler. Where one differs, the pictures of
// everybody's folders do: raise kFieldguideVersion.
TEST(FieldguideDrawing, IsTheOneOfThisVersion) {
  struct Pinned {
    int species, image;
    std::string sha256;
  };
  const std::vector<Pinned> pictures{
      {0, 0, "f26f1c1b53b9941e220921e328804d7c837c93742cf3738fadbfbdee394df6f8"},
      {7, 39, "419754ee885d3633de5e1c71e0a278f518f60837a712df720f37cf2eb3c46785"},
      {24, 5, "3be9d982be80f9ffe12b2787ffc0facd1e9a46bfaae1652d46e3a704fb99473e"},
      {47, 20, "5803238a62aa9313d5888935bac432bd866408ad53bceb3b5668b0065790833d"}};
  ASSERT_EQ(kFieldguideVersion, 1);
  for (const auto& [species, image, sha256] : pictures) {
    const auto drawn = draw_fieldguide_bird(species, image);
    EXPECT_EQ(sha256_hex({reinterpret_cast<const char*>(drawn.rgb.data()), drawn.rgb.size()}), sha256)
        << "species " << species << ", image " << image;
  }
}

TEST(FieldguidePath, NamesSplitSpeciesAndNumber) {
  const auto files = expected_files();
  EXPECT_EQ(files.size(), 48U * 40 + 1) << "docs/fieldguide.md says how many there are";
  EXPECT_TRUE(files.contains("train/red-tailed_hawk/007.jpg"));
  EXPECT_TRUE(files.contains("test/black_stork/000.jpg"));
}

// One test, since drawing everything takes seconds.
TEST(FieldguideGeneration, GivesTheSameWholeFolderForAnyNumberOfThreadsAndInPlaceOfAnOldOne) {
  const test::TemporaryFolder with_four;
  const auto first = with_four / "data/fieldguide";
  const auto images = expected_files().size() - 1;
  std::uint64_t last = 0;
  generate_fieldguide(
      first,
      [&](std::uint64_t done, std::uint64_t total) {
        EXPECT_EQ(done, last + 1);
        EXPECT_EQ(total, images);
        last = done;
      },
      4);
  EXPECT_EQ(last, images);
  EXPECT_EQ(files_below(with_four / "data"), [] {
    std::set<std::string> below;
    for (const auto& file : expected_files()) below.insert("fieldguide/" + file);
    return below;
  }()) << "and nothing beside it";
  expect_drawn_picture(first, 30, 5);
  expect_manifest(first);
  expect_left_alone(first);

  const test::TemporaryFolder with_one;
  write_pretence(with_one, kFieldguideVersion - 1);
  generate_fieldguide(with_one / "fieldguide/", {}, 1);
  EXPECT_EQ(digest_of(with_one / "fieldguide"), digest_of(first));
  EXPECT_EQ(std::distance(fs::directory_iterator(with_one.path()), {}), 1);
}

TEST(FieldguideIsComplete, OnlyWithEveryImageAndThisVersion) {
  const test::TemporaryFolder folder;
  EXPECT_FALSE(fieldguide_is_complete(folder / "fieldguide"));
  write_pretence(folder, kFieldguideVersion);
  EXPECT_TRUE(fieldguide_is_complete(folder / "fieldguide"));
  folder.write("fieldguide/" + fieldguide_image_path(7, 3), "");
  EXPECT_FALSE(fieldguide_is_complete(folder / "fieldguide")) << "an empty image";
  folder.write("fieldguide/" + fieldguide_image_path(7, 3), "y");
  EXPECT_FALSE(fieldguide_is_complete(folder / "fieldguide")) << "a damaged image";
  fs::remove(folder / "fieldguide" / fieldguide_image_path(7, 3));
  EXPECT_FALSE(fieldguide_is_complete(folder / "fieldguide")) << "a missing image";
  write_pretence(folder, kFieldguideVersion + 1);
  EXPECT_FALSE(fieldguide_is_complete(folder / "fieldguide")) << "another version";
  folder.write("fieldguide/fieldguide.json", "{broken");
  EXPECT_FALSE(fieldguide_is_complete(folder / "fieldguide")) << "a broken manifest";
}

TEST(FieldguideGeneration, LeavesNothingBehindWhenItFails) {
  const test::TemporaryFolder folder;
  const auto stop = [](std::uint64_t done, std::uint64_t) {
    if (done == 5) throw Error("stopped");
  };
  EXPECT_THROW(generate_fieldguide(folder / "made/for it/fieldguide", stop), Error);
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

TEST(FieldguideGeneration, CtrlCMidWayEndsTheProgramAndLeavesNothingBehind) {
  const test::TemporaryFolder folder;
  int drawn[2];
  ASSERT_EQ(::pipe(drawn), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    std::signal(SIGINT, SIG_DFL);
    try {
      generate_fieldguide(folder / "made/for it/fieldguide",
                          [&](std::uint64_t, std::uint64_t) { (void)!::write(drawn[1], "x", 1); });
    } catch (...) {
      ::_exit(1);
    }
    ::_exit(0);
  }
  char byte = 0;
  ASSERT_EQ(::read(drawn[0], &byte, 1), 1);  // the first picture is there
  ::kill(child, SIGINT);
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ::close(drawn[0]);
  ::close(drawn[1]);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT) << status;
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

TEST(FieldguideGeneration, RemovesWhatAKilledProcessLeftBehind) {
  const test::TemporaryFolder folder;
  const pid_t gone = ::fork();
  if (gone == 0) ::_exit(0);
  ASSERT_EQ(::waitpid(gone, nullptr, 0), gone);
  folder.write(fmt::format(".fieldguide.{}.0.tmp/fieldguide/train/000.jpg", gone), "half");
  folder.write(fmt::format(".fieldguide.{}.0.tmp/mine.jpg", ::getppid()), "of a process that runs");
  const auto stop = [](std::uint64_t, std::uint64_t) { throw Error("stopped"); };
  EXPECT_THROW(generate_fieldguide(folder / "fieldguide", stop), Error);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}), 1);
  EXPECT_TRUE(fs::exists(folder / fmt::format(".fieldguide.{}.0.tmp/mine.jpg", ::getppid())));
}

TEST(FieldguideGeneration, RefusesAFolderThatHoldsSomethingElse) {
  const test::TemporaryFolder folder;
  folder.write("fieldguide/thesis.txt", "years of work");
  try {
    generate_fieldguide(folder / "fieldguide");
    FAIL() << "replaced a stranger's folder";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("is not the fieldguide data set"));
  }
  EXPECT_EQ(test::read_all(folder / "fieldguide/thesis.txt"), "years of work");
}

TEST(FieldguideGeneration, ReplacesOnlyWhatItWrote) {
  const auto stop = [](std::uint64_t, std::uint64_t) { throw Error("drawn anew"); };
  const auto refusal = [&](const test::TemporaryFolder& folder) {
    return test::error_of([&] { generate_fieldguide(folder / "fieldguide", stop); });
  };
  for (const auto* manifest :
       {"", "{}", "[]", R"({"format": 5})", R"({"format": "fieldguide", "version": "1"})"}) {
    const test::TemporaryFolder folder;
    folder.write("fieldguide/fieldguide.json", manifest);
    EXPECT_THAT(refusal(folder), HasSubstr("is not the fieldguide data set")) << manifest;
  }
  const test::TemporaryFolder older;
  write_pretence(older, kFieldguideVersion - 1);
  EXPECT_EQ(refusal(older), "drawn anew");
  older.write("fieldguide/train/dodo/000.jpg", "of the user");
  EXPECT_THAT(refusal(older), HasSubstr("also holds train/dodo"));
  const test::TemporaryFolder damaged;
  write_pretence(damaged, kFieldguideVersion);
  damaged.write("fieldguide/" + fieldguide_image_path(0, 0), "");
  EXPECT_EQ(refusal(damaged), "drawn anew");
  damaged.write("fieldguide/thesis.txt", "years of work");
  EXPECT_THAT(refusal(damaged), HasSubstr("also holds thesis.txt"));
  const test::TemporaryFolder newer;
  write_pretence(newer, kFieldguideVersion + 1);
  EXPECT_THAT(refusal(newer), HasSubstr("Use a newer program"));
}

TEST(FieldguideGeneration, SaysWhereItCannotWrite) {
  const test::TemporaryFolder folder;
  folder.write("file", "");
  try {
    generate_fieldguide(folder / "file/below/fieldguide");
    FAIL() << "wrote below a file";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("file/below"));
  }
}

}  // namespace
}  // namespace procsim

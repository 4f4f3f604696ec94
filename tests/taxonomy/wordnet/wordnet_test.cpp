#include "taxonomy/wordnet/wordnet.hpp"

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>
#include <thread>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/base/error.hpp"
#include "tests/taxonomy/real_wordnet.hpp"

namespace procsim::taxonomy {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::string> sense_ids(const WordNet& wordnet, std::string_view word) {
  std::vector<std::string> ids;
  for (const auto& sense : wordnet.senses(word)) ids.push_back(wordnet.id(sense.synset));
  return ids;
}

// The figures of the WordNet 3.0 statistics page (wnstats): 82,115 noun synsets.
TEST(WordNet, HoldsAllNounSynsetsOfRelease3) {
  const auto& wordnet = real_wordnet();
  EXPECT_EQ(wordnet.release(), "3.0");
  EXPECT_EQ(wordnet.size(), 82115U);
  std::size_t edges = 0;
  for (SynsetIndex synset = 0; synset < wordnet.size(); ++synset) edges += wordnet.hypernyms(synset).size();
  EXPECT_EQ(edges, 75850U + 8577U);
}

TEST(WordNet, KnowsTheSensesOfAWordInOrder) {
  const auto& wordnet = real_wordnet();
  EXPECT_THAT(sense_ids(wordnet, "sparrow"), ElementsAre("sparrow.n.01", "hedge_sparrow.n.01"));
  const auto crane = wordnet.senses("crane");
  ASSERT_EQ(crane.size(), 5U);  // Stephen Crane, Hart Crane, the constellation, the machine, the bird
  EXPECT_EQ(crane[4].number, 5);
  EXPECT_THAT(std::string(wordnet.gloss(crane[4].synset)), HasSubstr("wading bird"));
}

TEST(WordNet, FindsPluralsAndIrregularForms) {
  const auto& wordnet = real_wordnet();
  EXPECT_THAT(sense_ids(wordnet, "sparrows"), Contains("sparrow.n.01"));
  EXPECT_THAT(sense_ids(wordnet, "geese"), Contains("goose.n.01"));
  EXPECT_THAT(sense_ids(wordnet, "house wrens"), Contains("house_wren.n.01"));
}

TEST(WordNet, FindsANameInAnyCaseAndWithAnySeparators) {
  const auto& wordnet = real_wordnet();
  const std::string wanted = "red-winged_blackbird.n.01";
  EXPECT_THAT(sense_ids(wordnet, "Red-winged Blackbird"), Contains(wanted));
  EXPECT_THAT(sense_ids(wordnet, "RED-WINGED_BLACKBIRD"), Contains(wanted));
  EXPECT_THAT(sense_ids(wordnet, "chuck-will's-widow"), Contains("chuck-will's-widow.n.01"));
  EXPECT_THAT(sense_ids(wordnet, "Chuck\u2010will\u2019s\u2010widow"), Contains("chuck-will's-widow.n.01"));
  EXPECT_THAT(sense_ids(wordnet, "coupé"), Contains("coupe.n.01"));
}

TEST(WordNet, FollowsInstanceHypernymsToo) {
  const auto& wordnet = real_wordnet();
  // Einstein is an instance of a physicist, not a kind of one.
  const auto einstein = wordnet.find("einstein.n.01");
  ASSERT_EQ(wordnet.hypernyms(einstein).size(), 1U);
  EXPECT_EQ(wordnet.id(wordnet.hypernyms(einstein)[0]), "physicist.n.01");
}

TEST(WordNet, FindsSynsetsByImageNetsWnid) {
  const auto& wordnet = real_wordnet();
  EXPECT_EQ(wordnet.id(wordnet.find_wnid("n01440764").value()), "tench.n.01");
  EXPECT_EQ(wordnet.id(wordnet.find_wnid("n15075141").value()), "toilet_tissue.n.01");
  EXPECT_EQ(wordnet.wnid(wordnet.find("tench.n.01")), "n01440764");
  EXPECT_FALSE(wordnet.find_wnid("n01440765"));
  EXPECT_FALSE(wordnet.find_wnid("n0144076"));
  EXPECT_FALSE(wordnet.find_wnid("n-1440764"));
}

TEST(WordNet, SaysWhichSensesAreNearWhenAnIdIsUnknown) {
  const auto& wordnet = real_wordnet();
  try {
    wordnet.find("bird.n.09");
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("bird.n.0"));
    EXPECT_THAT(error.what(), HasSubstr("did you mean"));
  }
  EXPECT_THROW(wordnet.find("sparrow%1:05:09::"), Error);
  EXPECT_THROW(wordnet.find(""), Error);
  EXPECT_THROW(wordnet.find("%"), Error);
  EXPECT_THROW(wordnet.find(".n."), Error);
}

// index.sense comes with the database but is not read by us: our keys are made from data.noun.
TEST(WordNet, SenseKeysAgreeWithTheSenseIndex) {
  const auto& wordnet = real_wordnet();
  std::ifstream file(WordNet::find_folder() / "index.sense");
  if (!file) GTEST_SKIP() << "no index.sense (package wordnet-sense-index)";
  std::string line;
  std::size_t nouns = 0;
  while (std::getline(file, line)) {
    std::istringstream fields(line);
    std::string key, offset;
    fields >> key >> offset;
    if (key.find("%1:") == std::string::npos) continue;
    ++nouns;
    const auto synset = wordnet.find_sense_key(key);
    ASSERT_TRUE(synset) << key;
    ASSERT_EQ(wordnet.wnid(*synset), "n" + offset) << key;
  }
  EXPECT_EQ(nouns, 146312U);  // word-sense pairs of nouns, from wnstats
}

TEST(WordNet, EverySynsetIsFoundByItsIdAndItsSenseKey) {
  const auto& wordnet = real_wordnet();
  for (SynsetIndex synset = 0; synset < wordnet.size(); ++synset) {
    ASSERT_EQ(wordnet.find_id(wordnet.id(synset)), synset);
    ASSERT_EQ(wordnet.find_sense_key(wordnet.sense_key(synset)), synset);
  }
}

TEST(WordNet, WordsThatAreNoWordsHaveNoSenses) {
  const auto& wordnet = real_wordnet();
  for (const std::string word :
       {"", " ", "-", "--", "_", "'", "(", "()", "(sparrow", ".", "...", "\xff\xfe", "鳥", "%s%n"}) {
    EXPECT_THAT(wordnet.senses(word).size(), ::testing::Lt(3U)) << word;
  }
  EXPECT_TRUE(wordnet.senses("").empty());
  EXPECT_TRUE(wordnet.senses("鳥").empty());
  EXPECT_TRUE(wordnet.senses(std::string(10'000, 'a')).empty());
  EXPECT_TRUE(wordnet.senses(std::string(129, 's')).empty());
  EXPECT_TRUE(wordnet.senses(std::string(128, 's')).empty());
  std::string long_name;
  for (int i = 0; i < 2000; ++i) long_name += "bird ";
  EXPECT_TRUE(wordnet.senses(long_name).empty());
  EXPECT_TRUE(wordnet.senses(std::string("a\0b", 3)).size() < 100);
}

// The library is not asked where it can find nothing; here it is asked always.
TEST(WordNet, LeavesOutNothingThatTheLibraryWouldFind) {
  const auto& wordnet = real_wordnet();
  const WnLibrary library(WordNet::find_folder());
  std::vector<std::string> words = {"geese",    "men-of-war", "u.s.", "boxesful", "attorneys_general",
                                    "spoonful", "xyzzy"};
  for (SynsetIndex synset = 0; synset < wordnet.size(); synset += 301) {
    const auto word = lookup_form(wordnet.name(synset));
    for (const auto* ending : {"", "s", "es", "ful", "_men", "-x"}) words.push_back(word + ending);
    auto spelt = word;
    std::replace(spelt.begin(), spelt.end(), '_', '-');
    words.push_back(spelt);
  }
  std::size_t found = 0;
  for (const auto& word : words) {
    std::set<std::string> expected, actual;
    for (const auto& entry : library.look_up(word, WnLibrary::Morphology::kApply)) {
      for (const auto offset : entry.offsets) expected.insert(fmt::format("n{:08}", offset));
    }
    for (const auto& sense : wordnet.senses(word)) actual.insert(wordnet.wnid(sense.synset));
    ASSERT_EQ(actual, expected) << word;
    found += expected.size();
  }
  EXPECT_GT(found, 1000U);
}

TEST(WordNet, AnswersSeveralThreadsAtOnce) {
  const auto& wordnet = real_wordnet();
  const std::vector<std::string> words = {"sparrow", "geese",        "red-winged blackbird",
                                          "crane",   "no such bird", "wolves"};
  std::vector<std::vector<Sense>> expected;
  for (const auto& word : words) expected.push_back(wordnet.senses(word));
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      const WordNet own;  // further objects share the library
      for (unsigned i = 0; i < 200; ++i) {
        const auto which = (i + t) % words.size();
        if ((i % 2 ? wordnet : own).senses(words[which]) != expected[which]) ++wrong;
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST(LookupForm, LeavesWhatWordNetCanSpell) {
  EXPECT_EQ(lookup_form("Black-footed  Albatross"), "black-footed_albatross");
  EXPECT_EQ(lookup_form("Heermann’s Gull"), "heermann's_gull");
  EXPECT_EQ(lookup_form("Citroën 2CV"), "citroen_2cv");
  EXPECT_EQ(lookup_form("  (odd) name!  "), "odd_name");
  EXPECT_EQ(lookup_form("Straße – Ærøskøbing"), "strasse_-_aeroskobing");
  EXPECT_EQ(lookup_form("___"), "");
  EXPECT_EQ(lookup_form("cafe\u0301"), "cafe");
}

}  // namespace
}  // namespace procsim::taxonomy

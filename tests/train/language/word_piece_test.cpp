#include "train/language/word_piece.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/base/error.hpp"
#include "tests/train/expected_values.hpp"
#include "tests/train/model_folder.hpp"

namespace procsim::train {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class SmallVocabulary : public ::testing::Test {
 protected:
  test::TemporaryFolder folder;
  // 0 … 3 are control tokens.
  std::filesystem::path file = folder.write(
      "vocab.txt", "[PAD]\n[UNK]\n[CLS]\n[SEP]\nun\n##aff\n##able\nbird\n,\ncreme\n中\n##s\nÉ\n");

  std::vector<std::int64_t> encode(std::string_view text, std::int64_t max_tokens = 64,
                                   const WordPieceOptions& options = {}) {
    return WordPiece(file, options).encode(text, max_tokens);
  }
};

TEST_F(SmallVocabulary, WordsFallIntoTheLongestPieces) {
  EXPECT_THAT(encode("Unaffable birds"), ElementsAre(2, 4, 5, 6, 7, 11, 3));
}

TEST_F(SmallVocabulary, APartThatIsNoPieceMakesTheWholeWordUnknown) {
  EXPECT_THAT(encode("bird unaffx bird"), ElementsAre(2, 7, 1, 7, 3));
}

TEST_F(SmallVocabulary, PunctuationAndIdeographsPartWords) {
  EXPECT_THAT(encode("bird,bird中bird"), ElementsAre(2, 7, 8, 7, 10, 7, 3));
}

TEST_F(SmallVocabulary, AccentsGoAwayAndControlLettersVanish) {
  EXPECT_THAT(encode("CRÈ\x01ME"), ElementsAre(2, 9, 3));
  EXPECT_THAT(encode("bi\xC2\xADrd \xFF"), ElementsAre(2, 7, 3));  // a soft hyphen; a byte that is no UTF-8
}

TEST_F(SmallVocabulary, CasedModelsKeepLettersAsTheyAre) {
  EXPECT_THAT(encode("É bird", 64, {.lower_case = false, .strip_accents = false}), ElementsAre(2, 12, 7, 3));
}

TEST_F(SmallVocabulary, LongTextsAreCutAndKeepTheirEnd) {
  EXPECT_THAT(encode("bird bird bird bird", 4), ElementsAre(2, 7, 7, 3));
  EXPECT_THAT(encode(""), ElementsAre(2, 3));
}

TEST_F(SmallVocabulary, FilesThatAreNoVocabularyAreNamed) {
  file = folder.write("words.txt", "bird\n[UNK]\n[CLS]\n");
  try {
    encode("bird");
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("words.txt is not a WordPiece vocabulary"));
    EXPECT_THAT(error.what(), HasSubstr("[SEP]"));
  }
  file = folder.write("twice.txt", "[UNK]\n[CLS]\n[SEP]\nbird\nbird\n");
  EXPECT_THROW(encode("bird"), Error);
}

TEST(WordPieceTokenizer, AgreesWithHuggingFaceOnAThousandTexts) {
  const auto folder = test::text_model_folder();
  if (!folder) GTEST_SKIP() << "no text encoder: run scripts/setup.sh --models";
  const auto expected = test::expected_values("text_encoder.json");
  const WordPiece tokenizer(*folder / "vocab.txt");
  ASSERT_EQ(expected["texts"].size(), 1000U);
  for (const auto& item : expected["texts"])
    EXPECT_EQ(tokenizer.encode(item["text"].get<std::string>(), expected["max_tokens"]),
              item["ids"].get<std::vector<std::int64_t>>())
        << item["text"];
}

}  // namespace
}  // namespace procsim::train

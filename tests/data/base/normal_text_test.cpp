#include "data/base/normal_text.hpp"

#include <gtest/gtest.h>

namespace procsim {
namespace {

TEST(NormalText, IsComposedAndTrimmed) {
  EXPECT_EQ(normal_text("Mu\u0308ller"), "M\u00FCller") << "u and a mark are the letter ü";
  EXPECT_EQ(normal_text("M\u00FCller"), "M\u00FCller");
  EXPECT_EQ(normal_text("  Ibis\t"), "Ibis");
  EXPECT_EQ(normal_text("\uFEFFIbis\u00A0\u3000"), "Ibis")
      << "byte-order mark, no-break and ideographic space";
  EXPECT_EQ(normal_text("white  ibis"), "white  ibis") << "what is inside stays";
  EXPECT_EQ(normal_text("   "), "");
  EXPECT_EQ(normal_text(""), "");
  EXPECT_EQ(normal_text("\u30AB\u3099"), "\u30AC") << "kana with a voicing mark";
  EXPECT_EQ(normal_text("\uFB01n"), "\uFB01n") << "a ligature is another spelling: look_of sees it";
}

TEST(NormalText, LooksAreEqualWhereAPersonSeesOneWord) {
  const auto ibis = look_of("White Ibis");
  for (const auto* same : {"white ibis", "WHITE  IBIS", "white_ibis", "White-ibis", " White\u00A0Ibis ",
                           "white.ibis", "\uFF37hite Ibis"})
    EXPECT_EQ(look_of(same), ibis) << same;
  EXPECT_EQ(look_of("STRASSE"), look_of("stra\u00DFe"));
  EXPECT_EQ(look_of("\uFB01n"), look_of("fin"));
  EXPECT_EQ(look_of("Mu\u0308ller"), look_of("M\u00DCLLER"));
  EXPECT_NE(look_of("Muller"), look_of("M\u00FCller")) << "another letter is another word";
  EXPECT_NE(look_of("White Ibis"), look_of("Whiteibis"));
  EXPECT_EQ(look_of("___"), "");
}

}  // namespace
}  // namespace procsim

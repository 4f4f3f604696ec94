#include "data/base/digest.hpp"

#include <gtest/gtest.h>

#include "data/base/error.hpp"
#include "tests/support/test_files.hpp"

namespace procsim {
namespace {

// Vectors of FIPS 180-2, appendix B.
TEST(Sha256, MatchesPublishedVectors) {
  EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256_hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

TEST(Sha256, OfAMillionLettersInUnevenPieces) {
  Sha256 hash;
  const std::string letters(1'000'000, 'a');
  for (std::size_t begin = 0, piece = 1; begin < letters.size(); begin += piece, piece = piece % 97 + 1) {
    hash.update(std::string_view(letters).substr(begin, piece));
  }
  EXPECT_EQ(hash.finish_hex(), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, OfAFileEqualsThatOfItsContent) {
  const test::TemporaryFolder folder;
  const std::string content(3 << 20, 'x');
  EXPECT_EQ(sha256_file(folder.write("a", content)), sha256_hex(content));
}

TEST(Sha256, OfAMissingFileNamesIt) {
  try {
    sha256_file("/no/such/file");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("/no/such/file"), std::string::npos);
  }
}

}  // namespace
}  // namespace procsim

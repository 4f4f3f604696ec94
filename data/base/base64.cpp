#include "data/base/base64.hpp"

#include <openssl/evp.h>

namespace procsim {

std::string base64(std::string_view bytes) {
  // In pieces, since libcrypto counts in int: 3 bytes become 4 letters.
  constexpr std::size_t kPiece = 3U << 20;
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  std::string letters(kPiece / 3 * 4 + 1, '\0');
  for (std::size_t begin = 0; begin < bytes.size(); begin += kPiece) {
    const auto piece = bytes.substr(begin, kPiece);
    const int length =
        EVP_EncodeBlock(reinterpret_cast<unsigned char*>(letters.data()),
                        reinterpret_cast<const unsigned char*>(piece.data()), static_cast<int>(piece.size()));
    text.append(letters, 0, static_cast<std::size_t>(length));
  }
  return text;
}

}  // namespace procsim

#include "curate/review/review_address.hpp"

#include <cstdlib>
#include <random>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "data/base/digest.hpp"
#include "data/base/error.hpp"
#include "data/files/atomic_file.hpp"

namespace procsim::curate {

namespace fs = std::filesystem;

namespace {

constexpr const char* kFile = "review.json";
constexpr const char* kFormat = "review-address/1";  // on disk: never changes

bool private_to_owner(const fs::path& file) {
  constexpr auto kOthers = fs::perms::group_all | fs::perms::others_all;
  return (fs::status(file).permissions() & kOthers) == fs::perms::none;
}

}  // namespace

std::string ReviewAddress::token() const { return sha256_hex("token\n" + secret).substr(0, 32); }
std::string ReviewAddress::card_secret() const { return sha256_hex("cards\n" + secret); }

std::string random_token() {
  std::random_device device;
  std::string token;
  for (int i = 0; i < 4; ++i) token += fmt::format("{:08x}", static_cast<std::uint32_t>(device()));
  return token;
}

ReviewAddress read_review_address(const fs::path& home) {
  ReviewAddress fresh{random_token(), 0};
  std::error_code failure;
  const auto file = home / kFile;
  if (!fs::exists(file, failure) || !private_to_owner(file)) return fresh;
  try {
    const auto json = nlohmann::json::parse(read_file(file));
    ReviewAddress address{json.at("secret"), json.at("port")};
    if (json.at("format") != kFormat || address.secret.size() < 32) return fresh;
    return address;
  } catch (const Error&) {
    return fresh;
  } catch (const nlohmann::json::exception&) {
    return fresh;
  }
}

void write_review_address(const fs::path& home, const ReviewAddress& address) {
  const nlohmann::ordered_json json{{"format", kFormat}, {"secret", address.secret}, {"port", address.port}};
  const auto text = json.dump(1) + "\n";
  auto temporary = (home / "review.json.XXXXXX").string();
  const int file = ::mkstemp(temporary.data());  // for its owner only
  if (file < 0) return;
  const bool written = ::write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  ::close(file);
  if (!written || ::rename(temporary.c_str(), (home / kFile).c_str()) != 0) ::unlink(temporary.c_str());
}

}  // namespace procsim::curate

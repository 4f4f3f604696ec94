#pragma once

#include <filesystem>
#include <string>

namespace procsim::curate {

// What stays the same when the review server of a workspace is started again: its port, if that is free, and
// a secret from which its token and the signatures of its cards are made. So a page that was open meanwhile
// goes on, and what it had not sent yet is not lost.
struct ReviewAddress {
  std::string secret;  // empty: none yet
  int port = 0;        // 0: none yet

  std::string token() const;        // for the address that reviewers are given
  std::string card_secret() const;  // does not follow from the token
};

// From `review.json` in the workspace's home (…/.procsim), made new when there is none, when it is damaged,
// or when others than its owner may read it.
ReviewAddress read_review_address(const std::filesystem::path& home);
// Readable by its owner only. A folder that cannot be written to is no error: the next start has a new
// secret.
void write_review_address(const std::filesystem::path& home, const ReviewAddress& address);

// 32 random hexadecimal letters from the system's source.
std::string random_token();

}  // namespace procsim::curate

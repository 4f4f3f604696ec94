#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "tests/support/run_program.hpp"

namespace procsim::test {

// A real S3 server (moto) on a port of this machine, with one empty bucket, "labels". It ends with the
// object.
class S3Server {
 public:
  S3Server();
  ~S3Server();
  S3Server(const S3Server&) = delete;
  S3Server& operator=(const S3Server&) = delete;

  void put(const std::string& key, const std::filesystem::path& file);
  void remove(const std::string& key);
  int reads();  // of whole objects so far

  // s3://labels/KEY with what leads to this server.
  std::string uri(const std::string& key) const;
  // Credentials that it takes, and nothing of the user's.
  static std::map<std::string, std::string> environment();

 private:
  std::string ask(const std::string& line);
  std::string answer();

  int to_ = -1, from_ = -1;
  std::optional<RunningProgram> server_;
  std::string port_;
};

}  // namespace procsim::test

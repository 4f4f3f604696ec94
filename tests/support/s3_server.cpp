#include "tests/support/s3_server.hpp"

#include <stdexcept>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

#include "tests/support/test_files.hpp"

namespace procsim::test {

S3Server::S3Server() {
  int to[2], from[2];
  if (::pipe2(to, O_CLOEXEC) != 0 || ::pipe2(from, O_CLOEXEC) != 0) throw std::runtime_error("no pipes");
  const auto script = (source_folder() / "tests/support/s3_server.py").string();
  server_.emplace(python_program().string(), std::vector{script},
                  ProgramOptions{.in = to[0], .out = from[1]});
  ::close(to[0]);
  ::close(from[1]);
  to_ = to[1];
  from_ = from[0];
  port_ = answer();
}

S3Server::~S3Server() {
  ::close(to_);  // the end of its input is the end of it
  ::close(from_);
  server_->wait();
}

void S3Server::put(const std::string& key, const std::filesystem::path& file) {
  ask("put " + key + " " + file.string());
}

void S3Server::remove(const std::string& key) { ask("delete " + key); }

int S3Server::reads() { return std::stoi(ask("requests")); }

std::string S3Server::uri(const std::string& key) const {
  return "s3://labels/" + key + "?scheme=http&endpoint_override=127.0.0.1:" + port_;
}

std::map<std::string, std::string> S3Server::environment() {
  return {{"AWS_ACCESS_KEY_ID", "testing"},
          {"AWS_SECRET_ACCESS_KEY", "testing"},
          {"AWS_DEFAULT_REGION", "us-east-1"},
          {"AWS_EC2_METADATA_DISABLED", "true"}};
}

std::string S3Server::ask(const std::string& line) {
  const auto words = line + "\n";
  if (::write(to_, words.data(), words.size()) != static_cast<ssize_t>(words.size()))
    throw std::runtime_error("the S3 server is gone");
  return answer();
}

std::string S3Server::answer() {
  std::string line;
  for (char letter = 0; ::read(from_, &letter, 1) == 1 && letter != '\n';) line += letter;
  if (line.empty()) throw std::runtime_error("the S3 server did not answer: " + python_program().string());
  return line;
}

}  // namespace procsim::test

#include "tests/support/s3_server.hpp"

#include <csignal>
#include <stdexcept>

#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/test_files.hpp"

namespace procsim::test {

S3Server::S3Server() {
  int to[2], from[2];
  if (::pipe(to) != 0 || ::pipe(from) != 0) throw std::runtime_error("no pipes");
  const auto python = python_program().string();
  const auto script = (source_folder() / "tests/support/s3_server.py").string();
  child_ = ::fork();
  if (child_ < 0) throw std::runtime_error("cannot start " + python);
  if (child_ == 0) {
    ::dup2(to[0], STDIN_FILENO);
    ::dup2(from[1], STDOUT_FILENO);
    for (const int end : {to[0], to[1], from[0], from[1]}) ::close(end);
    ::execl(python.c_str(), python.c_str(), script.c_str(), nullptr);
    ::_exit(127);
  }
  ::close(to[0]);
  ::close(from[1]);
  to_ = to[1];
  from_ = from[0];
  port_ = answer();
}

S3Server::~S3Server() {
  ::close(to_);  // the end of its input is the end of it
  ::close(from_);
  ::waitpid(child_, nullptr, 0);
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

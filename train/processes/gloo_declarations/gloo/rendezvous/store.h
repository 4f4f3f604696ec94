#pragma once
// Declarations of Gloo that LibTorch's ProcessGroupGloo.hpp names. The wheel of LibTorch holds Gloo inside its library and
// leaves its headers out. Nothing of ours makes or calls these: objects come from LibTorch and go back to it.

#include <chrono>
#include <string>
#include <vector>

namespace gloo::rendezvous {

class Store {
 public:
  virtual ~Store();
  virtual void set(const std::string& key, const std::vector<char>& value) = 0;
  virtual std::vector<char> get(const std::string& key) = 0;
  virtual void wait(const std::vector<std::string>& keys) = 0;
  virtual void wait(const std::vector<std::string>& keys, const std::chrono::milliseconds& timeout) = 0;
};

}  // namespace gloo::rendezvous

#pragma once

#include <string>

namespace procsim::train {

// What a method is, for a list.
struct MethodInfo {
  std::string name;
  std::string description;
  std::string source;
  std::string state;        // what it keeps between steps, for people; empty: nothing
  bool needs_rate = false;  // the share of wrong labels
};

}  // namespace procsim::train

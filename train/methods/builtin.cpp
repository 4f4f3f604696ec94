#include "train/methods/registry.hpp"

namespace procsim::train {

const Registry& builtin_registry() {
  static const Registry registry = [] {
    Registry built;
#define OBJECTIVE(name) built.add(name##_objective());
#define TRUST(name) built.add(name##_trust());
#define METHOD(name) built.add(name##_method());
#include "train/frame/builtin.def"
#undef OBJECTIVE
#undef TRUST
#undef METHOD
    return built;
  }();
  return registry;
}

}  // namespace procsim::train

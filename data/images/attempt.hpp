#pragma once

#include <csetjmp>

namespace procsim {

// libjpeg and libpng report errors by a jump. This is the only place it lands; what runs inside must own
// nothing that needs a destructor, because the jump skips it. False after a jump.
template <typename ErrorState, typename Call>
[[nodiscard]] bool attempt(ErrorState& state, const Call& call) {
  if (setjmp(state.landing) != 0) return false;
  call();
  return true;
}

}  // namespace procsim

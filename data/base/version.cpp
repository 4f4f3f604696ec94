#include "data/base/version.hpp"

namespace procsim {

std::string_view version() { return PROCSIM_VERSION; }

}  // namespace procsim

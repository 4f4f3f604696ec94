#include "tools/program.hpp"

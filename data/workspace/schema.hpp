#pragma once

#include "data/workspace/sqlite.hpp"

namespace procsim {

// Brings a database to the newest version of the workspace's schema, all of it or nothing; several programs
// may try at once. One that cannot be written is brought there in memory, so that it can still be read.
// Throws Error for a database of a newer program, or of another kind.
void migrate(Database& database);

}  // namespace procsim

#pragma once

#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "tools/taxo/shared/taxonomy_source.hpp"

namespace procsim::tools {

// What an override is written for: a class by its name (by its published name where two classes share the
// name), or a category of SOP. Throws Error with the nearest one.
std::string find_subject(const ClassSource& source, std::string_view text);

// Writes an override to the workspace's file, after a trial build has shown that it fits. `place` is a sense
// key or a path below one. Throws Error for a sense that is unknown or not below the root, and for a class
// that the file given with --overrides places already (that file would win).
void set_override(const BuildSession& session, const std::string& subject, const std::string& place,
                  const std::string& reason);

// Asks for each group of look-alike names whether they are one class. Returns the kept names of those that
// are: they belong into the request (DatasetOptions::merge_names), and the source is to be opened again.
std::vector<std::string> review_alike(const ClassSource& source, std::istream& in, std::ostream& out);

// A name that a person should look at.
struct ReviewItem {
  std::string subject;
  std::size_t label = 0;  // first class that has it
};
std::vector<ReviewItem> review_queue(const ClassSource& source, const taxonomy::BuiltTaxonomy& built);

// Walks through the queue, a question at a time; answers come from `in`, questions go to `out`. Decisions are
// written as they are made. Returns how many were made.
std::size_t review(const BuildSession& session, const taxonomy::BuiltTaxonomy& built, std::istream& in,
                   std::ostream& out);

}  // namespace procsim::tools

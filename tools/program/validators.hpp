#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace procsim::tools {

// What the parser refuses by itself, each with the way to write it.

// One of these words; a near miss gets the right one suggested.
CLI::Validator one_of(std::vector<std::string> words);

// Anything, but these words are what completion offers. One that ends in FILE is offered without that.
CLI::Validator offering(std::vector<std::string> words);

// The words of an option's one_of or offering; none where it has neither.
std::vector<std::string> words_of(CLI::Option& option);

// A probability written as 0.2; "20" and "20%" are refused with the way to write them.
CLI::Validator probability();

// A seed: a whole number from 0 on. CLI11 alone would take -1 for the largest one.
CLI::Validator seed();

// The same for how many of something.
CLI::Validator count();

// A path of this machine that is written to: a URI is refused. Without it, an option of a path takes the URI
// of a copy too (remote_words.hpp).
CLI::Validator written_here();
bool is_written_here(CLI::Option& option);

// How many to list, from `least` on, or all of them: "all" becomes the largest number. For Option::transform.
CLI::Validator count_or_all(std::size_t least);

}  // namespace procsim::tools

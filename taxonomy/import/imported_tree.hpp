#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "taxonomy/tree/taxonomy.hpp"

namespace procsim::taxonomy {

enum class TreeFormat { kCsv, kJson, kNewick, kObo };
std::vector<std::string> tree_format_names();
TreeFormat tree_format_from_string(std::string_view text);  // throws Error with the nearest known name
TreeFormat tree_format_of(
    const std::filesystem::path& file);  // by the ending; throws Error when it says nothing

// A tree as another tool wrote it: nodes in the order of the file, nothing checked but its syntax.
struct ImportedTree {
  struct Node {
    std::string id;    // unique where the format has ids, else empty
    std::string name;  // may be empty
    std::string gloss;
    std::vector<std::size_t> parents;  // indices; the first is the one that the tree follows
  };
  std::vector<Node> nodes;
};

// Readers throw Error with file and line (and column) for what is not their format. `source` names the file
// in errors.
//   CSV     columns child and parent (or id and parent_id), and name, gloss if there are; an empty parent
//   makes a root;
//           a child in several rows has several parents; a parent that is no child of anything is a root;
//           or a column of paths, "Home > Kitchen > Pans" (read_category_paths)
//   JSON    {"name": …, "children": […]} nested, children may be plain text; "id" and "gloss" are taken over
//   Newick  quoted names, comments; branch lengths are passed over; _ means a space in unquoted names
//   OBO     [Term] with id, name, def, is_a; obsolete terms are passed over
ImportedTree read_csv_tree(const std::filesystem::path& file);
ImportedTree read_json_tree(std::string_view text, std::string_view source);
ImportedTree read_newick_tree(std::string_view text, std::string_view source);
ImportedTree read_obo_tree(std::string_view text, std::string_view source);
ImportedTree read_tree(const std::filesystem::path& file, TreeFormat format);

// A class that a data set has.
struct WantedClass {
  std::string name;
  std::string published;
};
enum class Missing { kRefuse, kHangFromRoot };

// Turns the tree into a taxonomy. Without `wanted`, the leaves are the classes, in the file's order. With it,
// each wanted class is looked for by name or id among leaves, then inner nodes (letter case, _ and - and a
// number in front do not matter); one that is not there is an Error that lists them, or hangs from the root,
// unresolved. Several roots get one above them, named after the data set. `notes` is told what a person
// should know.
Taxonomy adopt_tree(ImportedTree tree, const std::string& dataset, std::span<const WantedClass> wanted,
                    Missing missing, std::vector<std::string>& notes);

// The same for a taxonomy file of ours: its own classes without `wanted`; with it, the wanted ones take the
// places of the classes of the same name, or hang from nodes of that name.
bool is_taxonomy_file(std::string_view json);
Taxonomy adopt_taxonomy(TaxonomyParts parts, std::span<const WantedClass> wanted, Missing missing,
                        std::vector<std::string>& notes);

// "001.Black_footed_Albatross" and "black-footed albatross" are the same name: "black footed albatross".
std::string comparable_name(std::string_view name);

}  // namespace procsim::taxonomy

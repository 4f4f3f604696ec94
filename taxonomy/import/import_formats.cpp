#include <algorithm>
#include <cctype>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "data/base/error.hpp"
#include "data/base/json_nesting.hpp"
#include "data/base/suggest.hpp"
#include "data/base/words.hpp"
#include "data/files/atomic_file.hpp"
#include "data/files/csv.hpp"
#include "data/files/file_name.hpp"
#include "taxonomy/import/category_paths.hpp"
#include "taxonomy/import/imported_tree.hpp"

namespace procsim::taxonomy {
namespace {

using nlohmann::json;

// Nodes by their id, made when first named.
class NodesById {
 public:
  explicit NodesById(ImportedTree& tree) : tree_(tree) {}

  std::size_t at(const std::string& id) {
    const auto [found, added] = index_.try_emplace(id, tree_.nodes.size());
    if (added) tree_.nodes.push_back({id, "", "", {}});
    return found->second;
  }
  void connect(std::size_t child, std::size_t parent) {
    auto& parents = tree_.nodes[child].parents;
    if (std::ranges::find(parents, parent) == parents.end()) parents.push_back(parent);
  }

 private:
  ImportedTree& tree_;
  std::unordered_map<std::string, std::size_t> index_;
};

// Position of the first column with one of these names, or npos.
std::size_t find_column(const std::vector<std::string>& header,
                        std::initializer_list<std::string_view> names) {
  for (const auto name : names) {
    for (std::size_t i = 0; i < header.size(); ++i) {
      if (lower_case(trimmed(header[i])) == name) return i;
    }
  }
  return std::string::npos;
}

// Walks through a nested object without recursion.
class JsonTreeReader {
 public:
  JsonTreeReader(ImportedTree& tree, std::string_view source) : tree_(tree), source_(source) {}

  void read(const json& top) {
    if (top.is_array()) {
      for (const auto& entry : top) waiting_.push_back({&entry, kNoParent});
      std::ranges::reverse(waiting_);
    } else {
      waiting_.push_back({&top, kNoParent});
    }
    while (!waiting_.empty()) {
      const auto next = waiting_.back();
      waiting_.pop_back();
      read_entry(*next.entry, next.parent);
    }
  }

 private:
  static constexpr auto kNoParent = static_cast<std::size_t>(-1);
  struct Waiting {
    const json* entry;
    std::size_t parent;
  };

  std::string text_of(const json& entry, const char* key) const {
    const auto found = entry.find(key);
    if (found == entry.end() || found->is_null()) return {};
    if (found->is_number_integer()) return found->dump();
    if (!found->is_string())
      throw Error(fmt::format("{}: \"{}\" must be text, not {}", source_, key, found->type_name()));
    return found->get<std::string>();
  }

  void read_entry(const json& entry, std::size_t parent) {
    ImportedTree::Node node;
    if (parent != kNoParent) node.parents.push_back(parent);
    if (entry.is_string()) {
      node.name = entry.get<std::string>();
      tree_.nodes.push_back(std::move(node));
      return;
    }
    if (!entry.is_object()) {
      throw Error(fmt::format("{}: a node must be {{\"name\": …, \"children\": […]}} or text, not {}",
                              source_, entry.type_name()));
    }
    node.id = text_of(entry, "id");
    node.name = text_of(entry, "name");
    node.gloss = text_of(entry, "gloss");
    if (node.id.empty() && node.name.empty())
      throw Error(fmt::format("{}: a node has neither \"name\" nor \"id\"", source_));
    const auto index = tree_.nodes.size();
    tree_.nodes.push_back(std::move(node));
    const auto children = entry.find("children");
    if (children == entry.end() || children->is_null()) return;
    if (!children->is_array())
      throw Error(fmt::format("{}: \"children\" must be a list, not {}", source_, children->type_name()));
    for (auto child = children->rbegin(); child != children->rend(); ++child)
      waiting_.push_back({&*child, index});
  }

  ImportedTree& tree_;
  std::string_view source_;
  std::vector<Waiting> waiting_;
};

// One pass over the text with the open groups on a stack.
class NewickReader {
 public:
  NewickReader(std::string_view text, std::string_view source) : text_(text), source_(source) {}

  ImportedTree read() {
    skip();
    if (at_end()) fail("the tree is empty");
    bool ended = false;
    begin_node();
    while (!ended) {
      skip();
      if (at_end()) fail("the tree ends without ';'");
      const char c = text_[at_];
      if (c == '(') {
        if (has_name_ || has_children_) fail("'(' in the middle of a name");
        open();
      } else if (c == ',') {
        if (stack_.size() < 2) fail("',' outside of parentheses");
        next();
      } else if (c == ')') {
        if (stack_.size() < 2) fail("')' without '('");
        close();
      } else if (c == ';') {
        if (stack_.size() > 1) fail("a '(' is never closed");
        ended = true;
        ++at_;
      } else if (c == ':') {
        ++at_;
        skip();
        read_plain();
      } else {
        if (has_name_) fail("a second name for the same node");
        tree_.nodes[stack_.back()].name = c == '\'' ? read_quoted() : read_plain();
        has_name_ = true;
      }
    }
    skip();
    if (!at_end()) fail("text after ';': one tree a file");
    return std::move(tree_);
  }

 private:
  bool at_end() const { return at_ >= text_.size(); }

  [[noreturn]] void fail(std::string_view what) const {
    throw Error(fmt::format("{}, {}: {}", source_, place_in_text(text_, at_), what));
  }

  void skip() {
    while (!at_end()) {
      if (std::isspace(static_cast<unsigned char>(text_[at_])) != 0) {
        ++at_;
      } else if (text_[at_] == '[') {
        const auto end = text_.find(']', at_);
        if (end == std::string_view::npos) fail("a comment '[' is never closed");
        at_ = end + 1;
      } else {
        return;
      }
    }
  }

  void begin_node() {
    ImportedTree::Node node;
    if (!stack_.empty()) node.parents.push_back(stack_.back());
    stack_.push_back(tree_.nodes.size());
    tree_.nodes.push_back(std::move(node));
    has_name_ = has_children_ = false;
  }
  void open() {
    ++at_;
    begin_node();
  }
  void next() {
    ++at_;
    stack_.pop_back();
    begin_node();
  }
  void close() {
    ++at_;
    stack_.pop_back();
    has_name_ = false;
    has_children_ = true;
  }

  std::string read_quoted() {
    std::string name;
    const auto start = at_++;
    for (;; ++at_) {
      if (at_end()) {
        at_ = start;
        fail("a quote is never closed");
      }
      if (text_[at_] == '\'') {
        if (at_ + 1 >= text_.size() || text_[at_ + 1] != '\'') break;
        ++at_;
      }
      name += text_[at_];
    }
    ++at_;
    return name;
  }

  std::string read_plain() {
    const auto end = std::min(text_.size(), text_.find_first_of("()[],:;' \t\r\n", at_));
    std::string name(text_.substr(at_, end - at_));
    if (name.empty()) fail("a name or number was expected");
    std::ranges::replace(name, '_', ' ');
    at_ = end;
    return name;
  }

  std::string_view text_, source_;
  std::size_t at_ = 0;
  ImportedTree tree_;
  std::vector<std::size_t> stack_;  // the node being read and its parents
  bool has_name_ = false, has_children_ = false;
};

// The text between the first two quotes that are not escaped: OBO's def: "…" [sources]
std::string quoted_part(std::string_view text) {
  const auto start = text.find('"');
  if (start == std::string_view::npos) return std::string(text);
  std::string part;
  for (auto i = start + 1; i < text.size() && text[i] != '"'; ++i) {
    if (text[i] == '\\' && i + 1 < text.size()) ++i;
    part += text[i];
  }
  return part;
}

// The id at the beginning of an OBO value, without trailing qualifiers and comment: T:2 {source="x!"} ! gull.
// Letters with a special meaning are escaped inside an id.
std::string_view obo_id(std::string_view value) {
  std::size_t end = 0;
  while (end < value.size() && value[end] != '{' && value[end] != '!') end += value[end] == '\\' ? 2 : 1;
  return trimmed(value.substr(0, std::min(end, value.size())));
}

// A name without trailing qualifiers, which hold a "key=value" at least: a name may end in braces by itself.
std::string_view obo_name(std::string_view value) {
  const auto open = value.rfind(" {");
  if (open == std::string_view::npos || !value.ends_with('}')) return value;
  return value.find('=', open) == std::string_view::npos ? value : trimmed(value.substr(0, open));
}

struct OboTerm {
  std::string id, name, gloss;
  std::vector<std::string> parents;
  bool is_obsolete = false;
};

}  // namespace

std::vector<std::string> tree_format_names() { return {"csv", "json", "newick", "obo"}; }

TreeFormat tree_format_from_string(std::string_view text) {
  const auto known = tree_format_names();
  const auto found = std::ranges::find(known, text);
  if (found != known.end()) return static_cast<TreeFormat>(found - known.begin());
  throw Error(fmt::format("unknown format '{}'{} Known: {}.", text, did_you_mean(text, known),
                          fmt::join(known, ", ")));
}

TreeFormat tree_format_of(const std::filesystem::path& file) {
  const auto ending = lower_extension(file);
  if (ending == ".csv" || ending == ".tsv") return TreeFormat::kCsv;
  if (ending == ".json") return TreeFormat::kJson;
  if (ending == ".nwk" || ending == ".newick" || ending == ".tree" || ending == ".tre")
    return TreeFormat::kNewick;
  if (ending == ".obo") return TreeFormat::kObo;
  throw Error(fmt::format(
      "{}: the ending does not say which format it is. Give --format csv|json|newick|obo.", file.string()));
}

ImportedTree read_csv_tree(const std::filesystem::path& file) {
  CsvReader reader(file);
  const auto& header = reader.header();
  const auto child = find_column(header, {"child", "id", "node"});
  const auto parent = find_column(header, {"parent", "parent_id"});
  const auto name = find_column(header, {"name"}), gloss = find_column(header, {"gloss", "definition"});
  if (child == std::string::npos || parent == std::string::npos) {
    if (parent == std::string::npos && path_column(header)) return read_category_paths(file);
    throw Error(fmt::format(
        "{}, line 1: the columns child and parent are needed, or one of paths (\"Home > Kitchen > "
        "Pans\") called path or category; found: {}",
        file.string(), fmt::join(header, ", ")));
  }
  ImportedTree tree;
  NodesById nodes(tree);
  std::vector<std::string> fields;
  while (reader.next(fields)) {
    const std::string id(trimmed(fields[child])), above(trimmed(fields[parent]));
    if (id.empty()) throw Error(fmt::format("{}, line {}: the child is empty", file.string(), reader.line()));
    const auto node = nodes.at(id);
    if (!above.empty()) nodes.connect(node, nodes.at(above));
    if (name != std::string::npos && tree.nodes[node].name.empty())
      tree.nodes[node].name = trimmed(fields[name]);
    if (gloss != std::string::npos && tree.nodes[node].gloss.empty())
      tree.nodes[node].gloss = trimmed(fields[gloss]);
  }
  return tree;
}

ImportedTree read_json_tree(std::string_view text, std::string_view source) {
  constexpr std::size_t kDeepest = 2000;  // two levels of JSON per level of the tree
  if (json_nesting(text) > kDeepest)
    throw Error(fmt::format("{}: nested more than {} levels deep", source, kDeepest / 2));
  json content;
  try {
    content = json::parse(text.begin(), text.end());
  } catch (const json::parse_error& error) {
    throw Error(fmt::format("{} is not valid JSON ({})", source,
                            place_in_text(text, std::max<std::size_t>(error.byte, 1) - 1)));
  } catch (const json::exception&) {
    throw Error(fmt::format("{} holds a number that is out of range", source));
  }
  ImportedTree tree;
  JsonTreeReader(tree, source).read(content);
  return tree;
}

ImportedTree read_newick_tree(std::string_view text, std::string_view source) {
  return NewickReader(text, source).read();
}

ImportedTree read_obo_tree(std::string_view text, std::string_view source) {
  ImportedTree tree;
  NodesById nodes(tree);
  std::size_t line_number = 0;
  bool in_term = false;
  OboTerm term;
  const auto finish = [&] {
    if (in_term && !term.is_obsolete) {
      if (term.id.empty())
        throw Error(fmt::format("{}, line {}: a [Term] ends without an id", source, line_number));
      const auto node = nodes.at(term.id);
      tree.nodes[node].name = term.name;
      tree.nodes[node].gloss = term.gloss;
      for (const auto& parent : term.parents) nodes.connect(node, nodes.at(parent));
    }
    term = {};
  };
  while (!text.empty()) {
    const auto end = std::min(text.size(), text.find('\n'));
    const auto line = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(text.size(), end + 1));
    ++line_number;
    if (line.starts_with('[')) {
      finish();
      in_term = line == "[Term]";
      continue;
    }
    const auto colon = line.find(':');
    if (!in_term || colon == std::string_view::npos || line.starts_with('!')) continue;
    const auto key = line.substr(0, colon);
    const auto value = trimmed(line.substr(colon + 1));
    if (key == "id") term.id = obo_id(value);
    if (key == "name") term.name = obo_name(value);
    if (key == "def") term.gloss = quoted_part(value);
    if (key == "is_a") term.parents.emplace_back(obo_id(value));
    if (key == "is_obsolete") term.is_obsolete = obo_id(value) == "true";
  }
  finish();
  if (tree.nodes.empty()) throw Error(fmt::format("{} has no [Term]: is it an OBO file?", source));
  return tree;
}

ImportedTree read_tree(const std::filesystem::path& file, TreeFormat format) {
  if (format == TreeFormat::kCsv) return read_csv_tree(file);
  const auto text = read_file(file);
  if (format == TreeFormat::kJson) return read_json_tree(text, file.string());
  if (format == TreeFormat::kNewick) return read_newick_tree(text, file.string());
  return read_obo_tree(text, file.string());
}

}  // namespace procsim::taxonomy

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "data/base/error.hpp"
#include "data/base/json_nesting.hpp"
#include "data/base/words.hpp"
#include "taxonomy/tree/taxonomy.hpp"

namespace procsim::taxonomy {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

// format object, list of nodes, node, list of parents: nothing in the format is deeper.
constexpr std::size_t kDeepest = 8;

json parse(std::string_view text, std::string_view source) {
  if (json_nesting(text) > kDeepest)
    throw Error(fmt::format("{} is nested too deeply to be a taxonomy", source));
  try {
    return json::parse(text.begin(), text.end());
  } catch (const json::parse_error& error) {
    throw Error(fmt::format("{} is not valid JSON ({}). Build the taxonomy again with taxo build.", source,
                            place_in_text(text, std::max<std::size_t>(error.byte, 1) - 1)));
  } catch (const json::exception&) {  // a number too large for a double
    throw Error(fmt::format("{} is not a taxonomy: it holds a number that is out of range", source));
  }
}

// One object of the file, with where it stands for error messages.
class Entry {
 public:
  Entry(const json& value, std::string where) : value_(value), where_(std::move(where)) {
    if (!value_.is_object())
      throw Error(fmt::format("{} must be an object, not {}", where_, value_.type_name()));
  }

  std::string text(const char* key) const {
    const auto& found = at(key);
    if (!found.is_string()) throw wrong(key, "text", found);
    return found.get<std::string>();
  }
  const json& list(const char* key) const {
    const auto& found = at(key);
    if (!found.is_array()) throw wrong(key, "a list", found);
    return found;
  }
  std::int64_t integer(const char* key) const {
    const auto& found = at(key);
    constexpr auto kLargest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    const bool fits =
        found.is_number_unsigned() ? found.get<std::uint64_t>() <= kLargest : found.is_number_integer();
    if (!fits) throw wrong(key, "a whole number", found);
    return found.get<std::int64_t>();
  }
  double share(const char* key) const {
    const auto& found = at(key);
    if (!found.is_number() || found.get<double>() < 0 || found.get<double>() > 1)
      throw wrong(key, "a number between 0 and 1", found);
    return found.get<double>();
  }
  bool has(const char* key) const { return value_.contains(key); }
  bool is_null(const char* key) const { return at(key).is_null(); }
  const std::string& where() const { return where_; }

 private:
  const json& at(const char* key) const {
    const auto found = value_.find(key);
    if (found == value_.end()) throw Error(fmt::format("{} has no \"{}\"", where_, key));
    return *found;
  }
  Error wrong(const char* key, std::string_view expected, const json& found) const {
    return Error(fmt::format("\"{}\" of {} must be {}, not {}", key, where_, expected,
                             found.is_number() ? "such a number" : found.type_name()));
  }

  const json& value_;
  std::string where_;
};

void check_format(const Entry& file) {
  const auto format = file.text("format");
  if (format != kTaxonomyFormat) {
    throw Error(
        fmt::format("{} is a file of format \"{}\", expected \"{}\"", file.where(), format, kTaxonomyFormat));
  }
  const auto version = file.integer("version");
  if (version > kTaxonomyVersion) {
    throw Error(fmt::format("{} is version {}, this program reads up to {}. Use a newer program.",
                            file.where(), version, kTaxonomyVersion));
  }
  if (version < 1) throw Error(fmt::format("{} is version {}, which never existed", file.where(), version));
}

class NodeIds {
 public:
  void add(const std::string& id, const std::string& where) {
    const auto index = static_cast<NodeIndex>(index_.size());
    if (!index_.try_emplace(id, index).second)
      throw Error(fmt::format("{}: the id '{}' occurs twice", where, id));
  }
  NodeIndex find(const std::string& id, const std::string& where) const {
    const auto found = index_.find(id);
    if (found == index_.end())
      throw Error(fmt::format("{} names the parent '{}', which is not a node", where, id));
    return found->second;
  }

 private:
  std::unordered_map<std::string, NodeIndex> index_;
};

void read_nodes(const json& list, std::string_view source, TaxonomyParts& parts) {
  const auto where = [&](std::size_t i) { return fmt::format("{}: node {}", source, i); };
  NodeIds ids;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Entry entry(list[i], where(i));
    parts.nodes.push_back(
        {entry.text("id"), entry.text("name"), entry.text("gloss"), entry.text("sense_key")});
    ids.add(parts.nodes.back().id, entry.where());
  }
  parts.tree_parent.resize(list.size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Entry entry(list[i], where(i));
    const auto child = static_cast<NodeIndex>(i);
    if (!entry.is_null("parent")) {
      parts.tree_parent[i] = ids.find(entry.text("parent"), entry.where());
      parts.edges.push_back({child, *parts.tree_parent[i]});
    }
    if (!entry.has("other_parents")) continue;
    for (const auto& other : entry.list("other_parents")) {
      if (!other.is_string()) throw Error(fmt::format("{}: \"other_parents\" must hold text", entry.where()));
      parts.edges.push_back({child, ids.find(other.get<std::string>(), entry.where())});
    }
  }
}

void read_classes(const json& list, std::string_view source, TaxonomyParts& parts) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Entry entry(list[i], fmt::format("{}: class {}", source, i));
    const auto label = entry.integer("label");
    if (label != static_cast<std::int64_t>(i)) {
      throw Error(fmt::format("{} has label {}: labels must count up from 0", entry.where(), label));
    }
    TaxonomyClass c{entry.text("name"),
                    entry.text("published"),
                    entry.text("node"),
                    Resolution::kImported,
                    entry.text("matched"),
                    entry.text("reason"),
                    entry.has("doubt") ? entry.text("doubt") : std::string(),
                    entry.has("doubt_level") ? entry.share("doubt_level") : 0};
    const auto how = entry.text("how");
    try {
      c.how = resolution_from_string(how);
    } catch (const Error& error) {
      throw Error(fmt::format("{}: {}", entry.where(), error.what()));
    }
    parts.classes.push_back(std::move(c));
  }
}

ordered_json node_json(const Taxonomy& taxonomy, NodeIndex index) {
  const auto& node = taxonomy.node(index);
  const auto parent = taxonomy.parent(index);
  ordered_json entry{
      {"id", node.id}, {"name", node.name}, {"gloss", node.gloss}, {"sense_key", node.sense_key}};
  entry["parent"] = parent ? ordered_json(taxonomy.node(*parent).id) : ordered_json(nullptr);
  ordered_json others = ordered_json::array();
  for (const auto other : taxonomy.parents(index)) {
    if (other != parent) others.push_back(taxonomy.node(other).id);
  }
  if (!others.empty()) entry["other_parents"] = std::move(others);
  return entry;
}

ordered_json class_json(const Taxonomy& taxonomy, std::int32_t label) {
  const auto& c = taxonomy.class_at(label);
  ordered_json entry{{"label", label},    {"name", c.name},          {"published", c.published},
                     {"node", c.node},    {"how", to_string(c.how)}, {"matched", c.matched},
                     {"reason", c.reason}};
  if (!c.doubt.empty()) entry["doubt"] = c.doubt;
  if (c.doubt_level > 0) entry["doubt_level"] = std::round(c.doubt_level * 100) / 100;
  return entry;
}

}  // namespace

// A node or class a line, so that two versions can be compared with any diff.
std::string Taxonomy::to_json() const {
  std::string text =
      fmt::format("{{\n\"format\": \"{}\",\n\"version\": {},\n", kTaxonomyFormat, kTaxonomyVersion);
  text += fmt::format("\"dataset\": {},\n\"nodes\": [", ordered_json(dataset()).dump());
  for (NodeIndex i = 0; i < node_count(); ++i) {
    text += i == 0 ? "\n" : ",\n";
    text += node_json(*this, i).dump();
  }
  text += "\n],\n\"classes\": [";
  for (std::int32_t label = 0; label < class_count(); ++label) {
    text += label == 0 ? "\n" : ",\n";
    text += class_json(*this, label).dump();
  }
  text += "\n]\n}\n";
  return text;
}

TaxonomyParts taxonomy_parts_from_json(std::string_view text, std::string_view source) {
  const auto content = parse(text, source);
  const Entry file(content, std::string(source));
  check_format(file);
  TaxonomyParts parts;
  parts.dataset = file.text("dataset");
  read_nodes(file.list("nodes"), source, parts);
  read_classes(file.list("classes"), source, parts);
  return parts;
}

Taxonomy Taxonomy::from_json(std::string_view text, std::string_view source) {
  auto parts = taxonomy_parts_from_json(text, source);
  try {
    return Taxonomy(std::move(parts));
  } catch (const Error& error) {
    throw Error(fmt::format("{}: {}", source, error.what()));
  }
}

}  // namespace procsim::taxonomy

#include "taxonomy/resolve/overrides.hpp"

#include <algorithm>
#include <unordered_map>

#include "embedded/cars196_overrides.hpp"
#include "embedded/cub200_overrides.hpp"
#include "embedded/sop_overrides.hpp"
#include <fmt/format.h>

#include "data/base/error.hpp"
#include "data/base/suggest.hpp"
#include "data/base/words.hpp"
#include "data/files/atomic_file.hpp"

namespace procsim::taxonomy {
namespace {

std::vector<std::string_view> split(std::string_view text, std::string_view separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const auto end = text.find(separator);
    parts.push_back(trimmed(text.substr(0, end)));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + separator.size());
  }
}

bool is_entry(std::string_view line) {
  const auto text = trimmed(line);
  return !text.empty() && text.front() != '#';
}

Override parse_line(std::string_view line, std::string where) {
  const auto fields = split(line, "\t");
  if (fields.size() != 3) {
    throw Error(fmt::format("{}: {} fields parted by tabs where there must be 3 (class, sense key, reason)",
                            where, fields.size()));
  }
  // Parted by " / " with blanks, since a model may be called "C/V".
  const auto path = split(fields[1], " / ");
  Override entry{std::string(fields[0]), std::string(path[0]), {}, std::string(fields[2]), std::move(where)};
  entry.below.assign(path.begin() + 1, path.end());
  if (entry.class_name.empty()) throw Error(fmt::format("{}: the class is empty", entry.source));
  if (entry.sense.empty()) throw Error(fmt::format("{}: the sense key is empty", entry.source));
  for (const auto& name : entry.below) {
    if (name.empty()) throw Error(fmt::format("{}: a node's name in '{}' is empty", entry.source, fields[1]));
  }
  return entry;
}

std::string to_line(const Override& entry) {
  // A tab or line end would end the field.
  const auto clean = [](std::string text) {
    std::replace_if(
        text.begin(), text.end(), [](char c) { return c == '\t' || c == '\n' || c == '\r'; }, ' ');
    return text;
  };
  std::string path = entry.sense;
  for (const auto& name : entry.below) path += " / " + name;
  return clean(entry.class_name) + '\t' + clean(path) + '\t' + clean(entry.reason) + '\n';
}

}  // namespace

bool is_sense_key(std::string_view part) { return part.find('%') != std::string_view::npos; }

std::vector<Override> parse_overrides(std::string_view text, std::string_view source) {
  std::vector<Override> entries;
  std::unordered_map<std::string, std::string> seen;
  std::size_t number = 0;
  for (const auto line : split_lines(text)) {
    ++number;
    if (!is_entry(line)) continue;
    entries.push_back(parse_line(line, fmt::format("{}:{}", source, number)));
    const auto& entry = entries.back();
    const auto [before, fresh] = seen.emplace(entry.class_name, entry.source);
    if (!fresh) {
      throw Error(fmt::format("{}: '{}' has an override already ({}); keep one of them", entry.source,
                              entry.class_name, before->second));
    }
  }
  return entries;
}

std::vector<Override> read_overrides(const std::filesystem::path& file) {
  return parse_overrides(read_file(file), file.string());
}

std::vector<Override> built_in_overrides(std::string_view dataset) {
  std::string_view text;
  if (dataset == "cars196") text = embedded::cars196_overrides();
  if (dataset == "cub200") text = embedded::cub200_overrides();
  if (dataset == "sop") text = embedded::sop_overrides();
  auto entries = parse_overrides(text, fmt::format("built-in {}.tsv", dataset));
  for (auto& entry : entries) entry.built_in = true;
  return entries;
}

void save_override(const std::filesystem::path& file, const Override& entry) {
  std::string text = "# class\tsense key [ / node … ]\treason\n";
  std::error_code ignored;
  if (std::filesystem::exists(file, ignored)) text = read_file(file);
  parse_overrides(text, file.string());  // a file that is wrong already is not made worse
  std::string result;
  bool replaced = false;
  for (const auto line : split_lines(text)) {
    const bool same = is_entry(line) && split(line, "\t")[0] == entry.class_name;
    result += same ? to_line(entry) : std::string(line) + '\n';
    replaced = replaced || same;
  }
  if (!replaced) result += to_line(entry);
  write_file(file, result, IfExists::kReplace);
}

std::vector<std::optional<Override>> match_overrides(std::span<const DatasetClass> classes,
                                                     std::span<const std::vector<Override>> lists) {
  std::unordered_multimap<std::string, std::size_t> by_name;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < classes.size(); ++i) {
    std::vector<std::string> own = {classes[i].name, classes[i].published, classes[i].super_class};
    std::sort(own.begin(), own.end());
    own.erase(std::unique(own.begin(), own.end()), own.end());
    for (auto& name : own) {
      if (name.empty()) continue;
      by_name.emplace(name, i);
      names.push_back(std::move(name));
    }
  }
  std::vector<std::optional<Override>> matched(classes.size());
  for (const auto& list : lists) {
    for (const auto& entry : list) {
      const auto [first, last] = by_name.equal_range(entry.class_name);
      if (first == last && entry.built_in) continue;
      if (first == last) {
        throw Error(fmt::format("{}: there is no class '{}'{}", entry.source, entry.class_name,
                                did_you_mean(entry.class_name, names)));
      }
      for (auto place = first; place != last; ++place) matched[place->second] = entry;
    }
  }
  return matched;
}

}  // namespace procsim::taxonomy

#include "curate/exchange/exchange_names.hpp"

#include <filesystem>

#include <fmt/format.h>

#include "data/base/error.hpp"
#include "data/sets/sample_path.hpp"

namespace procsim::curate {
namespace {

namespace fs = std::filesystem;

std::string without_extension(const fs::path& path) {
  return (path.parent_path() / path.stem()).generic_string();
}

std::string short_name(std::string_view sample_path) {
  if (parse_sample_path(sample_path).row) return file_path_of(sample_path);
  return without_extension(sample_path);
}

}  // namespace

std::string file_path_of(std::string_view sample_path) {
  const auto parsed = parse_sample_path(sample_path);
  if (!parsed.row) return std::string(sample_path);
  return fmt::format("{}-row-{}{}{}", without_extension(parsed.file), *parsed.row,
                     parsed.column.empty() ? "" : "-", parsed.column);
}

ExchangeNames::ExchangeNames(const ScoreTable& table) : table_(table) {
  for (std::uint32_t row = 0; row < table.size(); ++row) {
    auto name = short_name(table.path(row));
    if (name != table.path(row)) add(std::move(name), row);
    add(std::string(table.path(row)), row);
  }
}

void ExchangeNames::add(std::string name, std::uint32_t row) {
  const auto [found, fresh] = row_of_.try_emplace(std::move(name), row);
  if (!fresh) found->second = kSeveral;
}

std::string ExchangeNames::name(std::int64_t sample) const {
  const auto row = table_.find(sample).value();
  const auto name = short_name(table_.path(row));
  return row_of_.at(name) == row ? name : std::string(table_.path(row));
}

std::optional<std::uint32_t> ExchangeNames::find(std::string_view name) const {
  for (auto rest = name;;) {
    if (const auto found = row_of_.find(std::string(rest)); found != row_of_.end()) {
      if (found->second == kSeveral)
        throw Error(fmt::format("several scored samples are called '{}'; name them by a sample_id", rest));
      return found->second;
    }
    const auto cut = rest.find_first_of("/=");
    if (cut == std::string_view::npos) return std::nullopt;
    rest.remove_prefix(cut + 1);
  }
}

}  // namespace procsim::curate

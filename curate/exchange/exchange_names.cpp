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
  const auto rows = static_cast<std::uint32_t>(table.size());
  for (std::uint32_t row = 0; row < rows; ++row) add(row_of_, std::string(table.path(row)), row);
  std::unordered_map<std::string, std::uint32_t> shortened;
  for (std::uint32_t row = 0; row < rows; ++row) {
    add(shortened, short_name(table.path(row)), row);
    if (!parse_sample_path(table.path(row)).row) continue;
    for (const auto* ending : {".jpg", ".png"}) add(shortened, file_path_of(table.path(row)) + ending, row);
  }
  row_of_.merge(shortened);  // a whole path of another row stands already and stays
}

void ExchangeNames::add(std::unordered_map<std::string, std::uint32_t>& names, std::string name,
                        std::uint32_t row) {
  const auto [found, fresh] = names.try_emplace(std::move(name), row);
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

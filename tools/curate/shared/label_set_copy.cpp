#include "tools/curate/shared/label_set_copy.hpp"

#include <memory>
#include <system_error>

#include <fmt/format.h>

#include "data/base/error.hpp"
#include "data/files/file_name.hpp"
#include "data/labels/label_table.hpp"
#include "tools/program/program.hpp"

namespace procsim::tools {

namespace {

void copy_content(const std::filesystem::path& from, const std::filesystem::path& to) {
  std::error_code code;
  std::filesystem::copy_file(from, to, std::filesystem::copy_options::overwrite_existing, code);
  if (code) throw Error(fmt::format("cannot write {}: {}", to.string(), code.message()));
}

}  // namespace

void check_label_set_ending(const OutputOptions& output) {
  if (!output.path) return;
  const auto ending = lower_extension(*output.path);
  if (ending != ".csv" && ending != ".parquet")
    throw UsageError(
        fmt::format("the ending of --output decides what is written: .csv or .parquet, not '{}'", ending));
}

void refuse_existing(const OutputOptions& output) {
  if (output.path && !output.force && std::filesystem::exists(*output.path))
    throw Error(fmt::format("{} already exists. Use --force to replace it.", output.path->string()));
}

void write_copy(const std::filesystem::path& labels, const std::filesystem::path& out, IfExists if_exists,
                FileChanges& files) {
  const auto file = std::make_shared<AtomicFile>(out, if_exists);
  if (lower_extension(out) == ".csv")
    write_label_table(labels, *file);
  else
    copy_content(labels, file->path());
  files.add(*file, file);
}

}  // namespace procsim::tools

#include "train/models/safetensors.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <limits>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "data/base/error.hpp"
#include "data/base/json_nesting.hpp"

namespace procsim::train {
namespace {

static_assert(std::endian::native == std::endian::little, "safetensors are little-endian");

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::uint64_t kMaxHeader = 100'000'000;  // the format's own limit
constexpr std::size_t kMaxDimensions = 16;

struct Type {
  std::string_view name;
  torch::ScalarType scalar;
};
constexpr std::array<Type, 9> kTypes{{{"F32", torch::kFloat32},
                                      {"F16", torch::kFloat16},
                                      {"BF16", torch::kBFloat16},
                                      {"F64", torch::kFloat64},
                                      {"I64", torch::kInt64},
                                      {"I32", torch::kInt32},
                                      {"I16", torch::kInt16},
                                      {"U8", torch::kUInt8},
                                      {"BOOL", torch::kBool}}};

[[noreturn]] void damaged(const fs::path& path, std::string_view why) {
  throw Error(
      fmt::format("{} is not a whole safetensors file: {}. Fetch or export it again.", path.string(), why));
}

void refuse_pickle(const fs::path& path, std::string_view start) {
  const bool zip = start.starts_with("PK\x03\x04");
  const bool pickle = start.size() >= 2 && start[0] == '\x80' && start[1] >= 2 && start[1] <= 5;
  const bool tar = start.size() > 262 && start.substr(257, 5) == "ustar";
  if (!zip && !pickle && !tar) return;
  auto target = path;
  target.replace_extension(".safetensors");
  throw Error(
      fmt::format("{} is a pickle, which can run code when it is read: not opened. Convert it once: "
                  "scripts/convert_weights.py {} {}",
                  path.string(), path.string(), target.string()));
}

struct Opened {
  std::ifstream stream;
  std::uint64_t data_start = 0;
  std::uint64_t data_size = 0;
  json header;
};

Opened open(const fs::path& path) {
  Opened opened;
  opened.stream.open(path, std::ios::binary);
  if (!opened.stream || fs::is_directory(path)) throw Error(fmt::format("cannot read {}", path.string()));
  const std::uint64_t size = fs::file_size(path);
  std::string start(std::min<std::uint64_t>(size, 512), '\0');
  opened.stream.read(start.data(), static_cast<std::streamsize>(start.size()));
  refuse_pickle(path, start);
  if (size < 8) damaged(path, "it has fewer than 8 bytes");
  std::uint64_t length = 0;
  std::memcpy(&length, start.data(), 8);
  if (length > kMaxHeader) damaged(path, fmt::format("its header claims {} bytes", length));
  if (length > size - 8)
    damaged(path, fmt::format("its header claims {} bytes of a file of {}", length, size));
  std::string text(length, '\0');
  opened.stream.seekg(8);
  opened.stream.read(text.data(), static_cast<std::streamsize>(length));
  if (!opened.stream) damaged(path, "its header cannot be read");
  opened.header = parse_json<json>(text);
  if (!opened.header.is_object()) damaged(path, "its header is not a JSON object");
  opened.data_start = 8 + length;
  opened.data_size = size - opened.data_start;
  return opened;
}

std::map<std::string, std::string> metadata_of(const json& header, const fs::path& path) {
  std::map<std::string, std::string> metadata;
  const auto found = header.find("__metadata__");
  if (found == header.end()) return metadata;
  if (!found->is_object()) damaged(path, "__metadata__ is not an object");
  for (const auto& [key, value] : found->items()) {
    if (!value.is_string()) damaged(path, fmt::format("metadata '{}' is not text", key));
    metadata[key] = value.get<std::string>();
  }
  return metadata;
}

struct Entry {
  torch::ScalarType type = torch::kFloat32;
  std::vector<std::int64_t> shape;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

std::uint64_t unsigned_number(const json& value, const fs::path& path, const std::string& name) {
  if (!value.is_number_unsigned())
    damaged(path, fmt::format("tensor '{}' has a size that is no whole number", name));
  return value.get<std::uint64_t>();
}

Entry entry_of(const std::string& name, const json& value, const Opened& opened, const fs::path& path) {
  const bool complete = value.is_object() && value.contains("dtype") && value["dtype"].is_string() &&
                        value.contains("shape") && value["shape"].is_array() &&
                        value.contains("data_offsets") && value["data_offsets"].is_array() &&
                        value["data_offsets"].size() == 2;
  if (!complete) damaged(path, fmt::format("tensor '{}' lacks dtype, shape or data_offsets", name));
  Entry entry;
  const auto dtype = value["dtype"].get<std::string>();
  const auto type =
      std::find_if(kTypes.begin(), kTypes.end(), [&](const Type& known) { return known.name == dtype; });
  if (type == kTypes.end()) damaged(path, fmt::format("tensor '{}' has the unknown type {}", name, dtype));
  entry.type = type->scalar;
  if (value["shape"].size() > kMaxDimensions)
    damaged(path, fmt::format("tensor '{}' has too many dimensions", name));
  std::uint64_t bytes = c10::elementSize(entry.type);
  for (const auto& side : value["shape"]) {
    const auto extent = unsigned_number(side, path, name);
    if (extent > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()) ||
        (extent != 0 && bytes > std::numeric_limits<std::uint64_t>::max() / extent))
      damaged(path, fmt::format("tensor '{}' is impossibly large", name));
    bytes *= extent;
    entry.shape.push_back(static_cast<std::int64_t>(extent));
  }
  entry.begin = unsigned_number(value["data_offsets"][0], path, name);
  entry.end = unsigned_number(value["data_offsets"][1], path, name);
  if (entry.begin > entry.end || entry.end - entry.begin != bytes)
    damaged(path, fmt::format("tensor '{}' has {} bytes where its shape asks for {}", name,
                              entry.end - entry.begin, bytes));
  if (entry.end > opened.data_size)
    damaged(path, fmt::format("tensor '{}' ends {} bytes behind the end of the file", name,
                              entry.end - opened.data_size));
  return entry;
}

std::string_view type_name(torch::ScalarType scalar) {
  for (const auto& type : kTypes)
    if (type.scalar == scalar) return type.name;
  throw std::logic_error("a tensor type that safetensors has no name for");
}

}  // namespace

std::map<std::string, torch::Tensor> TensorFile::below(std::string_view prefix) const {
  std::map<std::string, torch::Tensor> found;
  for (const auto& [name, tensor] : tensors)
    if (name.starts_with(prefix)) found[name.substr(prefix.size())] = tensor;
  return found;
}

TensorFile read_safetensors(const fs::path& path) {
  auto opened = open(path);
  TensorFile file;
  file.metadata = metadata_of(opened.header, path);
  for (const auto& [name, value] : opened.header.items()) {
    if (name == "__metadata__") continue;
    const auto entry = entry_of(name, value, opened, path);
    auto tensor = torch::empty(entry.shape, entry.type);
    opened.stream.seekg(static_cast<std::streamoff>(opened.data_start + entry.begin));
    opened.stream.read(static_cast<char*>(tensor.data_ptr()),
                       static_cast<std::streamsize>(entry.end - entry.begin));
    if (!opened.stream) damaged(path, fmt::format("tensor '{}' cannot be read", name));
    file.tensors.emplace(name, std::move(tensor));
  }
  return file;
}

std::map<std::string, std::string> read_safetensors_metadata(const fs::path& path) {
  return metadata_of(open(path).header, path);
}

void write_safetensors(const fs::path& path, const TensorFile& file, IfExists if_exists) {
  nlohmann::ordered_json header;
  if (!file.metadata.empty()) header["__metadata__"] = file.metadata;
  std::uint64_t offset = 0;
  std::vector<torch::Tensor> flat;
  for (const auto& [name, tensor] : file.tensors) {
    flat.push_back(tensor.detach().cpu().contiguous());
    const auto bytes = static_cast<std::uint64_t>(flat.back().nbytes());
    header[name] = {{"dtype", type_name(tensor.scalar_type())},
                    {"shape", flat.back().sizes().vec()},
                    {"data_offsets", {offset, offset + bytes}}};
    offset += bytes;
  }
  std::string text = header.is_null() ? "{}" : header.dump();
  text.append((8 - text.size() % 8) % 8, ' ');
  const std::uint64_t length = text.size();
  AtomicFile out(path, if_exists);
  out.write(std::string_view(reinterpret_cast<const char*>(&length), 8));
  out.write(text);
  for (const auto& tensor : flat)
    out.write(std::string_view(static_cast<const char*>(tensor.data_ptr()), tensor.nbytes()));
  out.commit();
}

}  // namespace procsim::train

#include "train/reports/event_file.hpp"

#include <bit>
#include <cmath>
#include <cstring>

#include <boost/crc.hpp>

namespace procsim::train {
namespace {

template <typename Number>
void append_raw(std::string& out, Number number) {
  char bytes[sizeof(Number)];
  std::memcpy(bytes, &number, sizeof(Number));
  out.append(bytes, sizeof(Number));
}

// The little of the protocol-buffer wire format that an event needs.
void append_varint(std::string& out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) out += static_cast<char>((value & 0x7F) | 0x80);
  out += static_cast<char>(value);
}

enum WireType : std::uint64_t { kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5 };

void append_key(std::string& out, std::uint64_t field, WireType type) {
  append_varint(out, field << 3 | type);
}

void append_bytes(std::string& out, std::uint64_t field, std::string_view bytes) {
  append_key(out, field, kBytes);
  append_varint(out, bytes.size());
  out += bytes;
}

// TFRecord: length, its masked checksum, the data, its masked checksum.
void append_record(std::string& out, const std::string& data) {
  const auto masked = [](std::string_view bytes) { return std::rotr(crc32c(bytes), 15) + 0xA282EAD8U; };
  std::string length;
  append_raw(length, static_cast<std::uint64_t>(data.size()));
  out += length;
  append_raw(out, masked(length));
  out += data;
  append_raw(out, masked(data));
}

std::string event(double wall_time, std::int64_t step) {
  std::string out;
  append_key(out, 1, kFixed64);
  append_raw(out, wall_time);
  append_key(out, 2, kVarint);
  append_varint(out, static_cast<std::uint64_t>(step));
  return out;
}

std::string scalar_event(std::int64_t step, std::string_view tag, float number) {
  std::string value;
  append_bytes(value, 1, tag);
  append_key(value, 2, kFixed32);
  append_raw(value, number);
  std::string summary;
  append_bytes(summary, 1, value);
  auto out = event(static_cast<double>(step), step);
  append_bytes(out, 5, summary);
  return out;
}

}  // namespace

std::uint32_t crc32c(std::string_view bytes) {
  boost::crc_optimal<32, 0x1EDC6F41, 0xFFFFFFFF, 0xFFFFFFFF, true, true> crc;
  crc.process_bytes(bytes.data(), bytes.size());
  return crc.checksum();
}

std::string tensorboard_events(std::span<const EpochRecord> records) {
  std::string file;
  auto header = event(0, 0);
  append_bytes(header, 3, "brain.Event:2");
  append_record(file, header);
  for (const auto& record : records)
    for (const auto& [name, value] : record.metrics)
      if (std::isfinite(value))
        append_record(file, scalar_event(record.epoch, name, static_cast<float>(value)));
  return file;
}

}  // namespace procsim::train

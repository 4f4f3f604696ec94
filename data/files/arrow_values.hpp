#pragma once

// Values of Arrow's arrays, whatever their width. Included by sources of data/ only.

#include <cstdint>
#include <string_view>

#include <arrow/api.h>
#include <arrow/util/float16.h>

namespace procsim {

// Text of any width, or a dictionary of it.
bool is_text(const arrow::DataType& type);
// Row i of such an array; it must not be null.
std::string_view text_at(const arrow::Array& array, std::int64_t i);
// Such an array without nulls as plain strings, copied unless it is one.
arrow::Result<std::shared_ptr<arrow::StringArray>> as_strings(const std::shared_ptr<arrow::Array>& array);

// Calls `take(i, value)` with each number of an array, of its C++ type; false when it holds no numbers. What
// it gives for nulls means nothing.
template <typename Take>
bool each_number(const arrow::Array& array, Take&& take) {
  const auto each = [&](const auto& numbers) {
    for (std::int64_t i = 0; i < numbers.length(); ++i) take(i, numbers.Value(i));
    return true;
  };
  switch (array.type_id()) {
    case arrow::Type::INT8:
      return each(static_cast<const arrow::Int8Array&>(array));
    case arrow::Type::INT16:
      return each(static_cast<const arrow::Int16Array&>(array));
    case arrow::Type::INT32:
      return each(static_cast<const arrow::Int32Array&>(array));
    case arrow::Type::INT64:
      return each(static_cast<const arrow::Int64Array&>(array));
    case arrow::Type::UINT8:
      return each(static_cast<const arrow::UInt8Array&>(array));
    case arrow::Type::UINT16:
      return each(static_cast<const arrow::UInt16Array&>(array));
    case arrow::Type::UINT32:
      return each(static_cast<const arrow::UInt32Array&>(array));
    case arrow::Type::UINT64:
      return each(static_cast<const arrow::UInt64Array&>(array));
    case arrow::Type::FLOAT:
      return each(static_cast<const arrow::FloatArray&>(array));
    case arrow::Type::DOUBLE:
      return each(static_cast<const arrow::DoubleArray&>(array));
    case arrow::Type::HALF_FLOAT: {
      const auto& halves = static_cast<const arrow::HalfFloatArray&>(array);
      for (std::int64_t i = 0; i < halves.length(); ++i) {
        take(i, arrow::util::Float16::FromBits(halves.Value(i)).ToFloat());
      }
      return true;
    }
    default:
      return false;
  }
}

}  // namespace procsim

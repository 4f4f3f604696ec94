#include "data/files/arrow_values.hpp"

namespace procsim {

bool is_text(const arrow::DataType& type) {
  switch (type.id()) {
    case arrow::Type::STRING:
    case arrow::Type::LARGE_STRING:
    case arrow::Type::STRING_VIEW:
      return true;
    case arrow::Type::DICTIONARY:
      return is_text(*static_cast<const arrow::DictionaryType&>(type).value_type());
    default:
      return false;
  }
}

std::string_view text_at(const arrow::Array& array, std::int64_t i) {
  switch (array.type_id()) {
    case arrow::Type::STRING:
      return static_cast<const arrow::StringArray&>(array).GetView(i);
    case arrow::Type::LARGE_STRING:
      return static_cast<const arrow::LargeStringArray&>(array).GetView(i);
    case arrow::Type::STRING_VIEW:
      return static_cast<const arrow::StringViewArray&>(array).GetView(i);
    default: {
      const auto& coded = static_cast<const arrow::DictionaryArray&>(array);
      return text_at(*coded.dictionary(), coded.GetValueIndex(i));
    }
  }
}

arrow::Result<std::shared_ptr<arrow::StringArray>> as_strings(const std::shared_ptr<arrow::Array>& array) {
  if (array->type_id() == arrow::Type::STRING) return std::static_pointer_cast<arrow::StringArray>(array);
  arrow::StringBuilder builder;
  ARROW_RETURN_NOT_OK(builder.Reserve(array->length()));
  for (std::int64_t i = 0; i < array->length(); ++i) ARROW_RETURN_NOT_OK(builder.Append(text_at(*array, i)));
  std::shared_ptr<arrow::StringArray> strings;
  ARROW_RETURN_NOT_OK(builder.Finish(&strings));
  return strings;
}

}  // namespace procsim

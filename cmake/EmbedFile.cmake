# Run at build time by procsim_embed: FILE's bytes become SOURCE, declared in HEADER, as procsim::embedded::SYMBOL().
file(READ ${FILE} bytes HEX)
string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
# Lines of 24 bytes: some compilers choke on very long ones.
string(REPEAT "0x..," 24 line)
string(REGEX REPLACE "(${line})" "\\1\n" bytes "${bytes}")

file(WRITE ${HEADER} "#pragma once

#include <string_view>

namespace procsim::embedded {
std::string_view ${SYMBOL}();
}  // namespace procsim::embedded
")
file(WRITE ${SOURCE} "#include \"embedded/${SYMBOL}.hpp\"

namespace procsim::embedded {

std::string_view ${SYMBOL}() {
  // The last byte is not part of the file: an empty array would not compile.
  static constexpr unsigned char kBytes[] = {
${bytes}
0};
  return {reinterpret_cast<const char*>(kBytes), sizeof(kBytes) - 1};
}

}  // namespace procsim::embedded
")

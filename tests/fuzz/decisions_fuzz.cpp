#include "curate/exchange/exchange.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace {

procsim::curate::ScoreTable birds() {
  procsim::ScoresInfo info;
  info.classes = {{"gull", "001.gull", ""}, {"tern", "002.tern", ""}};
  procsim::curate::ScoreTable table(info);
  for (int id = 0; id < 3; ++id) {
    procsim::ScoreRow row;
    row.sample_id = id;
    row.path = std::to_string(id) + ".jpg";
    row.label = row.suggested = id % 2;
    table.append(row);
  }
  table.finish();
  return table;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace procsim;
  static const auto table = birds();
  const fuzz::MemoryFile file(bytes, size);
  curate::ImportOptions options;
  options.reviewer = "ada";
  options.unchanged_is_keep = size % 2 == 0;
  return fuzz::attempt([&] { curate::import_decisions(file.path(), table, options); });
}

#include "tests/curate/scored_birds.hpp"

#include <cmath>

#include <fmt/format.h>

#include "data/images/image.hpp"

namespace procsim::test {

namespace {

const char* const kNames[] = {"Herring Gull", "Western Gull", "Arctic Tern",
                              "Song Sparrow", "Fox Sparrow",  "Snowy Owl"};
const char* const kNodes[] = {"gull.n.01",    "gull.n.01",    "tern.n.01",
                              "sparrow.n.01", "sparrow.n.01", "owl.n.01"};

}  // namespace

std::vector<LabelClass> bird_classes() {
  std::vector<LabelClass> classes;
  for (int i = 0; i < 6; ++i)
    classes.push_back({kNames[i], fmt::format("{:03}.{}", i + 1, kNames[i]), kNodes[i]});
  return classes;
}

taxonomy::Taxonomy bird_taxonomy() {
  taxonomy::TaxonomyParts parts;
  parts.dataset = "birds";
  const auto node = [&](const char* id, const char* name, std::optional<taxonomy::NodeIndex> parent) {
    const auto index = static_cast<taxonomy::NodeIndex>(parts.nodes.size());
    parts.nodes.push_back({id, name, "", ""});
    parts.tree_parent.push_back(parent);
    if (parent) parts.edges.push_back({index, *parent});
    return index;
  };
  const auto bird = node("bird.n.01", "bird", std::nullopt);
  const auto seabird = node("seabird.n.01", "seabird", bird);
  node("gull.n.01", "gull", seabird);
  node("tern.n.01", "tern", seabird);
  node("sparrow.n.01", "sparrow", bird);
  node("owl.n.01", "owl", bird);
  for (const auto& item : bird_classes())
    parts.classes.push_back({item.name, item.published, item.node, taxonomy::Resolution::kImported, "", ""});
  return taxonomy::Taxonomy(std::move(parts));
}

ScoreRow scored(std::int64_t id, std::int32_t label, std::int32_t suggested, double p) {
  ScoreRow row;
  row.sample_id = id;
  row.path = fmt::format("{}/{}.jpg", label, id);
  row.label = label;
  row.suggested = suggested;
  row.p_mislabelled = static_cast<float>(p);
  row.suspicion = static_cast<float>(std::log((p + 1e-3) / (1 - p + 1e-3)));
  row.p_given = static_cast<float>((1 - p) * 0.9);
  row.margin = row.suspicion;
  row.rivals = {{suggested, static_cast<float>(p * 0.9)}};
  return row;
}

ScoresInfo bird_info() {
  ScoresInfo info;
  info.dataset = "birds";
  info.classes = bird_classes();
  return info;
}

curate::ScoreTable bird_table(const std::vector<ScoreRow>& rows) {
  curate::ScoreTable table(bird_info(), rows.size());
  for (const auto& row : rows) table.append(row);
  table.finish();
  return table;
}

std::filesystem::path write_scores(const std::filesystem::path& path, const std::vector<ScoreRow>& rows,
                                   ScoresInfo info) {
  ScoresWriter writer(path, IfExists::kReplace);
  writer.append(rows);
  writer.finish(info);
  return path;
}

std::string write_bird_labels(const std::filesystem::path& path, const std::vector<ScoreRow>& rows) {
  LabelSet set;
  set.info.dataset = "birds";
  set.info.classes = bird_classes();
  set.info.provenance = {{"program", "test"}};
  for (const auto& row : rows)
    set.rows.push_back({row.sample_id, row.path, "train", row.label, row.true_label});
  return write_label_set(path, set, IfExists::kReplace);
}

void write_image(const std::filesystem::path& path, int number) {
  Image image;
  image.width = 64;
  image.height = 48;
  image.rgb.resize(3 * 64 * 48);
  for (std::size_t i = 0; i < image.rgb.size(); ++i)
    image.rgb[i] =
        static_cast<std::uint8_t>((i % 3 == static_cast<std::size_t>(number) % 3 ? 200 : 40) + number % 50);
  write_file(path, encode_jpeg(image), IfExists::kReplace);
}

}  // namespace procsim::test

#include "tests/train/tiny_dataset.hpp"

#include "data/base/keyed_random.hpp"

namespace procsim::test {
namespace {

// Stripes whose colour and period belong to the class, shifted and dimmed from picture to picture.
Image striped(int label, std::int64_t id) {
  auto draws = KeyedRandom(1, "test/tiny").for_id(id);
  const int side = 40;
  const int shift = static_cast<int>(draws.below(16));
  const int light = static_cast<int>(draws.below(60));
  const int period = 3 + 3 * (label % 4);
  Image image{side, side, std::vector<std::uint8_t>(static_cast<std::size_t>(3 * side * side))};
  for (int y = 0; y < side; ++y) {
    for (int x = 0; x < side; ++x) {
      const bool stripe = ((x + shift) / period + (label % 3 == 0 ? y / period : 0)) % 2 == 0;
      for (int channel = 0; channel < 3; ++channel)
        image.pixel(x, y)[channel] =
            static_cast<std::uint8_t>(stripe && (label / 4 + channel) % 3 != 2 ? 190 + light : 20 + light);
    }
  }
  return image;
}

}  // namespace

TinyDataset::TinyDataset(int wrong) {
  labels.info.dataset = "tiny";
  for (int label = 0; label < kClasses; ++label)
    labels.info.classes.push_back({"class " + std::to_string(label), "c" + std::to_string(label), ""});
  labels.info.provenance = {{"program", "test"}};
  for (int label = 0; label < kClasses; ++label) {
    for (int i = 0; i < kPerClass; ++i) {
      LabelRow row;
      row.sample_id = label * kPerClass + i;
      row.path = std::to_string(label) + "/" + std::to_string(i) + ".jpg";
      row.split = label % 2 == 0 ? "train" : "test";
      row.label = label;
      row.true_label = label;
      folder.write("images/" + row.path, encode_jpeg(striped(label, row.sample_id)));
      if (row.split == "train" && i == 0 && wrong-- > 0) row.label = (label + 2) % kClasses;
      labels.rows.push_back(row);
    }
  }
  rewrite();
}

void TinyDataset::rewrite() const { write_label_set(label_file(), labels, IfExists::kReplace); }

}  // namespace procsim::test

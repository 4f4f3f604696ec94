#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <matio.h>

#include "data/sets/dataset.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/test_files.hpp"

namespace procsim {
namespace {

namespace fs = std::filesystem;
using test::expect_error;
using test::TemporaryFolder;

// --- small .mat files, written with matio
// -----------------------------------------------------------------------

using Value = std::variant<double, std::string>;
using Annotation = std::vector<std::pair<std::string, Value>>;

matvar_t* make_value(const Value& value) {
  if (const auto* number = std::get_if<double>(&value)) {
    std::size_t dims[2] = {1, 1};
    double copy = *number;
    return Mat_VarCreate(nullptr, MAT_C_DOUBLE, MAT_T_DOUBLE, 2, dims, &copy, 0);
  }
  auto text = std::get<std::string>(value);
  // Characters, not bytes: matio counts the bytes itself.
  const auto letters = std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; });
  std::size_t dims[2] = {1, static_cast<std::size_t>(letters)};
  return Mat_VarCreate(nullptr, MAT_C_CHAR, MAT_T_UTF8, 2, dims, text.data(), 0);
}

class MatWriter {
 public:
  explicit MatWriter(const fs::path& path, matio_compression compression = MAT_COMPRESSION_ZLIB)
      : compression_(compression) {
    fs::create_directories(path.parent_path());
    mat_ = Mat_CreateVer(path.c_str(), nullptr, MAT_FT_MAT5);
    if (mat_ == nullptr) throw std::runtime_error("cannot write " + path.string());
  }
  ~MatWriter() { Mat_Close(mat_); }
  MatWriter(const MatWriter&) = delete;
  MatWriter& operator=(const MatWriter&) = delete;

  MatWriter& structs(const char* name, const std::vector<Annotation>& rows) {
    std::vector<const char*> fields;
    for (const auto& [field, value] : rows.front()) fields.push_back(field.c_str());
    fields.push_back(nullptr);
    std::size_t dims[2] = {1, rows.size()};
    auto* variable = Mat_VarCreateStruct2(name, 2, dims, fields.data());
    for (std::size_t row = 0; row < rows.size(); ++row) {
      for (const auto& [field, value] : rows[row]) {
        Mat_VarSetStructFieldByName(variable, field.c_str(), row, make_value(value));
      }
    }
    return put(variable);
  }

  MatWriter& cells(const char* name, const std::vector<Value>& values) {
    std::size_t dims[2] = {1, values.size()};
    auto* variable = Mat_VarCreate(name, MAT_C_CELL, MAT_T_CELL, 2, dims, nullptr, 0);
    for (std::size_t i = 0; i < values.size(); ++i)
      Mat_VarSetCell(variable, static_cast<int>(i), make_value(values[i]));
    return put(variable);
  }

 private:
  MatWriter& put(matvar_t* variable) {
    Mat_VarWrite(mat_, variable, compression_);
    Mat_VarFree(variable);
    return *this;
  }

  mat_t* mat_;
  matio_compression compression_;
};

Annotation devkit_row(const std::string& file, std::optional<double> label) {
  Annotation row = {{"bbox_x1", 39.0}, {"bbox_y1", 116.0}, {"bbox_x2", 569.0}, {"bbox_y2", 375.0}};
  if (label) row.emplace_back("class", *label);
  row.emplace_back("fname", file);
  return row;
}

const std::vector<Value> kClasses = {"AM General Hummer SUV 2000", "Ram C/V Cargo Van Minivan 2012",
                                     "Audi TT RS Coup\xC3\xA9 2012", "Volvo 240 Sedan 1993"};

// Three training images, two test images without labels.
struct SmallCars {
  TemporaryFolder folder;

  SmallCars() {
    MatWriter(list("cars_meta.mat")).cells("class_names", kClasses);
    write_train({devkit_row("00001.jpg", 4), devkit_row("00002.jpg", 1), devkit_row("00003.jpg", 2)});
    write_test({devkit_row("00001.jpg", {}), devkit_row("00002.jpg", {})});
  }
  fs::path list(const std::string& name) const { return folder / ("cars196/devkit/" + name); }
  void write_train(const std::vector<Annotation>& rows) const {
    MatWriter(list("cars_train_annos.mat")).structs("annotations", rows);
  }
  void write_test(const std::vector<Annotation>& rows) const {
    MatWriter(list("cars_test_annos.mat")).structs("annotations", rows);
  }
  Dataset open(DatasetOptions options = {}) const {
    options.root = folder.path();
    return open_dataset("cars196", options);
  }
  void expect_refused(const std::vector<std::string>& pieces) const {
    expect_error([&] { open(); }, pieces);
  }
};

// ----------------------------------------------------------------------------------------------------------------

TEST(Cars196, ReadsTheDevkit) {
  const SmallCars cars;
  const auto dataset = cars.open();
  EXPECT_EQ(dataset.kind, "cars196");
  EXPECT_EQ(dataset.root, cars.folder / "cars196");
  ASSERT_EQ(dataset.classes.size(), 4u);
  EXPECT_EQ(dataset.classes[1].published, "Ram C/V Cargo Van Minivan 2012");
  EXPECT_EQ(dataset.classes[1].name, "Ram C/V Cargo Van Minivan 2012");
  EXPECT_EQ(dataset.classes[2].published, "Audi TT RS Coup\xC3\xA9 2012");
  ASSERT_EQ(dataset.samples.size(), 5u);
  EXPECT_EQ(dataset.samples[0].id, 1);
  EXPECT_EQ(dataset.samples[0].path, "cars_train/00001.jpg");
  EXPECT_EQ(dataset.samples[0].label, 3);
  EXPECT_EQ(dataset.samples[3].id, 4);  // test images are numbered after the training images
  EXPECT_EQ(dataset.samples[3].path, "cars_test/00001.jpg");
}

TEST(Cars196, ATestListWithoutLabelsIsReadAsUnlabelledAndSaidSo) {
  const auto dataset = SmallCars().open();
  EXPECT_EQ(dataset.samples[3].label, kUnlabelled);
  EXPECT_EQ(dataset.samples[3].own_split, "test");
  EXPECT_EQ(dataset.samples[3].split, "unlabelled");
  EXPECT_EQ(dataset.samples[0].split, "test");  // class 4 of 4
  EXPECT_EQ(dataset.samples[1].split, "train");
  EXPECT_THAT(dataset.notes, testing::ElementsAre(testing::HasSubstr("2 test annotations carry no label")));
}

TEST(Cars196, TheLabelledTestListIsUsedWhereItIs) {
  const SmallCars cars;
  MatWriter(cars.folder / "cars196/devkit/cars_test_annos_withlabels.mat")
      .structs("annotations", {devkit_row("00001.jpg", 3), devkit_row("00002.jpg", 1)});
  const auto dataset = cars.open();
  EXPECT_EQ(dataset.samples[3].label, 2);
  EXPECT_EQ(dataset.samples[3].split, "test");
  EXPECT_EQ(dataset.samples[4].split, "train");
  EXPECT_TRUE(dataset.notes.empty());
}

TEST(Cars196, ALabelledTestListThatLostALineIsRefused) {
  const SmallCars cars;
  const auto write = [&](const std::vector<Annotation>& rows) {
    MatWriter(cars.list("cars_test_annos_withlabels.mat")).structs("annotations", rows);
  };
  write({devkit_row("00001.jpg", 3)});
  cars.expect_refused({"cars_test_annos_withlabels.mat", "does not list 00002.jpg", "cars_test_annos.mat"});
  write({devkit_row("00001.jpg", 3), devkit_row("00003.jpg", 1)});
  cars.expect_refused({"annotations(2).fname", "00003.jpg", "is not in", "cars_test_annos.mat"});
  write({devkit_row("00002.jpg", 3), devkit_row("00001.jpg", 1)});
  EXPECT_EQ(cars.open().samples[3].path, "cars_test/00002.jpg") << "any order will do";
}

TEST(Cars196, TheSingleListGivesAllLabels) {
  const TemporaryFolder folder;
  const auto row = [](const std::string& path, double label, double test) {
    return Annotation{{"relative_im_path", path}, {"bbox_x1", 1.0}, {"bbox_y1", 2.0}, {"bbox_x2", 10.0},
                      {"bbox_y2", 20.0},          {"class", label}, {"test", test}};
  };
  MatWriter(folder / "cars_annos.mat")
      .structs("annotations", {row("car_ims/000001.jpg", 1, 0), row("car_ims/000002.jpg", 4, 1)})
      .cells("class_names", kClasses);
  DatasetOptions options;
  options.root = folder.path();
  options.split = SplitPolicy::kOwn;
  const auto dataset = open_dataset("cars196", options);
  ASSERT_EQ(dataset.samples.size(), 2u);
  EXPECT_EQ(dataset.root, folder.path());
  EXPECT_EQ(dataset.samples[1].path, "car_ims/000002.jpg");
  EXPECT_EQ(dataset.samples[1].label, 3);
  EXPECT_EQ(dataset.samples[0].split, "train");
  EXPECT_EQ(dataset.samples[1].split, "test");
}

TEST(Cars196, TheSingleListIsPreferredToATestListWithoutLabels) {
  const SmallCars cars;
  MatWriter(cars.folder / "cars196/cars_annos.mat")
      .structs("annotations", {{{"relative_im_path", "car_ims/1.jpg"}, {"class", 2.0}, {"test", 1.0}}})
      .cells("class_names", kClasses);
  EXPECT_EQ(cars.open().samples.size(), 1u);
  fs::create_directories(cars.folder /
                         "cars196/cars_train");  // a user who has the devkit's images, not car_ims
  EXPECT_EQ(cars.open().samples.size(), 5u);
}

TEST(Cars196, BoundingBoxesCountPixelsFromZero) {
  const SmallCars cars;
  EXPECT_FALSE(cars.open().samples[0].box);
  DatasetOptions options;
  options.bounding_boxes = true;
  const auto box = cars.open(options).samples[4].box;
  ASSERT_TRUE(box);
  EXPECT_EQ(box->x, 38);
  EXPECT_EQ(box->y, 115);
  EXPECT_EQ(box->width, 531);   // both corners belong to the box: 39 … 569
  EXPECT_EQ(box->height, 260);  // 116 … 375
}

TEST(Cars196, TheDevkitItselfMayBeTheRoot) {
  const SmallCars cars;
  DatasetOptions options;
  options.root = cars.folder / "cars196/devkit";
  EXPECT_EQ(open_dataset("cars196", options).root, cars.folder / "cars196");
  EXPECT_EQ(open_dataset((cars.folder / "cars196").string()).kind, "cars196");
}

TEST(Cars196, ImagesInAFolderOfTheSameNameAreFound) {
  const SmallCars cars;
  cars.folder.write("cars196/cars_train/cars_train/00001.jpg", "");
  EXPECT_EQ(cars.open().samples[0].path, "cars_train/cars_train/00001.jpg");
}

TEST(Cars196, WrongAnnotationsAreRefusedWithTheirPlace) {
  const SmallCars cars;
  cars.write_train({devkit_row("00001.jpg", 1), devkit_row("00002.jpg", 5)});
  cars.expect_refused({"cars_train_annos.mat, annotations(2).class", "it is 5", "1 to 4"});
  cars.write_train({devkit_row("00001.jpg", 0)});
  cars.expect_refused({"annotations(1).class", "it is 0"});
  cars.write_train({devkit_row("00001.jpg", 1.5)});
  cars.expect_refused({"annotations(1).class", "whole number"});
  cars.write_train({devkit_row("00001.jpg", 1), devkit_row("00001.jpg", 2)});
  cars.expect_refused({"annotations(2).fname", "occurs twice"});
  cars.write_train({devkit_row("../00001.jpg", 1)});
  cars.expect_refused({"annotations(1).fname", "not a path below"});
  cars.write_train({devkit_row("00001.jpg", {})});
  cars.expect_refused({"cars_train_annos.mat", "no field 'class'"});
  cars.write_train({{{"class", "one"}, {"fname", "1.jpg"}}});
  cars.expect_refused({"annotations(1).class", "expected a number"});
  cars.write_train({{{"class", 1.0}, {"fname", 7.0}}});
  cars.expect_refused({"annotations(1).fname", "expected text"});
  cars.write_train({{{"class", 1.0}, {"name", "1.jpg"}}});
  cars.expect_refused({"no field 'fname'", "class, name"});
  MatWriter(cars.list("cars_train_annos.mat")).structs("annos", {devkit_row("1.jpg", 1)});
  cars.expect_refused({"cars_train_annos.mat has no variable 'annotations'", "annos"});
  MatWriter(cars.list("cars_train_annos.mat")).cells("annotations", {"a"});
  cars.expect_refused({"'annotations' is not a struct array"});
}

TEST(Cars196, WrongClassNamesAreRefused) {
  const SmallCars cars;
  MatWriter(cars.list("cars_meta.mat")).cells("class_names", {"a", 2.0});
  cars.expect_refused({"cars_meta.mat, class_names{2}", "expected text"});
  MatWriter(cars.list("cars_meta.mat")).cells("names", {"a"});
  cars.expect_refused({"cars_meta.mat has no variable 'class_names'"});
}

TEST(Cars196, MissingListsAreNamed) {
  const SmallCars cars;
  fs::remove(cars.list("cars_meta.mat"));
  cars.expect_refused({"cars_meta.mat is missing", "devkit"});
}

TEST(Cars196, FilesOfOtherKindsAreRefused) {
  const SmallCars cars;
  const auto replace = [&](const std::string& content) {
    cars.folder.write("cars196/devkit/cars_train_annos.mat", content);
  };
  replace("");
  cars.expect_refused({"cars_train_annos.mat is not a MATLAB file"});
  replace("just some text, and then some more of it");
  cars.expect_refused({"cars_train_annos.mat is not a MATLAB file"});
  replace("MATLAB 7.3 MAT-file, Platform: GLNXA64" + std::string(600, ' '));
  cars.expect_refused({"MATLAB 7.3", "-v7"});
}

// Shortened by any number of bytes, a list is refused: matio alone would take what is left for the whole.
TEST(Cars196, EveryTruncationOfAMatFileIsRefused) {
  for (const auto compression : {MAT_COMPRESSION_ZLIB, MAT_COMPRESSION_NONE}) {
    const SmallCars cars;
    MatWriter(cars.list("cars_train_annos.mat"), compression)
        .structs("annotations", {devkit_row("00001.jpg", 4), devkit_row("00002.jpg", 1)});
    const auto whole = test::read_all(cars.list("cars_train_annos.mat"));
    EXPECT_EQ(cars.open().samples.size(), 4u);
    const std::size_t step = compression == MAT_COMPRESSION_ZLIB ? 1 : 13;
    for (std::size_t length = 0; length < whole.size(); length += step) {
      cars.folder.write("cars196/devkit/cars_train_annos.mat", whole.substr(0, length));
      cars.expect_refused({"cars_train_annos.mat"});
    }
  }
}

// matio runs on and on in such a file.
TEST(Cars196, AnArrayThatClaimsMoreValuesThanItHoldsIsRefused) {
  const SmallCars cars;
  MatWriter(cars.list("cars_train_annos.mat"), MAT_COMPRESSION_NONE)
      .structs("annotations", {devkit_row("00001.jpg", 4), devkit_row("00002.jpg", 1)});
  auto damaged = test::read_all(cars.list("cars_train_annos.mat"));
  constexpr std::size_t kColumns = 128 + 8 + 16 + 8 + 4;  // header, tag, flags, tag of the dimensions, rows
  ASSERT_EQ(damaged[kColumns], 2);
  damaged[kColumns + 2] = 1;  // 65,538 of them
  cars.folder.write("cars196/devkit/cars_train_annos.mat", damaged);
  cars.expect_refused({"cars_train_annos.mat is damaged", "byte 128"});
}

// A damaged byte is refused or changes what is read; it never crashes and never prints.
TEST(Cars196, DamagedBytesAreRefusedOrRead) {
  for (const auto compression : {MAT_COMPRESSION_ZLIB, MAT_COMPRESSION_NONE}) {
    const SmallCars cars;
    MatWriter(cars.list("cars_train_annos.mat"), compression)
        .structs("annotations", {devkit_row("00001.jpg", 4), devkit_row("00002.jpg", 1)});
    const auto whole = test::read_all(cars.list("cars_train_annos.mat"));
    testing::internal::CaptureStderr();
    int refused = 0;
    for (std::size_t at = 128; at < whole.size(); at += 3) {
      auto damaged = whole;
      damaged[at] = static_cast<char>(~damaged[at]);
      cars.folder.write("cars196/devkit/cars_train_annos.mat", damaged);
      try {
        cars.open();
      } catch (const Error& error) {
        EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
        ++refused;
      }
    }
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
    EXPECT_GT(refused, 0);
  }
}

TEST(Cars196, TheRealDevkitHasItsPublishedCounts) {
  const auto root = test::shared_data("cars196");
  if (!root) GTEST_SKIP() << "no ../shared/cars196";
  DatasetOptions options;
  options.root = *root;
  options.bounding_boxes = true;
  const auto dataset = open_dataset("cars196", options);
  EXPECT_EQ(dataset.classes.size(), 196u);
  EXPECT_EQ(dataset.classes.front().name, "AM General Hummer SUV 2000");
  EXPECT_EQ(dataset.classes.back().name, "smart fortwo Convertible 2012");
  const auto labelled = std::count_if(dataset.samples.begin(), dataset.samples.end(),
                                      [](const Sample& sample) { return sample.label != kUnlabelled; });
  EXPECT_EQ(labelled, 8144);
  EXPECT_EQ(dataset.samples.size() - static_cast<std::size_t>(labelled), 8041u);
  // The first annotation: class 14, bbox_x1 39, 00001.jpg.
  EXPECT_EQ(dataset.samples[0].path, "cars_train/00001.jpg");
  EXPECT_EQ(dataset.samples[0].label, 13);
  EXPECT_EQ(dataset.samples[0].box->x, 38);
  EXPECT_EQ(missing_images(dataset).size(), 16185u);
}

}  // namespace
}  // namespace procsim

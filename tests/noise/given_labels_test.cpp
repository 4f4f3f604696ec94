#include "noise/given_labels.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "data/base/error.hpp"
#include "tests/noise/sample_labels.hpp"
#include "tests/support/test_files.hpp"

namespace procsim::noise {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class GivenLabelsList : public testing::Test {
 protected:
  GivenLabelsList() {
    LabelSet set{test::info_of(test::birds()), {}};
    const std::vector<std::string> names{"a/1.jpg", "a/2.jpg", "b/1.jpg", "b/3.jpg", "c/4.jpg", "c/5.jpg"};
    for (std::size_t i = 0; i < names.size(); ++i) {
      const auto label = static_cast<std::int32_t>(i);
      set.rows.push_back({static_cast<std::int64_t>(100 - i), "images/" + names[i], "train", label, label});
    }
    set.rows.push_back({7, "images/d/9.jpg", "test", 0, 0});
    write_label_set(parent, set, IfExists::kFail);
  }

  GivenLabelsFile read(std::string_view content, GivenFormat format, GivenLabelsOptions options = {}) {
    return read_given_labels(folder.write("list", content), format, parent, options);
  }
  std::string error(std::string_view content, GivenFormat format, GivenLabelsOptions options = {}) {
    try {
      read(content, format, options);
    } catch (const Error& failure) {
      return failure.what();
    }
    return "no error";
  }

  test::TemporaryFolder folder;
  std::filesystem::path parent = folder / "parent.parquet";
};

TEST_F(GivenLabelsList, FindsSamplesByTheEndOfTheirPaths) {
  const auto list = read("/data/x/images/a/1.jpg,0\n/data/x/images/b/1.jpg,5\n", GivenFormat::kPrism);
  EXPECT_EQ(list.labels, (GivenLabels{{100, 0}, {98, 5}}));
  EXPECT_EQ(list.rows_without, 4);
  EXPECT_EQ(list.first_label, 0);
}

TEST_F(GivenLabelsList, FindsOutThatALabelListCountsFromOne) {
  const auto list =
      read("images/a/1.jpg,1\nimages/a/2.jpg,2\nimages/b/1.jpg,3\nimages/b/3.jpg,1\n", GivenFormat::kPrism);
  EXPECT_EQ(list.first_label, 1);
  EXPECT_EQ(list.labels, (GivenLabels{{100, 0}, {99, 1}, {98, 2}, {97, 0}}));
}

TEST_F(GivenLabelsList, ReadsSpacesAndCarriageReturnsToo) {
  const auto list = read("images/a/1.jpg 0\r\nimages/a/2.jpg\t4\r\n\r\n", GivenFormat::kPrism);
  EXPECT_EQ(list.labels, (GivenLabels{{100, 0}, {99, 4}}));
}

TEST_F(GivenLabelsList, APhantomLabelIsAnErrorOrLeavesTheSampleUnlabelled) {
  // The published list for CUB has such a label: one more than there are classes.
  const std::string list = "images/a/1.jpg,0\nimages/a/2.jpg,1\nimages/b/1.jpg,6\n";
  EXPECT_THAT(error(list, GivenFormat::kPrism),
              AllOf(HasSubstr("line 3"), HasSubstr("'6'"), HasSubstr("--drop-unknown")));
  GivenLabelsOptions options;
  options.drop_unknown = true;
  const auto read_anyway = read(list, GivenFormat::kPrism, options);
  EXPECT_EQ(read_anyway.labels.at(98), kRemovedLabel);
  EXPECT_EQ(read_anyway.unknown, (std::map<std::string, std::int64_t>{{"6", 1}}));
}

TEST_F(GivenLabelsList, EntriesOfOtherSplitsAreCounted) {
  const auto list = read("images/a/1.jpg,0\nimages/d/9.jpg,2\n", GivenFormat::kPrism);
  EXPECT_EQ(list.unmatched, 1);
  EXPECT_EQ(list.first_unmatched, "images/d/9.jpg");
}

TEST_F(GivenLabelsList, AFileNameAloneMustBeUnique) {
  EXPECT_EQ(read("2.jpg,3\n", GivenFormat::kPrism).labels, (GivenLabels{{99, 3}}));
  EXPECT_THAT(error("2.jpg,3\n1.jpg,0\n", GivenFormat::kPrism),
              AllOf(HasSubstr("line 2"), HasSubstr("longer paths")));
}

TEST_F(GivenLabelsList, MistakesAreNamedWithTheirLine) {
  EXPECT_THAT(error("images/a/1.jpg,0\nnonsense\n", GivenFormat::kPrism), HasSubstr("line 2"));
  EXPECT_THAT(error("images/a/1.jpg,0\nimages/a/1.jpg,1\n", GivenFormat::kPrism), HasSubstr("line 2"));
  EXPECT_THAT(error("nothing/here.jpg,0\n", GivenFormat::kPrism), HasSubstr("none of its 1 entries"));
  EXPECT_THAT(error("sample_id,lable\n100,1\n", GivenFormat::kCsv),
              AllOf(HasSubstr("lable"), HasSubstr("--label-column")));
  EXPECT_THAT(error("sample_id,label\nx,1\n", GivenFormat::kCsv), HasSubstr("line 2"));
}

TEST_F(GivenLabelsList, ReadsCsvByIdAndClassName) {
  const auto list = read("sample_id,label\n100,Fox Sparrow\n96,Ivory Gull\n", GivenFormat::kCsv);
  EXPECT_EQ(list.labels, (GivenLabels{{100, 4}, {96, 1}}));
}

TEST_F(GivenLabelsList, ReadsCsvByPathAndNamedColumn) {
  GivenLabelsOptions options;
  options.label_column = "worker 2";
  const auto list = read("path,label,worker 2\na/1.jpg,0,3\nb/3.jpg,0,3\n", GivenFormat::kCsv, options);
  EXPECT_EQ(list.labels, (GivenLabels{{100, 3}, {97, 3}}));
}

TEST_F(GivenLabelsList, AnArrayGoesByTheOrderOfSampleIds) {
  // Ids fall while rows rise: the first value belongs to the smallest id.
  std::string file("\x93NUMPY\x01\x00", 8);
  const std::string header = "{'descr': '|u1', 'fortran_order': False, 'shape': (6,), }";
  file += static_cast<char>(header.size());
  file += '\0';
  file += header + std::string("\x05\x04\x03\x02\x01\x02", 6);
  const auto list = read(file, GivenFormat::kNumpy);
  EXPECT_EQ(list.labels.at(95), 5);
  EXPECT_EQ(list.labels.at(100), 2);
  file.pop_back();  // six promised, five there
  EXPECT_NE(error(file, GivenFormat::kNumpy), "no error");
}

TEST_F(GivenLabelsList, FormatsAreToldApart) {
  EXPECT_EQ(guess_given_format(folder.write("a.csv", "/data/x.jpg,17\n")), GivenFormat::kPrism);
  EXPECT_EQ(guess_given_format(folder.write("b.csv", "path,label\nx.jpg,17\n")), GivenFormat::kCsv);
  EXPECT_EQ(guess_given_format("c.npy"), GivenFormat::kNumpy);
  EXPECT_EQ(guess_given_format("d.parquet"), GivenFormat::kLabelSet);
  EXPECT_EQ(guess_given_format("e.txt"), GivenFormat::kPrism);
}

TEST(GivenFormat, IsStoredByNameAndOldNumbersAreRead) {
  const std::vector<std::pair<GivenFormat, std::string>> names{{GivenFormat::kLabelSet, "label-set"},
                                                               {GivenFormat::kCsv, "csv"},
                                                               {GivenFormat::kPrism, "prism"},
                                                               {GivenFormat::kNumpy, "numpy"}};
  for (int number = 0; const auto& [format, name] : names) {
    EXPECT_EQ(to_string(format), name);
    EXPECT_EQ(given_format_from_json(name), format);
    EXPECT_EQ(given_format_from_json(number++), format);
  }
  for (const auto& wrong : {nlohmann::ordered_json("npy"), nlohmann::ordered_json(4),
                            nlohmann::ordered_json(-1), nlohmann::ordered_json()}) {
    EXPECT_THROW(given_format_from_json(wrong), Error) << wrong;
  }
}

}  // namespace
}  // namespace procsim::noise

#include "data/files/csv.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/files/table.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/test_files.hpp"

namespace procsim {
namespace {

using test::expect_error;
using test::TemporaryFolder;
using testing::ElementsAre;

const std::vector<std::string>& text(const Table& table, std::string_view name) {
  const auto* column = table.find(name);
  if (column == nullptr) throw std::runtime_error("no column " + std::string(name));
  return std::get<std::vector<std::string>>(column->values);
}

Table read(std::string_view content) {
  const TemporaryFolder folder;
  return read_csv_table(folder.write("table.csv", content));
}

void expect_refused(std::string_view content, std::vector<std::string> pieces) {
  const TemporaryFolder folder;
  const auto path = folder.write("table.csv", content);
  pieces.push_back(path.string());
  expect_error([&] { read_csv_table(path); }, pieces);
}

TEST(Csv, ReadsPlainColumnsAsText) {
  const auto table = read("path,label\na.jpg,3\nb.jpg,-1\n");
  EXPECT_EQ(table.rows(), 2);
  EXPECT_THAT(text(table, "path"), ElementsAre("a.jpg", "b.jpg"));
  EXPECT_THAT(text(table, "label"), ElementsAre("3", "-1"));
  EXPECT_EQ(table.find("none"), nullptr);
}

TEST(Csv, QuotedFieldsHoldSeparatorsQuotesAndLineEnds) {
  const auto table = read("a,b\n\"x,y\",\"say \"\"hi\"\"\"\n\"two\r\nlines\",\"\"\n");
  EXPECT_THAT(text(table, "a"), ElementsAre("x,y", "two\r\nlines"));
  EXPECT_THAT(text(table, "b"), ElementsAre("say \"hi\"", ""));
}

TEST(Csv, ByteOrderMarkWindowsLineEndsAndMissingLastLineEndAreAccepted) {
  const auto table = read("\xEF\xBB\xBFpath,label\r\na,1\r\nb,2");
  EXPECT_THAT(text(table, "path"), ElementsAre("a", "b"));
  EXPECT_THAT(text(table, "label"), ElementsAre("1", "2"));
}

TEST(Csv, LoneCarriageReturnsEndLines) {
  EXPECT_THAT(text(read("p,q\ra,1\rb,2\r"), "q"), ElementsAre("1", "2"));
}

TEST(Csv, EmptyLinesAreSkippedButAQuotedEmptyValueCounts) {
  EXPECT_THAT(text(read("name\n\nx\n\"\"\n\n"), "name"), ElementsAre("x", ""));
}

TEST(Csv, TabsSeparateWhenTheFirstLineHasMoreOfThemThanCommas) {
  const auto table = read("path\tsplit\tname, short\nx\ttrain\ta,b\n");
  EXPECT_THAT(text(table, "path"), ElementsAre("x"));
  EXPECT_THAT(text(table, "name, short"), ElementsAre("a,b"));
}

TEST(Csv, CommasSeparateWhenTheFirstLineHasAsManyOrMore) {
  const TemporaryFolder folder;
  const auto columns = [&](const std::string& text) {
    return CsvReader(folder.write("table.csv", text)).header();
  };
  EXPECT_EQ(columns("a\tb,c,d\n"), (std::vector<std::string>{"a\tb", "c", "d"}));
  EXPECT_EQ(columns("a\tb,c\n"), (std::vector<std::string>{"a\tb", "c"}));
  EXPECT_EQ(columns("a,b\tc\td\n"), (std::vector<std::string>{"a,b", "c", "d"}));
  EXPECT_EQ(columns("\"a\tb\tc\",d\n"), (std::vector<std::string>{"a\tb\tc", "d"}));
}

TEST(Csv, AHeaderAloneIsAnEmptyTable) {
  const auto table = read("a,b\n");
  EXPECT_EQ(table.rows(), 0);
  EXPECT_EQ(table.columns.size(), 2u);
}

TEST(Csv, AQuoteInsideAnUnquotedFieldIsText) {
  EXPECT_THAT(text(read("size,b\n5\" screen,1\n"), "size"), ElementsAre("5\" screen"));
}

TEST(Csv, WrongWidthNamesTheLine) {
  expect_refused("a,b\n1,2\n\"x\ny\",2\n1\n", {"line 5", "1 column where the first line has 2"});
  expect_refused("a,b\n1,2,3\n", {"line 2", "3 columns where the first line has 2"});
}

TEST(Csv, OpenQuoteNamesTheLineWhereItOpens) {
  expect_refused("a,b\n1,2\n3,\"open\nand on\n", {"line 3", "never closed"});
}

TEST(Csv, TextAfterAClosingQuoteIsRefused) { expect_refused("a,b\n\"x\"y,2\n", {"line 2", "closing quote"}); }

TEST(Csv, TwoColumnsOfOneNameAreRefused) { expect_refused("a,b,a\n", {"line 1", "'a'"}); }

TEST(Csv, WrongEncodingsAreRefused) {
  expect_refused("a,b\n1,caf\xE9\n", {"line 2", "column 2", "UTF-8"});
  expect_refused(std::string("\xFF\xFE"
                             "a\0,\0b\0",
                             8),
                 {"UTF-16"});
  expect_refused(std::string("a,b\n1\0,2\n", 9), {"line 2", "zero byte"});
}

TEST(Csv, EmptyFileAndFolderAndMissingFileAreRefused) {
  expect_refused("", {"empty"});
  expect_refused("\n\n", {"empty"});
  const TemporaryFolder folder;
  expect_error([&] { read_csv_table(folder.path()); }, {"is a folder"});
  expect_error([&] { read_csv_table(folder / "none.csv"); }, {"none.csv", "No such file"});
}

TEST(Csv, ARowWithoutEndIsRefusedBeforeItFillsTheMemory) {
  expect_refused("a,b\n1,\"" + std::string(20u << 20, 'x'), {"line 2", "16 MiB"});
}

TEST(Csv, WrittenFieldsReadBackAsTheyWere) {
  const std::vector<std::string> values = {"plain",     "a,b",      "q\"q",    "\"",
                                           "line\nend", "tab\tbed", " outer ", "é"};
  std::string content = "n,v\n";
  for (std::size_t i = 0; i < values.size(); ++i) {
    content += std::to_string(i) + "," + csv_field(values[i]) + "\n";
  }
  EXPECT_EQ(text(read(content), "v"), values);
  EXPECT_EQ(csv_field("plain"), "plain");
  EXPECT_EQ(csv_field("a,b"), "\"a,b\"");
  EXPECT_EQ(csv_field("q\"q"), "\"q\"\"q\"");
}

TEST(WithoutFormulas, NamesThatASpreadsheetWouldComputeGetAnApostrophe) {
  EXPECT_EQ(without_formulas("name,p\n=1+cmd|' /C calc'!A0,-0.5\n@SUM(A1),1e-05\n"),
            "name,p\n'=1+cmd|' /C calc'!A0,-0.5\n'@SUM(A1),1e-05\n");
  EXPECT_EQ(without_formulas("\"=HYPERLINK(\"\"x\"\",1)\",\"a,=b\"\n\n-gull,+,,\"\",=\n"),
            "\"'=HYPERLINK(\"\"x\"\",1)\",\"a,=b\"\n\n'-gull,'+,,\"\",'=\n");
  EXPECT_EQ(without_formulas("\"\t=1\",a=b,5-3"), "\"'\t=1\",a=b,5-3");
}

// Cut anywhere, a table is either read or refused with one line; it never crashes or hangs.
TEST(Csv, EveryTruncationIsReadOrRefused) {
  const std::string whole = "path,name\r\n\"a\"\"b.jpg\",\"Caf\xC3\xA9, the \"\"old\"\" one\"\r\nx.jpg,y\r\n";
  for (std::size_t length = 0; length < whole.size(); ++length) {
    try {
      EXPECT_LE(read(whole.substr(0, length)).rows(), 2);
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace procsim

#include "core/base/csv.h"

#include <gtest/gtest.h>

#include "core/base/keyed_hash.h"

namespace warplens {
namespace THIS_FILE {

using Rows = std::vector<std::vector<std::string>>;

TEST(Csv, IsReadAsRfc4180Says) {
  const auto table = parse_csv("a,\"b \"\"x\"\"\",\"c,\nd\"\r\n\r\n1,,3\n4,5,", "x.csv");
  ASSERT_TRUE(table) << table.error().message;
  EXPECT_EQ(table->separator, ',');
  EXPECT_EQ(table->rows, (Rows{{"a", "b \"x\"", "c,\nd"}, {"1", "", "3"}, {"4", "5", ""}}));
  EXPECT_TRUE(parse_csv("", "x.csv")->rows.empty());
  EXPECT_EQ(parse_csv("one", "x.csv")->rows, (Rows{{"one"}}));
}

TEST(Csv, KeepsSeparatorAndMarkOfTheFile) {
  const std::string text = "\xef\xbb\xbfName;Grade\r\n\"Doe; Jane\";2,5\r\n";
  const auto table = parse_csv(text, "x.csv");
  ASSERT_TRUE(table);
  EXPECT_EQ(table->rows[1][0], "Doe; Jane");
  EXPECT_EQ(csv_text(*table), text);
  EXPECT_EQ(parse_csv("a\tb\n", "x.csv")->separator, '\t');
}

TEST(Csv, WhatIsNoneIsAnErrorWithItsLine) {
  for (const auto& [text, where] : {std::pair<std::string, const char*>{"a,b\n\"c,d\n", "x.csv:2"},
                                    {"\"a\"b,c\n", "x.csv:1"},
                                    {std::string("a\0b", 3), "bytes of zero"}}) {
    const auto table = parse_csv(text, "x.csv");
    ASSERT_FALSE(table) << text;
    EXPECT_NE(table.error().message.find(where), std::string::npos) << table.error().message;
  }
}

TEST(Csv, FormulasAreHarmlessAndNumbersStay) {
  EXPECT_EQ(csv_cell("=HYPERLINK(1)"), "'=HYPERLINK(1)");
  EXPECT_EQ(csv_cell("@x"), "'@x");
  EXPECT_EQ(csv_cell("+1+2"), "'+1+2");
  EXPECT_EQ(csv_cell("-2+3,x"), "\"'-2+3,x\"");
  EXPECT_EQ(csv_cell("\tx"), "'\tx");
  EXPECT_EQ(csv_cell("-12.5"), "-12.5");
  EXPECT_EQ(csv_cell("+3"), "+3");
  EXPECT_EQ(csv_cell("-"), "-");
  EXPECT_EQ(csv_cell("a=b"), "a=b");
  EXPECT_EQ(csv_cell("a;b", ';'), "\"a;b\"");
  EXPECT_EQ(csv_cell("a;b"), "a;b");
}

// The vectors of the reference implementation: the key 00 … 0f, the messages "", 00, 00 01, …
TEST(KeyedHash, IsSipHash) {
  HashKey key;
  for (size_t i = 0; i < key.size(); ++i) key[i] = std::byte(i);
  std::string message;
  EXPECT_EQ(keyed_hash(key, message), 0x726fdb47dd0e0e31u);
  for (char c = 0; c < 15; ++c) message += c;
  EXPECT_EQ(keyed_hash(key, message), 0xa129ca6149be45e5u);
  EXPECT_EQ(keyed_hash(key, message.substr(0, 8)), 0x93f5f5799a932462u);
  key[0] = std::byte{1};
  EXPECT_NE(keyed_hash(key, message), 0xa129ca6149be45e5u);
}

}  // namespace THIS_FILE
}  // namespace warplens

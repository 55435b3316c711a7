#include "core/base/json/json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace warplens {
namespace THIS_FILE {

using testing::EndsWith;
using testing::HasSubstr;
using testing::SizeIs;
using testing::StartsWith;

std::string repeated(std::string_view part, size_t times) {
  std::string text;
  for (size_t i = 0; i < times; ++i) text += part;
  return text;
}

std::string lists(size_t levels) { return repeated("[", levels) + repeated("]", levels); }
std::string objects(size_t levels) { return repeated("{\"a\":", levels) + "1" + repeated("}", levels); }

TEST(ParseJson, ReadsOneHundredLevelsAndNoMore) {
  EXPECT_TRUE(parse_json(lists(max_json_depth), "a.json"));
  EXPECT_TRUE(parse_json(objects(max_json_depth), "a.json"));
  for (const std::string& text : {lists(max_json_depth + 1), objects(max_json_depth + 1), lists(200'000),
                                  objects(200'000), repeated("[", 200'000), repeated("[{\"a\":", 200'000)}) {
    const Result<Json> read = parse_json(text, "a.json");
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().kind, ErrorKind::bad_input);
    EXPECT_THAT(read.error().message, StartsWith("a.json: lists and objects are nested more than 100 deep"));
  }
  EXPECT_TRUE(parse_json("[" + repeated("[],{},", 100'000) + "0]", "a.json")) << "side by side is not deep";
  EXPECT_TRUE(parse_json("\"" + repeated("[", 1000) + "\" // " + repeated("{", 1000), "a.json"));
}

TEST(ParseJson, NothingIsThrownAndNoMessageIsLong) {
  for (const std::string& text :
       {std::string(), std::string("{"), std::string("1e999"), repeated("9", 100'000) + "e9",
        "\"" + repeated("x", 100'000), "[" + repeated("ä", 100'000) + "]", std::string("\"\xff\""),
        std::string("\"\\ud800\""), std::string("\x00", 1), std::string("[] []")}) {
    const Result<Json> read = parse_json(text, "a.json");
    ASSERT_FALSE(read) << text.substr(0, 20);
    EXPECT_THAT(read.error().message, StartsWith("a.json: not valid JSON: ")) << text.substr(0, 20);
    EXPECT_LT(read.error().message.size(), 400u) << text.substr(0, 20);
  }
  EXPECT_THAT(parse_json("\n[1,]", "a.json").error().message, HasSubstr("line 2, column 4"));
  EXPECT_THAT(parse_json("\"" + repeated("ä", 1000), "a.json").error().message, EndsWith("ä…"));
}

TEST(ParseJson, TakesCommentsAndTheLastOfTwoEqualKeys) {
  const Result<Json> read = parse_json("{\"a\": 1, /* one */ \"a\": 2} // two", "a.json");
  ASSERT_TRUE(read);
  EXPECT_THAT(*read, SizeIs(1));
  EXPECT_EQ((*read)["a"], 2);
  EXPECT_EQ(*parse_json("1" + repeated("0", 300), "a.json"), 1e300) << "too many digits for 64 bits";
}

}  // namespace THIS_FILE
}  // namespace warplens

#include "core/job/files/session_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warplens {
namespace THIS_FILE {

using testing::HasSubstr;

Session whole() {
  Session session;
  session.kernel = "vector_add";
  session.device = "rtx_3060";
  session.setup.kernel = "vector_add";
  session.setup.values = {{"n", 1000}, {"q", 0.1}};
  session.setup.block = {64, 2, 1};
  session.setup.grid = {7, 1, 1};
  session.setup.fit_grid = false;
  session.setup.shared_dynamic_bytes = 12;
  session.setup.data_seed = 18446744073709551615u;
  session.setup.image_path = "astronaut";
  session.view = "grid";
  session.pinned_block = Dim3{1, 0, 0};
  session.pinned_thread = Dim3{0, 0, 0};
  session.pinned_buffer = "out";
  session.pinned_index = 5;
  session.pinned_line = 6;
  session.breakpoints = {{"vector_add.cu", 6, "i == 17"}, {"vector_add.cu", 7, ""}};
  return session;
}

TEST(SessionFile, IsReadAsItWasWritten) {
  const std::string text = session_text(whole());
  EXPECT_TRUE(is_session(text));
  EXPECT_FALSE(is_session("{\"kernel\": \"warplens_session\"}"));
  const auto read = parse_session(text, "a.json", "/folder");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(session_text(*read), text);
  ASSERT_EQ(read->breakpoints.size(), 2u);
  EXPECT_EQ(read->breakpoints[0].condition, "i == 17");
  EXPECT_EQ(read->breakpoints[1].line, 7u);
  EXPECT_EQ(read->setup.values.at("q"), 0.1);
  EXPECT_EQ(read->setup.image_path, "astronaut") << "a sample's name is no path";
  EXPECT_TRUE(read->warnings.empty());
}

TEST(SessionFile, KeepsCodeThatIsInNoFile) {
  Session session = whole();
  session.kernel.clear();
  session.code_name = "mine.cu";
  session.code_text = "__global__ void f() { \"\\n\xff\" }";
  session.has_code_text = true;
  session.copy_of = "vector_add";
  const auto read = parse_session(session_text(session), "a.json", "");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_TRUE(read->own());
  EXPECT_EQ(read->setup.kernel, "mine.cu");
  EXPECT_THAT(read->code_text, HasSubstr("__global__"));
  session.has_code_text = false;
  session.code_path = "sub/mine.cu";
  EXPECT_EQ(parse_session(session_text(session), "a.json", "/folder")->code_path, "/folder/sub/mine.cu");
}

TEST(SessionFile, OneThatIsNestedDeepIsRefused) {
  const std::string text =
      R"({"warplens_session": 1, "kernel": "x", "block": [1], "grid": "fit", "values": {"n": )" +
      std::string(200'000, '[') + std::string(200'000, ']') + "}}";
  EXPECT_FALSE(is_session(text));
  EXPECT_THAT(parse_session(text, "a.json", "").error().message,
              HasSubstr("a.json: lists and objects are nested"));
}

TEST(SessionFile, SaysWhatIsWrongAndWhere) {
  const std::pair<const char*, const char*> wrongs[] = {
      {"", "a.json"},
      {"[]", "object"},
      {R"({"warplens_session": 2, "kernel": "x", "block": [1], "grid": "fit"})", "newer WarpLens"},
      {R"({"warplens_session": 1, "block": [1], "grid": "fit"})", "needs either"},
      {R"({"warplens_session": 1, "kernel": "x", "code": {}, "block": [1], "grid": "fit"})", "needs either"},
      {R"({"warplens_session": 1, "kernel": "x", "grid": "fit"})", "block"},
      {R"({"warplens_session": 1, "kernel": "x", "block": [0], "grid": "fit"})", "at least 1"},
      {R"({"warplens_session": 1, "kernel": "x", "block": [1], "grid": "fir"})", "grid"},
      {R"({"warplens_session": 1, "kernel": "x", "block": [1], "grid": "fit", "values": {"n": "many"}})",
       "values.n"},
      {R"({"warplens_session": 1, "kernel": "x", "block": [1], "grid": "fit", "pins": {"block": [1]}})",
       "pins.block"},
      {R"({"warplens_session": 1, "kernel": "x", "block": [1], "grid": "fit", "breakpoints": [{"file": "a.cu"}]})",
       "breakpoints[0]"},
      {R"({"warplens_session": 1, "kernel": "x", "block": [1], "grid": "fit", "breakpoints": 3})",
       "breakpoints"},
      {R"({"warplens_session": 1, "code": {"name": "a.cu"}, "block": [1], "grid": "fit"})",
       "\"path\" or \"text\""},
  };
  for (const auto& [text, says] : wrongs) {
    const auto read = parse_session(text, "a.json", "");
    ASSERT_FALSE(read) << text;
    EXPECT_THAT(read.error().message, HasSubstr(says)) << text;
    EXPECT_THAT(read.error().message, HasSubstr("a.json"));
  }
  const auto unknown = parse_session(
      R"({"warplens_session": 1, "kernel": "x", "block": [1], "grid": "fit", "q": 1})", "a.json", "");
  ASSERT_TRUE(unknown);
  EXPECT_EQ(unknown->warnings.size(), 1u);
}

}  // namespace THIS_FILE
}  // namespace warplens

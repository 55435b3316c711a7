#include "core/job/files/link.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/image/deflate.h"

namespace warplens {
namespace THIS_FILE {

using testing::HasSubstr;

Link some_link() {
  Link link;
  Session& session = link.session;
  session.kernel = session.setup.kernel = "matmul_tiled";
  session.device = "rtx_3060";
  session.setup.values = {{"n", 256}, {"alpha", 0.1}};
  session.setup.block = {16, 16, 1};
  session.setup.image_path = "astronaut";
  session.view = "memory";
  session.part = "warp";
  session.pinned_block = Dim3{1, 2, 0};
  session.pinned_buffer = "c";
  session.pinned_index = 77;
  session.pinned_line = 12;
  session.breakpoints = {{"matmul_tiled.cu", 6, "i == 17"}};
  link.lesson = "one-thread";
  link.step = "two";
  return link;
}

TEST(Link, IsReadAsItWasWritten) {
  const auto text = link_text(some_link());
  ASSERT_TRUE(text) << text.error().message;
  EXPECT_TRUE(text->starts_with("#w1-"));
  EXPECT_LT(text->size(), 700u);
  for (const std::string around : {"", "https://school.example/warplens/", "https://x.example/?a#b"}) {
    const auto read = parse_link(around + *text + " \n");
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(session_text(read->session), session_text(some_link().session));
    EXPECT_EQ(read->lesson, "one-thread");
    EXPECT_EQ(read->step, "two");
    EXPECT_TRUE(is_link(around + *text));
  }
  for (const char* none : {"", "#w", "#w-", "#w1", "gray.png", "#wx-abc"})
    EXPECT_FALSE(is_link(none)) << none;
}

TEST(Link, OneOfANewerVersionIsSaidToBeNewer) {
  const auto read = parse_link("https://x.example/#w2-abcdef");
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().message, HasSubstr("newer WarpLens: its format is 2"));
}

TEST(Link, OneThatIsNotWholeIsRefused) {
  const std::string text = *link_text(some_link());
  for (size_t length = 4; length + 8 < text.size(); length += 7) {
    const auto read = parse_link(text.substr(0, length));
    ASSERT_FALSE(read) << length;
    EXPECT_THAT(read.error().message, HasSubstr("incomplete")) << length;
  }
  EXPECT_FALSE(parse_link("#w1-@@@@"));
  EXPECT_FALSE(parse_link("#w0-abcd"));
  EXPECT_FALSE(parse_link("#w1-" + std::string(7000, 'A')));
}

TEST(Link, SourceHasMoreRoomAndTooMuchIsRefused) {
  Link own = some_link();
  own.session.kernel.clear();
  own.session.code_name = "mine.cu";
  own.session.has_code_text = true;
  for (int line = 0; line < 200; ++line)
    own.session.code_text += "  out[i + " + std::to_string(line * line) + "] = in[i] * 2.0f;\n";
  const auto text = link_text(own);
  ASSERT_TRUE(text) << text.error().message;
  EXPECT_EQ(parse_link(*text)->session.code_text, own.session.code_text);
  uint32_t random = 1;
  for (int i = 0; i < 8000; ++i)
    own.session.code_text += char('a' + (random = random * 1664525 + 1013904223) % 26 * 7 % 26);
  for (int i = 0; i < 8000; ++i)
    own.session.code_text += char('!' + ((random = random * 1664525 + 1013904223) >> 16) % 90);
  EXPECT_THAT(link_text(own).error().message, HasSubstr("Save a session instead"));
}

// The source of a link is not trusted.
TEST(Link, NamesNoFileOfThisMachine) {
  Link link = some_link();
  link.session.setup.image_path = "/home/me/secret.png";
  EXPECT_THAT(parse_link(*link_text(link)).error().message, HasSubstr("names a file"));
  link = some_link();
  link.session.kernel.clear();
  link.session.code_path = "/etc/passwd";
  link.session.code_name = "passwd";
  EXPECT_THAT(parse_link(*link_text(link)).error().message, HasSubstr("names a file"));
}

TEST(Link, WhatUnpacksToTooMuchIsRefused) {
  const std::string packed = deflated(std::string(1 << 20, ' '));
  EXPECT_FALSE(inflated(packed, 1000));
  EXPECT_EQ(inflated(packed, 1 << 20), std::string(1 << 20, ' '));
  EXPECT_FALSE(inflated("no such thing", 1000));
}

}  // namespace THIS_FILE
}  // namespace warplens

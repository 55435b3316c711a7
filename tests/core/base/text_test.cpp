#include "core/base/text.h"

#include <gtest/gtest.h>

namespace warplens {
namespace THIS_FILE {

TEST(Text, TheHeadHasNoPartOfACharacter) {
  const std::string text = "µs → 世";  // of 2, 1, 1, 3, 1 and 3 bytes
  EXPECT_EQ(head_of(text, 0), "");
  EXPECT_EQ(head_of(text, 1), "");
  EXPECT_EQ(head_of(text, 2), "µ");
  EXPECT_EQ(head_of(text, 6), "µs ");
  EXPECT_EQ(head_of(text, 7), "µs →");
  EXPECT_EQ(head_of(text, 10), "µs → ");
  EXPECT_EQ(head_of(text, 11), text);
  EXPECT_EQ(head_of(text, 99), text);
}

TEST(Text, LettersAreRemovedFromTheEnd) {
  std::string text = "aµ世";
  for (const char* left : {"aµ", "a", "", ""}) {
    remove_last_letter(text);
    EXPECT_EQ(text, left);
  }
}

TEST(Text, OfBytesThatAreNoUtf8EndsAtAll) {
  std::string text = "\x80\x80\x80";
  remove_last_letter(text);
  EXPECT_EQ(text, "");
}

}  // namespace THIS_FILE
}  // namespace warplens

#include "app/base/language/messages.h"

#include <gmock/gmock.h>

#include "tests/app/base/language/table.h"

namespace warplens {
namespace THIS_FILE {

using std::string_literals::operator""s;
using testing::HasSubstr;

const TableEntries entries = {{"", "Language: de\nX-Note: a: b\n"},
                              {"amount\4{n} load\0{n} loads"s, "{n} Laden\0{n} mal Laden"s},
                              {"Run", "Ausführen"},
                              {"{n} block\0{n} blocks"s, "{n} Block\0{n} Blöcke"s}};

TEST(Messages, AreViewsIntoTheTable) {
  const std::string table = table_of(entries);
  const Result<std::vector<Message>> messages = read_messages(table, "de.mo");
  ASSERT_TRUE(messages) << messages.error().message;
  ASSERT_EQ(messages->size(), 4u);
  EXPECT_EQ((*messages)[0].english, "");
  const Message& amount = (*messages)[1];
  EXPECT_EQ(amount.context, "amount");
  EXPECT_EQ(amount.english, "{n} load");
  EXPECT_EQ(amount.plural, "{n} loads");
  EXPECT_EQ(amount.translated_plural, "{n} mal Laden");
  const Message& run = (*messages)[2];
  EXPECT_EQ(run.context, "");
  EXPECT_EQ(run.translated, "Ausführen");
  EXPECT_EQ(run.plural, "Run") << "no other form";
  EXPECT_GE(run.english.data(), table.data());
  EXPECT_LT(run.english.data(), table.data() + table.size());
}

TEST(Messages, OfMoreThanTwoFormsTheLastIsForSeveral) {
  const std::string table = table_of({{"{n} a\0{n} b"s, "one\0few\0many"s}, {"{n} c\0{n} d"s, "any"}});
  const Result<std::vector<Message>> messages = read_messages(table, "xx.mo");
  ASSERT_TRUE(messages);
  EXPECT_EQ((*messages)[0].translated, "one");
  EXPECT_EQ((*messages)[0].translated_plural, "many");
  EXPECT_EQ((*messages)[1].translated_plural, "any") << "a language with one form";
}

TEST(Messages, TheHeaderHasLines) {
  EXPECT_EQ(header_value(entries[0].second, "Language"), "de");
  EXPECT_EQ(header_value(entries[0].second, "X-Note"), "a: b");
  EXPECT_EQ(header_value(entries[0].second, "X"), "");
}

TEST(Messages, ACutTableIsAnError) {
  const std::string table = table_of(entries);
  for (size_t size = 0; size + 1 < table.size(); ++size) {
    const std::string cut = table.substr(0, size);
    const Result<std::vector<Message>> messages = read_messages(cut, "de.mo");
    ASSERT_FALSE(messages) << size;
    ASSERT_THAT(messages.error().message, HasSubstr("de.mo")) << size;
  }
}

TEST(Messages, ABrokenTableIsReadWithinItsBytes) {
  const std::string table = table_of(entries);
  for (size_t at = 0; at < table.size(); ++at) {
    for (const char byte : {'\0', '\1', '\x7f', '\xff'}) {
      std::string broken = table;
      broken[at] = byte;
      const Result<std::vector<Message>> messages = read_messages(broken, "de.mo");
      if (!messages) continue;
      for (const Message& message : *messages)
        for (const std::string_view text :
             {message.context, message.english, message.plural, message.translated})
          ASSERT_TRUE(text.empty() || (text.data() >= broken.data() &&
                                       text.data() + text.size() <= broken.data() + broken.size()))
              << at;
    }
  }
  const auto said = [](const std::string& bytes) { return read_messages(bytes, "de.mo").error().message; };
  std::string other = table;
  std::swap(other[0], other[3]);
  EXPECT_THAT(said(other), HasSubstr("no table of msgfmt --endianness=little"));
  other = table;
  other[6] = 2;
  EXPECT_THAT(said(other), HasSubstr("no table of msgfmt")) << "a later format";
  other = table;
  other[28 + 8 + 3] = 1;  // the length of the second key
  EXPECT_THAT(said(other), HasSubstr("text 2 of 4 lies outside of the table"));
}

}  // namespace THIS_FILE
}  // namespace warplens

// The manual by language: each page in German where it is there, else in English.
#include "app/base/manual.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "core/base/system/embedded.h"

namespace warplens {
namespace THIS_FILE {

size_t headings_in(std::string_view text) {
  size_t count = text.starts_with("#") ? 1 : 0;
  for (size_t at = text.find("\n#"); at != text.npos; at = text.find("\n#", at + 1)) ++count;
  return count;
}

TEST(Manual, HasItsPagesInEveryLanguage) {
  const std::vector<ManualPage> english = manual_pages();
  ASSERT_GE(english.size(), 7u);
  EXPECT_EQ(english[0].name, "1-first-steps.md");
  EXPECT_EQ(title_of(english[0]), "First steps");
  for (const char* language : {"", "en", "de", "xx", "../manual"}) {
    const std::vector<ManualPage> pages = manual_pages(language);
    ASSERT_EQ(pages.size(), english.size()) << language;
    for (size_t i = 0; i < pages.size(); ++i) {
      EXPECT_EQ(pages[i].name, english[i].name);
      EXPECT_TRUE(pages[i].language == "en" || pages[i].language == language);
      if (pages[i].language == "en") {
        EXPECT_EQ(pages[i].text, english[i].text);
      }
    }
  }
}

TEST(Manual, TheFirstPageIsThereInGermanAndTheOthersInEnglish) {
  const std::vector<ManualPage> english = manual_pages(), german = manual_pages("de");
  EXPECT_EQ(german[0].language, "de");
  EXPECT_EQ(title_of(german[0]), "Erste Schritte");
  EXPECT_EQ(german[1].language, "en");
  EXPECT_EQ(headings_in(german[0].text), headings_in(english[0].text));
  // Names of the window and keys are those of the English page.
  for (const char* name : {"**Launch**", "**Inspector**", "`Ctrl+J`", "`Shift+F10`", "*save…*", "`Ctrl+P`"})
    EXPECT_THAT(std::string(german[0].text), testing::HasSubstr(name));
}

// A translated page whose name no English page has is never shown.
TEST(Manual, EveryTranslatedPageHasAnEnglishOne) {
  std::set<std::string_view> names;
  for (const ManualPage& page : manual_pages()) names.insert(page.name);
  size_t translated = 0;
  for (const EmbeddedFile& file : embedded_files()) {
    if (!file.path.starts_with("manuals/")) continue;
    ++translated;
    EXPECT_TRUE(names.contains(file.path.substr(file.path.rfind('/') + 1))) << file.path;
  }
  EXPECT_GE(translated, 1u);
}

}  // namespace THIS_FILE
}  // namespace warplens

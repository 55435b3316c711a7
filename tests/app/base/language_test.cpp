#include "app/base/language.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/base/system/embedded.h"
#include "tests/environment.h"

namespace warplens {
namespace THIS_FILE {

std::shared_ptr<const Language> german(const std::map<std::string, std::string>& words) {
  auto language = std::make_shared<Language>();
  language->code = "de";
  language->words = {words.begin(), words.end()};
  return language;
}

class Languages : public testing::Test {
 protected:
  void TearDown() override {
    collect_untranslated(nullptr);
    speak(std::shared_ptr<const Language>());
  }
};

TEST_F(Languages, EnglishIsShownAsItIs) {
  EXPECT_EQ(shown("Run"), "Run");
  EXPECT_EQ(shown_label("Run##now"), "Run##now");
  EXPECT_EQ(spoken(), "");
  speak("no such language");
  EXPECT_EQ(shown("Run"), "Run");
}

TEST_F(Languages, AWholeTextIsTranslated) {
  speak(german({{"Run", "Ausführen"}, {"Run again", "Noch einmal"}, {"Empty", ""}}));
  EXPECT_EQ(spoken(), "de");
  EXPECT_EQ(shown("Run"), "Ausführen");
  EXPECT_EQ(shown("Run again"), "Noch einmal");
  EXPECT_EQ(shown("Run it"), "Run it");
  EXPECT_EQ(shown("Empty"), "Empty") << "nothing stands for it yet";
  EXPECT_EQ(shown(""), "");
}

TEST_F(Languages, NumbersHavePlaces) {
  speak(german(
      {{"{n} of {n} warps", "{n} von {n} Warps"}, {"{n} warps in {n} blocks", "{2} Blöcke, {1} Warps"}}));
  EXPECT_EQ(shown("3 of 12 warps"), "3 von 12 Warps");
  EXPECT_EQ(shown("1,024 of 3.5 warps"), "1,024 von 3.5 Warps");
  EXPECT_EQ(shown("8 warps in 2 blocks"), "2 Blöcke, 8 Warps");
  EXPECT_EQ(shown("fp16 of 12 warps"), "fp16 of 12 warps") << "a number within a name is a part of the name";
}

// A German reads "114,688" as a decimal.
TEST_F(Languages, GroupsOfDigitsAreWrittenAsInTheLanguage) {
  auto language = std::make_shared<Language>();
  language->code = "de";
  language->thousands = " ";
  language->words = {{"{n} of {n} sectors", "{n} von {n} Sektoren"}};
  speak(std::shared_ptr<const Language>(language));
  EXPECT_EQ(shown("1,024 of 1,114,688 sectors"), "1 024 von 1 114 688 Sektoren");
  EXPECT_EQ(shown("65,536"), "65 536");
  EXPECT_EQ(shown_amount("n = 10,000"), "n = 10 000");
  EXPECT_EQ(shown("no words for 1,024.5 µs (40,000 bytes)"), "no words for 1 024.5 µs (40 000 bytes)");
  EXPECT_EQ(shown_numbers("12,800"), "12 800");
  for (const char* stays : {"3.5", "block (100,200,0)", "dim3 grid(128,256);", "1,2", "0,1234", "f16,100"})
    EXPECT_EQ(shown(stays), stays);
  speak(std::shared_ptr<const Language>());
  EXPECT_EQ(shown("65,536"), "65,536");
}

TEST_F(Languages, GermanHasASignOfItsOwn) {
  speak("de");
  EXPECT_EQ(shown("114,688"), "114\u00a0688");
}

TEST_F(Languages, WordsHavePlacesAndAreTranslatedThemselves) {
  speak(german({{"Kernel: {}", "Kernel: {}"},
                {"Vector add", "Vektoren addieren"},
                {"{} of {}: {n} bytes", "{2}, {1}: {3} Bytes"},
                {"load of {} · line {n}", "Laden von {} · Zeile {n}"}}));
  EXPECT_EQ(shown("Kernel: Vector add"), "Kernel: Vektoren addieren");
  EXPECT_EQ(shown("Kernel: mine"), "Kernel: mine");
  EXPECT_EQ(shown("load of x · line 12"), "Laden von x · Zeile 12");
  EXPECT_EQ(shown("a of b: 4 bytes"), "b, a: 4 Bytes");
  EXPECT_EQ(shown("a of b: four bytes"), "a of b: four bytes") << "{n} takes numbers alone";
}

TEST_F(Languages, TheFormWithMostLettersWins) {
  speak(german(
      {{"{} of shared memory", "Shared: {}"}, {"load of {}", "Laden von {}"}, {"store to {}", "nach {}"}}));
  EXPECT_EQ(shown("load of shared memory"), "Shared: load");
  EXPECT_EQ(shown("store to x"), "nach x");
}

TEST_F(Languages, LinesSentencesAndListsAreTranslatedOneByOne) {
  speak(german({{"The SM is full.", "Der SM ist voll."},
                {"It waits.", "Er wartet."},
                {"{n} faults", "{n} Fehler"},
                {"{n} messages", "{n} Meldungen"}}));
  EXPECT_EQ(shown("The SM is full. It waits."), "Der SM ist voll. Er wartet.");
  EXPECT_EQ(shown("3 faults · 2 messages"), "3 Fehler · 2 Meldungen");
  EXPECT_EQ(shown("It waits.\nThe SM is full."), "Er wartet.\nDer SM ist voll.");
  EXPECT_EQ(shown("It waits. Unknown words."), "Er wartet. Unknown words.");
  speak(german({{"Worst: {}.", "Am schlimmsten: {}."}, {"It waits.", "Er wartet."}}));
  EXPECT_EQ(shown("Worst: a.cu:1. It waits."), "Am schlimmsten: a.cu:1. Er wartet.");
}

// A compiler's log, a traceback, a licence: each part is looked up once; otherwise this would take very long.
TEST_F(Languages, ALongTextOfOthersIsShownAsItIs) {
  speak(german(
      {{"It waits.", "Er wartet."}, {"{} of {}", "{} von {}"}, {"Now wait. Or go.", "Warte oder geh."}}));
  std::string text;
  for (int i = 0; i < 60; ++i) text += "a.cu: this is wrong · at once. Look there. Then here\n";
  ASSERT_LT(text.size(), 4096u);
  EXPECT_EQ(shown(text), text);
  EXPECT_EQ(shown(text + "It waits."), text + "Er wartet.");
  EXPECT_EQ(shown("Look there. Now wait. Or go."), "Look there. Warte oder geh.")
      << "one entry of two sentences";
  const std::string longer(100'000, 'a');
  EXPECT_EQ(shown(longer), longer);
}

TEST_F(Languages, SignsAroundTheWordsStay) {
  speak(german({{"Right", "Richtig"}, {"next", "weiter"}}));
  EXPECT_EQ(shown("✓ Right"), "✓ Richtig");
  EXPECT_EQ(shown("★★★ Right"), "★★★ Richtig");
  EXPECT_EQ(shown("next ›"), "weiter ›");
  EXPECT_EQ(shown("·"), "·");
}

TEST_F(Languages, ALabelKeepsItsId) {
  speak(german({{"Run", "Ausführen"}, {"Both orders", "Beide"}}));
  EXPECT_EQ(shown_label("Run"), "Ausführen###Run");
  EXPECT_EQ(shown_label("Both orders ›##orders"), "Beide ›###Both orders ›##orders");
  EXPECT_EQ(shown_label("Run###now"), "Ausführen###now");
  EXPECT_EQ(shown_label("mine##x"), "mine##x");
}

TEST_F(Languages, ALineOfATranslatedTextIsLeftAlone) {
  speak(german({{"Block", "BLOCK"}, {"{} of {}", "{} von {}"}}));
  shown_already("ein of zwei");
  EXPECT_EQ(shown("ein of zwei"), "ein of zwei");
  shown_already("Block");  // exactly a text of the program
  EXPECT_EQ(shown("Block"), "BLOCK");
}

TEST_F(Languages, AnotherLanguageIsSpokenAtOnce) {
  speak(german({{"Run", "Ausführen"}}));
  EXPECT_EQ(shown("Run"), "Ausführen");
  speak(german({{"Run", "Los"}}));
  EXPECT_EQ(shown("Run"), "Los");
  speak(std::shared_ptr<const Language>());
  EXPECT_EQ(shown("Run"), "Run");
}

TEST_F(Languages, ManyTextsDoNotFillTheMemory) {
  speak(german({{"{n} blocks of {}", "{n} Blöcke von {}"}}));
  for (int i = 0; i < 50'000; ++i)
    ASSERT_EQ(shown(std::to_string(i) + " blocks of x"), std::to_string(i) + " Blöcke von x");
}

TEST_F(Languages, WhatLacksATranslationIsCollected) {
  std::set<std::string> lacking;
  speak(german({{"Run", "Ausführen"}}));
  collect_untranslated(&lacking);
  for (const char* text : {"Run", "3 of 4", "7 warps", "9 warps", "✓ Run"}) shown(text);
  collect_untranslated(nullptr);
  EXPECT_EQ(lacking, (std::set<std::string>{"{n} of {n}", "{n} warps"}));
}

TEST_F(Languages, AFileThatIsWrongSaysWhere) {
  const auto said = [](const char* text) {
    const Result<Language> language = parse_language(text, "words/xx.json");
    return language ? std::string() : language.error().message;
  };
  EXPECT_EQ(said(R"({"language": "X", "words": {"Run {n}": "R {n}"}})"), "");
  EXPECT_NE(said("[]").find("words/xx.json: needs"), std::string::npos);
  EXPECT_NE(said(R"({"language": 3, "words": {}})").find("needs"), std::string::npos);
  EXPECT_NE(said("{").find("words/xx.json"), std::string::npos);
  EXPECT_NE(said(R"({"language": "X", "words": {"Run": 3}})").find("\"Run\" needs a text"),
            std::string::npos);
  EXPECT_NE(said(R"({"language": "X", "words": {"{n} a": "b"}})").find("lacks place 1"), std::string::npos);
  EXPECT_NE(
      said(R"({"language": "X", "words": {"{n} a": "{n} {n}"}})").find("has place 2, its English text has 1"),
      std::string::npos);
}

TEST_F(Languages, EachFileOfTheProgramIsRead) {
  size_t files = 0;
  for (const EmbeddedFile& file : embedded_files()) {
    if (!file.path.starts_with("words/")) continue;
    ++files;
    const Result<Language> language = parse_language(file.bytes, std::string(file.path));
    ASSERT_TRUE(language) << language.error().message;
    EXPECT_FALSE(language->words.empty()) << file.path;
  }
  EXPECT_EQ(languages().size(), files);
  ASSERT_GE(files, 1u);
  EXPECT_EQ(language_codes().front(), "en");
  speak("de");
  EXPECT_EQ(spoken(), "de");
  EXPECT_EQ(shown("Run"), "Ausführen");
}

TEST_F(Languages, TheSystemSaysWhichOne) {
  ScopedEnvironment all("LC_ALL", nullptr), messages("LC_MESSAGES", nullptr);
  const auto of = [](const char* lang) {
    ScopedEnvironment set("LANG", lang);
    return language_of_system();
  };
  EXPECT_EQ(of("de_AT.UTF-8"), "de");
  EXPECT_EQ(of("de"), "de");
  EXPECT_EQ(of("en_GB.UTF-8"), "");
  EXPECT_EQ(of("C"), "");
  EXPECT_EQ(of("deutsch"), "");
  EXPECT_EQ(of(nullptr), "");
  EXPECT_EQ(language_meant("de"), "de");
  EXPECT_EQ(language_meant("en"), "");
  EXPECT_EQ(language_meant("tlh"), "");
}

}  // namespace THIS_FILE
}  // namespace warplens

#include "app/base/language.h"

#include <gtest/gtest.h>

#include <deque>
#include <set>

#include "app/base/language/messages.h"
#include "core/base/system/embedded.h"
#include "core/base/text.h"
#include "tests/app/base/language/table.h"
#include "tests/environment.h"

namespace warplens {
namespace THIS_FILE {

class Languages : public testing::Test {
 protected:
  ~Languages() override {
    report_untranslated(nullptr);
    speak("");
  }

  void speak_german(TableEntries entries, const std::string& more = "") {
    entries.emplace_back("", "Language: de\nX-Language-Name: Deutsch\n" + more);
    m_tables.push_back(table_of(entries));
    Result<Language> language = read_language(m_tables.back(), "de.mo");
    ASSERT_TRUE(language) << language.error().message;
    m_languages.push_back(*std::move(language));
    speak(m_languages.back());
  }

 private:
  std::deque<std::string> m_tables;
  std::deque<Language> m_languages;
};

TEST_F(Languages, EnglishIsShownAsItIs) {
  EXPECT_EQ(shown("Run"), "Run");
  EXPECT_EQ(shown_label("Run##now"), "Run##now");
  EXPECT_EQ(spoken(), "");
  speak("no such language");
  EXPECT_EQ(shown("Run"), "Run");
}

TEST_F(Languages, AWholeTextIsTranslated) {
  speak_german({{"Run", "Ausführen"}, {"Run again", "Noch einmal"}});
  EXPECT_EQ(spoken(), "de");
  EXPECT_EQ(shown("Run"), "Ausführen");
  EXPECT_EQ(shown("Run again"), "Noch einmal");
  EXPECT_EQ(shown("Run it"), "Run it");
  EXPECT_EQ(shown(""), "");
}

TEST_F(Languages, NumbersHavePlaces) {
  speak_german(
      {{"{n} of {n} warps", "{n} von {n} Warps"}, {"{n} warps in {n} blocks", "{2} Blöcke, {1} Warps"}});
  EXPECT_EQ(shown("3 of 12 warps"), "3 von 12 Warps");
  EXPECT_EQ(shown("1,024 of 3.5 warps"), "1,024 von 3.5 Warps");
  EXPECT_EQ(shown("8 warps in 2 blocks"), "2 Blöcke, 8 Warps");
  EXPECT_EQ(shown("fp16 of 12 warps"), "fp16 of 12 warps") << "a number within a name is a part of the name";
}

// A German reads "114,688" as a decimal.
TEST_F(Languages, GroupsOfDigitsAreWrittenAsInTheLanguage) {
  speak_german({{"{n} of {n} sectors", "{n} von {n} Sektoren"}}, "X-Thousands-Separator: ' '\n");
  EXPECT_EQ(shown("1,024 of 1,114,688 sectors"), "1 024 von 1 114 688 Sektoren");
  EXPECT_EQ(shown("65,536"), "65 536");
  EXPECT_EQ(shown_amount("n = 10,000"), "n = 10 000");
  EXPECT_EQ(shown("no words for 1,024.5 µs (40,000 bytes)"), "no words for 1 024.5 µs (40 000 bytes)");
  EXPECT_EQ(shown_numbers("12,800"), "12 800");
  for (const char* stays : {"3.5", "block (100,200,0)", "dim3 grid(128,256);", "1,2", "0,1234", "f16,100"})
    EXPECT_EQ(shown(stays), stays);
  speak("en");
  EXPECT_EQ(shown("65,536"), "65,536");
}

TEST_F(Languages, GermanHasASignOfItsOwn) {
  speak("de");
  EXPECT_EQ(shown("114,688"), "114\u00a0688");
}

TEST_F(Languages, WordsHavePlacesAndAreTranslatedThemselves) {
  speak_german({{"Kernel: {}", "Kernel: {}"},
                {"Vector add", "Vektoren addieren"},
                {"{} of {}: {n} bytes", "{2}, {1}: {3} Bytes"},
                {"load of {} · line {n}", "Laden von {} · Zeile {n}"}});
  EXPECT_EQ(shown("Kernel: Vector add"), "Kernel: Vektoren addieren");
  EXPECT_EQ(shown("Kernel: mine"), "Kernel: mine");
  EXPECT_EQ(shown("load of x · line 12"), "Laden von x · Zeile 12");
  EXPECT_EQ(shown("a of b: 4 bytes"), "b, a: 4 Bytes");
  EXPECT_EQ(shown("a of b: four bytes"), "a of b: four bytes") << "{n} takes numbers alone";
}

TEST_F(Languages, TheFormWithMostLettersWins) {
  speak_german(
      {{"{} of shared memory", "Shared: {}"}, {"load of {}", "Laden von {}"}, {"store to {}", "nach {}"}});
  EXPECT_EQ(shown("load of shared memory"), "Shared: load");
  EXPECT_EQ(shown("store to x"), "nach x");
}

TEST_F(Languages, LinesSentencesAndListsAreTranslatedOneByOne) {
  speak_german({{"The SM is full.", "Der SM ist voll."},
                {"It waits.", "Er wartet."},
                {"{n} faults", "{n} Fehler"},
                {"{n} messages", "{n} Meldungen"}});
  EXPECT_EQ(shown("The SM is full. It waits."), "Der SM ist voll. Er wartet.");
  EXPECT_EQ(shown("3 faults · 2 messages"), "3 Fehler · 2 Meldungen");
  EXPECT_EQ(shown("It waits.\nThe SM is full."), "Er wartet.\nDer SM ist voll.");
  EXPECT_EQ(shown("It waits. Unknown words."), "Er wartet. Unknown words.");
  speak_german({{"Worst: {}.", "Am schlimmsten: {}."}, {"It waits.", "Er wartet."}});
  EXPECT_EQ(shown("Worst: a.cu:1. It waits."), "Am schlimmsten: a.cu:1. Er wartet.");
}

// A compiler's log, a traceback, a licence: each part is looked up once; otherwise this would take very long.
TEST_F(Languages, ALongTextOfOthersIsShownAsItIs) {
  speak_german(
      {{"It waits.", "Er wartet."}, {"{} of {}", "{} von {}"}, {"Now wait. Or go.", "Warte oder geh."}});
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
  speak_german({{"Right", "Richtig"}, {"next", "weiter"}});
  EXPECT_EQ(shown("✓ Right"), "✓ Richtig");
  EXPECT_EQ(shown("★★★ Right"), "★★★ Richtig");
  EXPECT_EQ(shown("next ›"), "weiter ›");
  EXPECT_EQ(shown("·"), "·");
}

TEST_F(Languages, ALabelKeepsItsId) {
  speak_german({{"Run", "Ausführen"}, {"Both orders", "Beide"}});
  EXPECT_EQ(shown_label("Run"), "Ausführen###Run");
  EXPECT_EQ(shown_label("Both orders ›##orders"), "Beide ›###Both orders ›##orders");
  EXPECT_EQ(shown_label("Run###now"), "Ausführen###now");
  EXPECT_EQ(shown_label("mine##x"), "mine##x");
}

TEST_F(Languages, ALineOfATranslatedTextIsLeftAlone) {
  speak_german({{"Block", "BLOCK"}, {"{} of {}", "{} von {}"}});
  shown_already("ein of zwei");
  EXPECT_EQ(shown("ein of zwei"), "ein of zwei");
  shown_already("Block");  // exactly a text of the program
  EXPECT_EQ(shown("Block"), "BLOCK");
}

TEST_F(Languages, AnotherLanguageIsSpokenAtOnce) {
  speak_german({{"Run", "Ausführen"}});
  EXPECT_EQ(shown("Run"), "Ausführen");
  speak_german({{"Run", "Los"}});
  EXPECT_EQ(shown("Run"), "Los");
  speak("en");
  EXPECT_EQ(shown("Run"), "Run");
}

TEST_F(Languages, ManyTextsDoNotFillTheMemory) {
  speak_german({{"{n} blocks of {}", "{n} Blöcke von {}"}});
  for (int i = 0; i < 50'000; ++i)
    ASSERT_EQ(shown(std::to_string(i) + " blocks of x"), std::to_string(i) + " Blöcke von x");
}

TEST_F(Languages, OneAndSeveralAreOneEntry) {
  using std::string_literals::operator""s;
  speak_german({{"{n} block of {}\0{n} blocks of {}"s, "{n} Block zu {}\0{n} Blöcke zu {}"s}});
  EXPECT_EQ(shown("1 block of 256"), "1 Block zu 256");
  EXPECT_EQ(shown("1,024 blocks of 256"), "1,024 Blöcke zu 256");
}

TEST_F(Languages, AmountsAreTranslatedAsAWhole) {
  speak_german({{"amount\4{n} of {n}", "{n} von {n}"}, {"amount\4line {n}", "Zeile {n}"}, {"x", "y"}});
  EXPECT_EQ(shown_amount("3 of 4"), "3 von 4");
  for (const char* stays : {"3 of 4;", "line 3 · line 4", "x"}) EXPECT_EQ(shown_amount(stays), stays);
  EXPECT_EQ(shown("3 of 4"), "3 of 4");
}

TEST_F(Languages, WhatLacksATranslationIsReported) {
  static std::set<std::string> lacking;
  speak_german({{"Run", "Ausführen"}, {"It waits.", "Er wartet."}});
  const auto report = [](std::string_view english, TextKind kind) {
    lacking.insert((kind == TextKind::amounts ? "amount: " : "") + std::string(english));
  };
  report_untranslated(report);
  for (const char* text : {"Run", "3 of 4", "✓ Run", "It waits. Go."}) shown(text);
  shown_amount("line 3");
  EXPECT_EQ(lacking, (std::set<std::string>{"3 of 4", "Go.", "amount: line 3"}));
  speak("en");
  EXPECT_EQ(shown("Run"), "Run");
  EXPECT_TRUE(lacking.contains("Run"));
}

TEST_F(Languages, ATableWithoutANameIsAnError) {
  const auto said = [](const char* header) {
    const std::string table = table_of({{"", header}});
    const Result<Language> language = read_language(table, "words/xx.mo");
    return language ? std::string() : language.error().message;
  };
  EXPECT_EQ(said("Language: xx\nX-Language-Name: X\nX-Thousands-Separator:\n"), "");
  EXPECT_NE(said("X-Language-Name: X\n").find("words/xx.mo: the header needs"), std::string::npos);
  EXPECT_NE(said("Language: xx\n").find("words/xx.mo: the header needs"), std::string::npos);
  EXPECT_FALSE(read_language("{}", "words/xx.mo"));
}

// Which places of the English text a text has.
std::multiset<size_t> places_of(std::string_view text) {
  std::multiset<size_t> places;
  for (size_t at = text.find('{'); at != text.npos; at = text.find('{', at + 1)) {
    const std::string_view place = text.substr(at, text.find('}', at) - at);
    if (place == "{" || place == "{n") places.insert(places.size());
    if (place.size() == 2 && is_digit(place[1])) places.insert(static_cast<size_t>(place[1] - '1'));
  }
  return places;
}

TEST_F(Languages, EachTableOfTheProgramIsRead) {
  size_t files = 0;
  for (const EmbeddedFile& file : embedded_files()) {
    if (!file.path.starts_with("words/")) continue;
    const Result<Language> language = read_language(file.bytes, std::string(file.path));
    ASSERT_TRUE(language) << language.error().message;
    EXPECT_EQ(file.path, "words/" + language->code + ".mo");
    const Result<std::vector<Message>> messages = read_messages(file.bytes, std::string(file.path));
    EXPECT_GT(messages->size(), 1000u);
    for (const Message& message : *messages) {
      EXPECT_EQ(places_of(message.translated), places_of(message.english)) << message.english;
      EXPECT_EQ(places_of(message.translated_plural), places_of(message.plural)) << message.plural;
    }
    ++files;
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
  EXPECT_EQ(of(".UTF-8"), "");
  EXPECT_EQ(of("deutsch"), "");
  EXPECT_EQ(of(nullptr), "");
  EXPECT_EQ(language_meant("de"), "de");
  EXPECT_EQ(language_meant("en"), "");
  EXPECT_EQ(language_meant("tlh"), "");
}

}  // namespace THIS_FILE
}  // namespace warplens

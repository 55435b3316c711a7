// Translations of lessons and challenges: what they may say, what is said of their mistakes, and the marks of
// the words that they were made from.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "core/lesson/format/challenge.h"
#include "core/lesson/format/texts.h"
#include "tests/core/lesson/examples.h"

namespace warplens::lesson {
namespace THIS_FILE {

using testing::HasSubstr;
using testing::Not;

Folder translated_challenge() {
  Folder folder = example_challenge();
  folder.files["challenge.de.md"] = doc_example("challenges.md", "challenge.de");
  return folder;
}

const std::string german_lesson =
    "---\ntitle: Zwei Threads ohne Arbeit\nabout: Jeder Thread hat sein Element.\n---\n\n"
    "## Zeige auf einen Thread {#point}\n\nDrei Blöcke schreiben {{n}} Zahlen.\n\n"
    "```done\nelse Klicke auf einen Thread.\n```\n\n"
    "### Hint\nDie Quadrate.\n\n### Then\nElement {{pinned.index}}.\n\n### Notes\nFragen.\n";

Folder translated_lesson() {
  Folder folder = example_lesson();
  folder.files["lesson.de.md"] = german_lesson;
  return folder;
}

std::string said_of(const std::vector<Diagnostic>& diagnostics, std::string_view file) {
  std::vector<Diagnostic> here = diagnostics;
  std::erase_if(here, [&](const Diagnostic& d) { return d.file != file; });
  return to_text(here);
}

TEST(ChallengeTranslation, TheDocumentedOneIsWholeAndTheBuiltInOne) {
  const Folder folder = translated_challenge();
  const LoadedChallenge english = load_challenge(folder), german = load_challenge(folder, "de");
  EXPECT_EQ(to_text(german.diagnostics), "");
  EXPECT_EQ(to_text(outdated_parts(folder, "de")), "");
  EXPECT_EQ(german.challenge.language, "de");
  EXPECT_EQ(german.challenge.title, "Achte auf das Ende");
  EXPECT_NE(german.challenge.about, english.challenge.about);
  EXPECT_THAT(german.challenge.task.text, HasSubstr("Jeder Thread addiert ein Paar."));
  ASSERT_EQ(german.challenge.hints.size(), 3u);
  for (size_t i = 0; i < 2; ++i) EXPECT_NE(german.challenge.hints[i].text, english.challenge.hints[i].text);
  EXPECT_NE(german.challenge.then.text, english.challenge.then.text);
  EXPECT_NE(german.challenge.notes.text, english.challenge.notes.text);
  ASSERT_EQ(german.challenge.two.size(), 1u);
  EXPECT_EQ(german.challenge.two[0].expression.text, english.challenge.two[0].expression.text);
  EXPECT_THAT(german.challenge.two[0].words.text, HasSubstr("Musterlösung"));
  EXPECT_THAT(german.challenge.three[0].otherwise.text, HasSubstr("Vergleich kostet."));
  EXPECT_EQ(german.challenge.cases.size(), english.challenge.cases.size());
  for (const Folder& one : embedded_folders("challenges"))
    if (one.name == "bounds_check") {
      EXPECT_EQ(one.files.at("challenge.de.md"), folder.files.at("challenge.de.md"));
    }
}

TEST(ChallengeTranslation, WithoutOneTheChallengeIsItsOwn) {
  const Folder folder = example_challenge();
  Folder without = folder;
  without.files.erase("challenge.de.md");
  EXPECT_EQ(load_challenge(without, "de").challenge.title, "Mind the end");
  EXPECT_EQ(load_challenge(without, "de").challenge.language, "en");
  EXPECT_EQ(load_challenge(translated_challenge(), "en").challenge.title, "Mind the end");
  EXPECT_EQ(load_challenge(translated_challenge()).challenge.title, "Mind the end");
}

struct Broken {
  const char *from, *to;
  const char* at;       // words whose line is named; null for the whole file
  const char* message;  // part of it
  bool error = true;
};

// Each text of the translation once in another way, with the line and what is said there.
template <class Read>
void expect_said(Folder folder, const std::string& file, const std::vector<Broken>& all, Read read) {
  const std::string good = folder.files.at(file);
  for (const Broken& broken : all) {
    const std::string text = replaced(good, broken.from, broken.to);
    folder.files[file] = text;
    const std::vector<Diagnostic> said = read(folder);
    uint32_t line = 0;
    if (broken.at != nullptr) {
      const size_t at = text.find(broken.at);
      ASSERT_NE(at, text.npos) << broken.at;
      line = uint32_t(std::count(text.begin(), text.begin() + long(at), '\n')) + 1;
    }
    EXPECT_TRUE(std::ranges::any_of(said,
                                    [&](const Diagnostic& d) {
                                      return d.file == file && d.line == line &&
                                             d.message.find(broken.message) != d.message.npos &&
                                             (d.severity == Severity::error) == broken.error;
                                    }))
        << "line " << line << ": " << broken.message << "\nsaid:\n"
        << to_text(said);
  }
}

TEST(ChallengeTranslation, MistakesAreSaidAtTheirLines) {
  const std::vector<Broken> all = {
      {"about: Der letzte", "level: 1\nabout: Der letzte", "level: 1", "level: belongs into challenge.md"},
      {"about: Der letzte", "abuot: Der letzte", "abuot", "did you mean \"about\""},
      {"title: Achte auf das Ende\n", "", "---", "the head has no title"},
      {"about: Der letzte", "language: fr\nabout: Der letzte", "language: fr", "the file's name says de"},
      {"```stars", "```cases\nn = 1\n```\n\n```stars", "```cases", "```cases belongs into challenge.md"},
      {"two: as", "at: n = 5\ntwo: as", "at: n", "at: belongs into challenge.md"},
      {"two: as höchstens", "two: n <= 5 as höchstens", "two: n", "a translation has no conditions"},
      {"two: as", "two: else Genug.\ntwo: as", "two: as", "as of two 2: challenge.md has none"},
      {"```stars", "```goal\nelse Nicht erreicht.\n```\n\n```stars", "else Nicht", "challenge.md has none"},
      {"else Threads ohne", "else {{counters.sektors}} Threads ohne", "two: as", "sektors"},
      {"die Musterlösung else", "die Musterlösung; yours 5 else", "three: as", "added after the words"},
      {"as höchstens 1.15-mal",
       "as höchstens und höchstens und höchstens und höchstens und höchstens und "
       "höchstens und höchstens und höchstens und höchstens und höchstens 1.15-mal",
       "three: as", "have at most 200 bytes"},
      {"two: as höchstens so viele Sektoren aus dem globalen Speicher geladen wie bei der Musterlösung else",
       "two: as else", "two: as", "after \"as\", write the goal's words"},
      {"-  out[i] = x[i] + y[i];", "-  out[i] = x[i];", "}\n```diff", "the starter has no line"},
      {"### Hint {", "### Hinweis {", "### Hinweis", "there is no part \"Hinweis\""},
      {"### Then {", "### Hint\nNoch einer.\n\n### Then {", "### Hint\nNoch", "hint 4"},
  };
  expect_said(translated_challenge(), "challenge.de.md", all, [](const Folder& folder) {
    std::vector<Diagnostic> said = load_challenge(folder, "de").diagnostics;
    const std::vector<Diagnostic> old = outdated_parts(folder, "de");
    said.insert(said.end(), old.begin(), old.end());
    return said;
  });
}

TEST(ChallengeTranslation, WhatIsLeftOutIsSaidAndShownInEnglish) {
  Folder folder = translated_challenge();
  std::string& text = folder.files["challenge.de.md"];
  const size_t then = text.find("### Then"), notes = text.find("### Notes");
  text.erase(then, notes - then);
  const LoadedChallenge read = load_challenge(folder, "de");
  EXPECT_TRUE(read.ok());
  EXPECT_THAT(to_text(read.diagnostics), HasSubstr("warning: ### Then is not translated"));
  EXPECT_EQ(read.challenge.then.text, load_challenge(folder).challenge.then.text);
}

TEST(LessonTranslation, MistakesAreSaidAtTheirLines) {
  const std::vector<Broken> all = {
      {"Drei Blöcke", "{{launch.blok.x}} Blöcke", "{{launch.blok", "did you mean \"launch.block.x\""},
      {"{{pinned.index}}", "{{pinned.idx}}", "Element {{", "nothing called pinned.idx"},
      {"Drei Blöcke", "![Bild](blöcke.png) Blöcke", "![Bild]", "blöcke.png is not in the folder"},
      {"### Then", "### Hint\nNoch einer.\n\n### Then", "Noch einer", "hint 2: lesson.md has none"},
      {"else Klicke auf", "else Ja.\nelse Klicke auf", "else Klicke", "sentence 2 of ```done"},
      {"else Klicke", "pinned.thread else Klicke", "pinned.thread", "and no conditions"},
      {"{#point}", "{#pont}", "## Zeige", "lesson.md does not have the step {#pont}"},
      {"### Hint\n", "```ask\ntext: Was?\n```\n\n### Hint\n", "## Zeige",
       "1 questions here, lesson.md has 0"},
      {"### Notes\nFragen.\n", "", "## Zeige", "not translated in the step {#point}: ### Notes", false},
      {"title: Zwei", "minutes: 5\ntitle: Zwei", "minutes", "minutes: belongs into lesson.md"},
      {"title: Zwei", "mark: viele\ntitle: Zwei", "mark: viele", "let check --mark write it"},
      {"### Hint\n", "### Hint {0123}\n", "### Hint", "only after the step's id"},
  };
  expect_said(translated_lesson(), "lesson.de.md", all,
              [](const Folder& folder) { return load_lesson(folder, "de").diagnostics; });
}

TEST(LessonTranslation, AMarkBelongsIntoATranslation) {
  Folder folder = example_lesson();
  std::string& text = folder.files["lesson.md"];
  text = replaced(text, "{#point}", "{#point 0123}");
  text = replaced(text, "minutes: 10", "minutes: 10\nmark: 0123");
  const std::string said = to_text(load_lesson(folder).diagnostics);
  EXPECT_THAT(said, HasSubstr("lesson.md:6: error: mark: belongs in a translation"));
  EXPECT_THAT(said, HasSubstr("error: the mark 0123 belongs in a translation"));
}

TEST(TranslationMarks, AreWrittenForAllPartsAndNamedWhereTheyAreMissing) {
  Folder folder = translated_lesson();
  EXPECT_THAT(to_text(outdated_parts(folder, "de")), HasSubstr("is not noticed: head, point."));
  const Result<std::string> marked = with_new_marks(folder, "de", "all");
  ASSERT_TRUE(marked) << marked.error().message;
  folder.files["lesson.de.md"] = *marked;
  EXPECT_EQ(to_text(outdated_parts(folder, "de")), "");
  EXPECT_EQ(said_of(load_lesson(folder, "de").diagnostics, "lesson.de.md").find("error"), std::string::npos);
  EXPECT_EQ(load_lesson(folder, "de").lesson.steps[0].title.text, "Zeige auf einen Thread");
  // Once more changes nothing, and without its marks the file is what it was.
  EXPECT_EQ(*with_new_marks(folder, "de", "all"), *marked);
  std::string without = *marked;
  for (const char* before : {"\nmark: ", "{#point "}) {
    const size_t at = without.find(before);
    ASSERT_NE(at, without.npos);
    const bool head = before[0] == '\n';
    without.erase(head ? at : at + 7, head ? 11 : 5);
  }
  EXPECT_EQ(without, german_lesson);
}

TEST(TranslationMarks, SayWhatChangedInEnglishAndNothingElse) {
  Folder folder = translated_lesson();
  folder.files["lesson.de.md"] = *with_new_marks(folder, "de", "all");
  const Folder marked = folder;
  // Neither line breaks nor what is not read, nor another step.
  std::string& english = folder.files["lesson.md"];
  english = replaced(english, "Three blocks of four threads write", "Three blocks of four\nthreads write");
  english = replaced(english, "pin: line 5", "pin: line 6");
  english = replaced(english, "Count the lines from", "Count all lines from");
  EXPECT_EQ(to_text(outdated_parts(folder, "de")), "");

  const std::pair<const char*, const char*> changes[] = {
      {"## Point at a thread", "## Point at one thread"},
      {"of four threads", "of five threads"},
      {"else Click one", "else Take one"},
      {"The threads are the numbered", "Threads are the numbered"},
      {"writes element {{", "wrote element {{"},
      {"Ask for the element first", "Ask for its element first"}};
  for (const auto& [from, to] : changes) {
    Folder other = marked;
    other.files["lesson.md"] = replaced(other.files["lesson.md"], from, to);
    const std::vector<Diagnostic> said = outdated_parts(other, "de");
    ASSERT_EQ(said.size(), 1u) << to << "\n" << to_text(said);
    EXPECT_EQ(said[0].line, 7u);
    EXPECT_EQ(said[0].severity, Severity::warning);
    EXPECT_THAT(said[0].message, HasSubstr("the step {#point}"));
  }
  Folder other = marked;
  other.files["lesson.md"] = replaced(other.files["lesson.md"], "title: Two threads", "title: Some threads");
  other.files["lesson.md"] = replaced(other.files["lesson.md"], "of four threads", "of 4 threads");
  EXPECT_EQ(outdated_parts(other, "de").size(), 2u);
  // One part is brought up to date.
  other.files["lesson.de.md"] = *with_new_marks(other, "de", "point");
  const std::string said = to_text(outdated_parts(other, "de"));
  EXPECT_THAT(said, HasSubstr("lesson.de.md:4: warning: lesson.md has other words now for the head"));
  EXPECT_THAT(said, Not(HasSubstr("{#point}")));
  EXPECT_FALSE(with_new_marks(other, "de", "tail")) << "the translation has no such step";
}

TEST(TranslationMarks, OfAChallengeAreOfItsParts) {
  const Folder good = translated_challenge();
  const std::tuple<const char*, const char*, const char*> changes[] = {
      {"title: Mind", "title: Watch", "the head and the sentences"},
      {"They\n  should not", "They\n  must not", "the head and the sentences"},
      {"Each thread adds one", "A thread adds one", "## Task"},
      {"Which threads have an", "What threads have an", "hint 1"},
      {"In Python:", "With Python:", "hint 3"},
      {"From now on", "From here on", "### Then"},
      {"Ask what the threads", "Ask what those threads", "### Notes"}};
  for (const auto& [from, to, part] : changes) {
    Folder folder = good;
    folder.files["challenge.md"] = replaced(folder.files["challenge.md"], from, to);
    const std::vector<Diagnostic> said = outdated_parts(folder, "de");
    ASSERT_EQ(said.size(), 1u) << to << "\n" << to_text(said);
    EXPECT_THAT(said[0].message, HasSubstr(part));
    EXPECT_GT(said[0].line, 0u);
  }
  Folder folder = good;
  folder.files["challenge.md"] = replaced(folder.files["challenge.md"], "level: 1", "level: 2");
  EXPECT_EQ(to_text(outdated_parts(folder, "de")), "");
}

// Every translation of the program is whole and up to date.
TEST(BuiltInTranslations, AreWholeAndUpToDate) {
  size_t lessons = 0, challenges = 0;
  for (const Folder& folder : embedded_folders("lessons"))
    for (const std::string& language : languages_in(folder, "lesson")) {
      EXPECT_EQ(to_text(load_lesson(folder, language).diagnostics), "") << folder.name;
      EXPECT_EQ(to_text(outdated_parts(folder, language)), "") << folder.name;
      ++lessons;
    }
  for (const Folder& folder : embedded_folders("challenges"))
    for (const std::string& language : languages_in(folder, "challenge")) {
      EXPECT_EQ(to_text(load_challenge(folder, language).diagnostics), "") << folder.name;
      EXPECT_EQ(to_text(outdated_parts(folder, language)), "") << folder.name;
      ++challenges;
    }
  EXPECT_GE(lessons, 4u);
  EXPECT_GE(challenges, 6u);
}

}  // namespace THIS_FILE
}  // namespace warplens::lesson

#include <gtest/gtest.h>

#include <stdlib.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <set>
#include <string>

#include "app/base/language.h"
#include "core/base/json/json.h"
#include "tests/ui/driver.h"
#include "tests/ui/own_screen.h"

namespace {

// Temporary files of the tests are removed at the end.
class OwnTemporaries {
 public:
  OwnTemporaries() {
    std::string made = (std::filesystem::temp_directory_path() / "warplens-ui-XXXXXX").string();
    if (mkdtemp(made.data()) == nullptr) return;
    m_folder = made;
    for (const char* name : {"TMPDIR", "TEST_TMPDIR"}) setenv(name, made.c_str(), 1);
  }
  ~OwnTemporaries() {
    std::error_code ignored;
    if (!m_folder.empty()) std::filesystem::remove_all(m_folder, ignored);
  }
  OwnTemporaries(const OwnTemporaries&) = delete;
  OwnTemporaries& operator=(const OwnTemporaries&) = delete;

 private:
  std::filesystem::path m_folder;
};

// WARPLENS_UNTRANSLATED=FILE: all texts that the tests' windows showed go there, a line each, with {n} for
// numbers. With WARPLENS_UNTRANSLATED_IN=de only those that this language has no translation for.
class Collected {
 public:
  Collected() {
    if (m_file == nullptr) return;
    const char* code = getenv("WARPLENS_UNTRANSLATED_IN");
    const auto& all = warplens::languages();
    const auto found =
        std::ranges::find(all, std::string(code == nullptr ? "" : code), &warplens::Language::code);
    // Without its translations: the tests look for the English words.
    m_language = found == all.end() ? warplens::Language{} : *found;
    warplens::speak(std::make_shared<warplens::Language>());
    warplens::collect_untranslated(&m_texts);
  }
  ~Collected() {
    if (m_file == nullptr) return;
    warplens::collect_untranslated(nullptr);
    // What tests of other processes showed stays in the file.
    std::set<std::string> lines;
    std::ifstream before(m_file);
    for (std::string line; std::getline(before, line);) lines.insert(line);
    warplens::speak(std::make_shared<warplens::Language>(m_language));
    for (const std::string& text : m_texts)
      if (lacks_words(text)) lines.insert(warplens::Json(text).dump());
    std::ofstream after(m_file);
    for (const std::string& line : lines) after << line << "\n";
  }
  Collected(const Collected&) = delete;
  Collected& operator=(const Collected&) = delete;

 private:
  // The place of a number takes any.
  static bool lacks_words(const std::string& text) {
    std::string number = text.starts_with("amount: ") ? text.substr(8) : text;
    for (size_t at = number.find("{n}"); at != std::string::npos; at = number.find("{n}", at))
      number.replace(at, 3, "7");
    return (text.starts_with("amount: ") ? warplens::shown_amount(number) : warplens::shown(number)) ==
           number;
  }

  const char* m_file = getenv("WARPLENS_UNTRANSLATED");
  warplens::Language m_language;
  std::set<std::string> m_texts;
};

}  // namespace

int main(int argc, char** argv) {
  const OwnTemporaries temporaries;
  ::testing::InitGoogleTest(&argc, argv);
  warplens::OwnScreen screen;
  if (!GTEST_FLAG_GET(list_tests) && !warplens::is_watched()) {
    const std::string why_not = screen.open();
    if (!why_not.empty()) return std::fprintf(stderr, "No screen for the window: %s.\n", why_not.c_str()), 1;
  }
  const Collected collected;
  return RUN_ALL_TESTS();
}

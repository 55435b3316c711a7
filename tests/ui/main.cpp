#include <gtest/gtest.h>

#include <stdlib.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <set>
#include <string>
#include <string_view>

#include "app/base/language.h"
#include "app/base/language/numbers.h"
#include "core/base/json/json.h"
#include "core/base/text.h"
#include "tests/be_the_program.h"
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
    // In English: the tests look for the English words.
    if (m_file != nullptr) warplens::report_untranslated(&Collected::add);
  }
  ~Collected() {
    if (m_file == nullptr) return;
    warplens::report_untranslated(nullptr);
    // What tests of other processes showed stays in the file.
    std::set<std::string> lines;
    std::ifstream before(m_file);
    for (std::string line; std::getline(before, line);) lines.insert(line);
    const char* code = getenv("WARPLENS_UNTRANSLATED_IN");
    warplens::speak(code == nullptr ? "" : code);
    for (const std::string& text : m_texts)
      if (lacks_words(text)) lines.insert(warplens::Json(text).dump());
    std::ofstream after(m_file);
    for (const std::string& line : lines) after << line << "\n";
  }
  Collected(const Collected&) = delete;
  Collected& operator=(const Collected&) = delete;

 private:
  static void add(std::string_view english, warplens::TextKind kind) {
    const bool amount = kind == warplens::TextKind::amounts;
    if (amount && english.find_first_of(";=&*<>\"[") != english.npos) return;  // a line of a program
    std::string text = amount ? "amount: " : "";
    size_t done = 0;
    for (std::string_view number = warplens::next_number(english, 0); !number.empty();
         number = warplens::next_number(english, done)) {
      const auto begin = static_cast<size_t>(number.data() - english.data());
      text.append(english.substr(done, begin - done)).append("{n}");
      done = begin + number.size();
    }
    const std::scoped_lock lock(m_mutex);
    m_texts.insert(text.append(english.substr(done)));
  }

  // The place of a number takes any.
  static bool lacks_words(const std::string& text) {
    const bool amount = text.starts_with("amount: ");
    const std::string english = warplens::replace_all(text.substr(amount ? 8 : 0), "{n}", "7");
    return (amount ? warplens::shown_amount(english) : warplens::shown(english)) == english;
  }

  const char* m_file = getenv("WARPLENS_UNTRANSLATED");
  static inline std::mutex m_mutex;
  static inline std::set<std::string> m_texts;
};

}  // namespace

int main(int argc, char** argv) {
  warplens::be_the_program_if_asked(argc, argv);
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

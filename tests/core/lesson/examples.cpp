#include "tests/core/lesson/examples.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/base/system/files.h"
#include "tests/paths.h"

namespace warplens::lesson {

std::string doc_example(const std::string& file, const std::string& name) {
  const auto text = read_text((test_files::source_dir() / "docs" / file).string(), 1 << 20);
  if (!text) return {};
  const size_t mark = text->find("<!-- example: " + name + " -->");
  const size_t fence = text->find("```", mark);
  const size_t ticks = text->find_first_not_of('`', fence) - fence;
  const size_t begin = text->find('\n', fence) + 1;
  const size_t end = text->find("\n" + std::string(ticks, '`') + "\n", begin);
  if (mark == std::string::npos || end == std::string::npos) return {};
  return text->substr(begin, end - begin + 1);
}

Folder example_lesson() {
  Folder folder;
  folder.name = "example";
  folder.files["lesson.md"] = doc_example("lessons.md", "lesson");
  return folder;
}

Folder example_challenge() {
  for (Folder& folder : embedded_folders("challenges"))
    if (folder.name == "bounds_check") {
      folder.files["challenge.md"] = doc_example("challenges.md", "challenge");
      return std::move(folder);
    }
  return {};
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  if (at != std::string::npos) text.replace(at, from.size(), to);
  return text;
}

}  // namespace warplens::lesson

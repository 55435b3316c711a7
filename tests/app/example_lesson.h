// The example of docs/lessons.md, as the window's tests use it.
#pragma once

#include <string>

#include "core/base/system/files.h"
#include "tests/paths.h"

namespace warplens {

inline std::string example_lesson_text() {
  const auto text = read_text((test_files::source_dir() / "docs/lessons.md").string(), 1 << 20);
  if (!text) return "";
  const size_t mark = text->find("<!-- example: lesson -->"),
               begin = text->find('\n', text->find("````", mark)) + 1;
  return text->substr(begin, text->find("\n````\n", begin) + 1 - begin);
}

}  // namespace warplens

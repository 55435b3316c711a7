// The pages of the manual (docs/manual), which the window shows.
#pragma once

#include <string_view>
#include <vector>

namespace warplens {

struct ManualPage {
  std::string_view name;      // of its file: "1-first-steps.md", the same in each language
  std::string_view language;  // that its text is in: "en", "de"
  std::string_view text;      // Markdown
};

// The pages in the order of their names. A page that does not exist in this language is the English one. An
// empty language is English.
std::vector<ManualPage> manual_pages(std::string_view language = {});

// The title of the page: its first line.
std::string_view title_of(const ManualPage& page);

}  // namespace warplens

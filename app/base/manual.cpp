#include "app/base/manual.h"

#include <fmt/format.h>

#include "core/base/system/embedded.h"

namespace warplens {

std::vector<ManualPage> manual_pages(std::string_view language) {
  constexpr std::string_view english = "manual/";
  std::vector<ManualPage> pages;
  for (const EmbeddedFile& file : embedded_files()) {
    if (!file.path.starts_with(english)) continue;
    const std::string_view name = file.path.substr(english.size());
    const std::string_view translated = find_embedded(fmt::format("manuals/{}/{}", language, name));
    if (translated.empty())
      pages.push_back({name, "en", file.bytes});
    else
      pages.push_back({name, language, translated});
  }
  return pages;
}

std::string_view title_of(const ManualPage& page) {
  const std::string_view line = page.text.substr(0, page.text.find('\n'));
  return line.starts_with("# ") ? line.substr(2) : line;
}

}  // namespace warplens

#include "app/window/fonts.h"

#include <string_view>

#include "app/window/open_type.h"
#include "app/window/system_letters.h"
#include "core/base/system/embedded.h"

namespace warplens {
namespace {

// Dear ImGui reads the bytes where they are, and does not change them.
ImFont* add(std::string_view bytes, bool merge) {
  ImFontConfig config;
  config.FontDataOwnedByAtlas = false;
  config.MergeMode = merge;
  if (!merge) config.OversampleH = 2;
  config.ExtraSizeScale = lines_in_em(bytes) / line_share;
  return ImGui::GetIO().Fonts->AddFontFromMemoryTTF(const_cast<char*>(bytes.data()),
                                                    static_cast<int>(bytes.size()), body_size, &config);
}

// Signs that the first font lacks (⌈ ⌉ in Inter, ⁻ in JetBrains Mono) come from the second one, others from
// the system's.
ImFont* load(std::string_view name, std::string_view signs) {
  const std::string_view bytes = find_embedded(name), more = find_embedded(signs);
  if (bytes.empty()) return ImGui::GetIO().Fonts->AddFontDefaultVector();  // built without a window's fonts
  ImFont* font = add(bytes, false);
  if (!more.empty()) add(more, true);
  merge_system_fonts();
  return font;
}

}  // namespace

void load_fonts(Look& look) {
  constexpr std::string_view mono = "fonts/JetBrainsMono-Regular", words = "fonts/Inter-Regular";
  look.words = load(words, mono);
  look.strong = load("fonts/Inter-SemiBold", mono);
  look.mono = load(mono, words);
  ImGui::GetIO().FontDefault = look.words;
}

}  // namespace warplens

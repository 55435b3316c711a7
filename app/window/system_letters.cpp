#include "app/window/system_letters.h"

#include <imgui.h>
#include <imgui_internal.h>

#include <cstddef>
#include <map>
#include <set>
#include <string>

#include "app/base/draw/system_font.h"
#include "app/widgets/look.h"
#include "app/window/open_type.h"
#include "core/base/system/files.h"

namespace warplens {
namespace {

// A text may mix some scripts; each may need a font of its own.
constexpr int most_fonts = 4;
constexpr uint64_t largest_font = 256ull << 20;

// What was read, for all fonts and sizes of all windows. Only the thread that draws comes here.
struct SystemFonts {
  std::map<std::string, std::string> bytes;  // by path
  std::set<ImWchar> missing;                 // no font has these
};
SystemFonts& system_fonts() {
  static SystemFonts fonts;
  return fonts;
}

// The one with which Dear ImGui was built (FreeType, or stb_truetype on a page).
const ImFontLoader& reader_of(const ImFontAtlas* atlas) { return *atlas->FontLoader; }

// What is kept for a source at each size: before the reader's own data, whether the reader has begun it.
// Sizes that were drawn before the source got its font begin later.
constexpr size_t mark_size = alignof(std::max_align_t);
bool& has_begun(void* data) { return *static_cast<bool*>(data); }
void* of_reader(void* data) { return static_cast<char*>(data) + mark_size; }

bool begin_size(ImFontAtlas* atlas, ImFontConfig* source, ImFontBaked* baked, void* data) {
  const auto begin = reader_of(atlas).FontBakedInit;
  has_begun(data) =
      source->FontLoaderData != nullptr && (begin == nullptr || begin(atlas, source, baked, of_reader(data)));
  return has_begun(data);
}

bool is_used_before(const ImFontConfig& source, const void* bytes) {
  for (const ImFontConfig* other : source.DstFont->Sources)
    if (other != &source && other->FontData == bytes) return true;
  return false;
}

bool find_font_for(ImFontAtlas* atlas, ImFontConfig* source, ImWchar letter) {
  SystemFonts& fonts = system_fonts();
  if (letter < ' ' || fonts.missing.contains(letter)) return false;
  const std::optional<SystemFont> found = system_font_with(letter);
  if (found && !fonts.bytes.contains(found->path)) {
    Result<std::string> read = read_text(found->path, largest_font);
    fonts.bytes[found->path] = read ? std::move(*read) : std::string();
  }
  const std::string* bytes = found ? &fonts.bytes[found->path] : nullptr;
  if (bytes == nullptr || bytes->empty() || is_used_before(*source, bytes->data())) {
    fonts.missing.insert(letter);
    return false;
  }
  source->FontData = const_cast<char*>(bytes->data());
  source->FontDataSize = static_cast<int>(bytes->size());
  source->FontNo = static_cast<ImU32>(found->face);
  source->ExtraSizeScale = lines_in_em(*bytes, found->face) / line_share;
  return reader_of(atlas).FontSrcInit(atlas, source);
}

// Reads like the reader, from a font that is found when it is needed.
ImFontLoader late_reader(const ImFontLoader& reader) {
  ImFontLoader late = reader;
  late.Name = "fonts of the system";
  late.LoaderInit = nullptr;  // the atlas has the reader itself too
  late.LoaderShutdown = nullptr;
  late.FontSrcInit = [](ImFontAtlas*, ImFontConfig*) { return true; };
  late.FontSrcDestroy = [](ImFontAtlas* atlas, ImFontConfig* source) {
    if (source->FontLoaderData != nullptr) reader_of(atlas).FontSrcDestroy(atlas, source);
  };
  late.FontSrcGetGlyphIndexFromCodepoint = [](ImFontAtlas* atlas, ImFontConfig* source, ImWchar letter) {
    const bool has_font = source->FontLoaderData != nullptr || find_font_for(atlas, source, letter);
    return has_font ? reader_of(atlas).FontSrcGetGlyphIndexFromCodepoint(atlas, source, letter) : 0;
  };
  late.FontSrcContainsGlyph = [](ImFontAtlas* atlas, ImFontConfig* source, int glyph) {
    return source->FontLoaderData != nullptr && reader_of(atlas).FontSrcContainsGlyph(atlas, source, glyph);
  };
  late.FontBakedSrcLoaderDataSize = mark_size + reader.FontBakedSrcLoaderDataSize;
  late.FontBakedInit = [](ImFontAtlas* atlas, ImFontConfig* source, ImFontBaked* baked, void* data) {
    begin_size(atlas, source, baked, data);
    return true;
  };
  late.FontBakedDestroy = [](ImFontAtlas* atlas, ImFontConfig* source, ImFontBaked* baked, void* data) {
    const auto end = reader_of(atlas).FontBakedDestroy;
    if (has_begun(data) && end != nullptr) end(atlas, source, baked, of_reader(data));
  };
  late.FontBakedLoadGlyph = [](ImFontAtlas* atlas, ImFontConfig* source, ImFontBaked* baked, void* data,
                               int glyph, ImFontGlyph* drawn, float* advance) {
    return (has_begun(data) || begin_size(atlas, source, baked, data)) &&
           reader_of(atlas).FontBakedLoadGlyph(atlas, source, baked, of_reader(data), glyph, drawn, advance);
  };
  return late;
}

}  // namespace

void merge_system_fonts() {
  static const ImFontLoader late = late_reader(reader_of(ImGui::GetIO().Fonts));
  for (int i = 0; i < most_fonts; ++i) {
    ImFontConfig config;
    config.FontDataOwnedByAtlas = false;
    config.MergeMode = true;
    config.FontLoader = &late;
    config.SizePixels = body_size;
    ImGui::GetIO().Fonts->AddFont(&config);
  }
}

}  // namespace warplens

#include "app/base/draw/system_font.h"

#include <fontconfig/fontconfig.h>

#include <memory>

namespace warplens {

std::optional<SystemFont> system_font_with(char32_t letter) {
  // Not the current configuration, which has only the program's fonts (fonts.cpp).
  static const std::unique_ptr<FcConfig, void (*)(FcConfig*)> config(FcInitLoadConfigAndFonts(),
                                                                     FcConfigDestroy);
  const std::unique_ptr<FcPattern, void (*)(FcPattern*)> wanted(FcPatternCreate(), FcPatternDestroy);
  const std::unique_ptr<FcCharSet, void (*)(FcCharSet*)> letters(FcCharSetCreate(), FcCharSetDestroy);
  if (!config || !wanted || !letters) return std::nullopt;
  FcCharSetAddChar(letters.get(), letter);
  FcPatternAddCharSet(wanted.get(), FC_CHARSET, letters.get());
  FcPatternAddBool(wanted.get(), FC_OUTLINE, FcTrue);
  FcPatternAddBool(wanted.get(), FC_COLOR, FcFalse);
  FcConfigSubstitute(config.get(), wanted.get(), FcMatchPattern);
  FcDefaultSubstitute(wanted.get());
  FcResult result = FcResultMatch;
  const std::unique_ptr<FcPattern, void (*)(FcPattern*)> found(
      FcFontMatch(config.get(), wanted.get(), &result), FcPatternDestroy);
  FcChar8* path = nullptr;
  FcCharSet* has = nullptr;
  int face = 0;
  if (!found || FcPatternGetString(found.get(), FC_FILE, 0, &path) != FcResultMatch ||
      FcPatternGetCharSet(found.get(), FC_CHARSET, 0, &has) != FcResultMatch ||
      FcCharSetHasChar(has, letter) != FcTrue)
    return std::nullopt;
  FcPatternGetInteger(found.get(), FC_INDEX, 0, &face);
  return SystemFont{reinterpret_cast<const char*>(path),
                    face & 0xFFFF};  // above: a named instance of a variable font
}

}  // namespace warplens

#include "app/base/draw/cairo/fonts.h"

#include <fontconfig/fontconfig.h>

#include <string>
#include <string_view>

#include "core/base/system/embedded.h"
#include "core/system/files.h"

namespace warplens {
namespace {

// Fontconfig takes fonts from files only. The program reads from it whenever a letter is drawn for the first
// time.
bool add_font(FcConfig* config, std::string_view bytes) {
  const Result<std::string> path = file_in_memory("warplens_font", bytes);
  return path && FcConfigAppFontAddFile(config, reinterpret_cast<const FcChar8*>(path->c_str())) == FcTrue;
}

// The program's fonts and no others. Where they cannot be added, those of the machine take their place.
bool take_fonts() {
  FcConfig* config = FcConfigCreate();
  if (config == nullptr) return false;
  bool all = true, any = false;
  for (const EmbeddedFile& file : embedded_files()) {
    if (!file.path.starts_with("fonts/")) continue;
    any = true;
    all = all && add_font(config, file.bytes);
  }
  const bool taken = all && any && FcConfigSetCurrent(config) == FcTrue;
  FcConfigDestroy(config);  // one that is current lives on
  return taken;
}

}  // namespace

void use_own_fonts() { [[maybe_unused]] static const bool taken = take_fonts(); }

}  // namespace warplens

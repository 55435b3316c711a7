#include "app/draw/fonts.h"

#include <fontconfig/fontconfig.h>

#include <string>
#include <string_view>

#include "core/base/system/embedded.h"

#ifdef __linux__
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace warplens {
namespace {

#ifdef __linux__
// Fontconfig takes fonts from files only. A file in memory needs no clearing up: it lasts as long as the
// program, which reads from it whenever a letter is drawn for the first time.
bool add_font(FcConfig* config, std::string_view bytes) {
  const int file = ::memfd_create("warplens_font", MFD_CLOEXEC);
  if (file < 0) return false;
  for (size_t done = 0; done < bytes.size();) {
    const auto written = ::write(file, bytes.data() + done, bytes.size() - done);
    if (written <= 0) return false;
    done += static_cast<size_t>(written);
  }
  const std::string path = "/proc/self/fd/" + std::to_string(file);
  return FcConfigAppFontAddFile(config, reinterpret_cast<const FcChar8*>(path.c_str())) == FcTrue;
}
#else
bool add_font(FcConfig*, std::string_view) { return false; }
#endif

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

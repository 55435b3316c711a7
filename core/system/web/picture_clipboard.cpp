#include "core/system/picture_clipboard.h"

// The page's script has the function (app/host/web/page_calls.js). 0 if the browser cannot copy pictures.
extern "C" int warplens_copy_picture(const char* path);

namespace warplens {

Result<void> copy_png(const std::string& path) {
  if (warplens_copy_picture(path.c_str()) != 0) return {};
  return missing(
      "This browser does not let the page copy pictures: it may be too old, or the page's address does not "
      "begin with "
      "https. Save the picture instead.");
}

}  // namespace warplens

#include "core/system/picture_clipboard.h"

namespace warplens {

Result<void> copy_png(const std::string&) {
  return missing("There is no desktop to copy to. Save the picture instead.");
}

}  // namespace warplens

#include "app/base/draw/system_font.h"

namespace warplens {

std::optional<SystemFont> system_font_with(char32_t) { return std::nullopt; }

}  // namespace warplens

// The button "step this thread" of every view that shows one.
#pragma once

#include <string>
#include <string_view>

#include "app/base/draw/parts.h"

namespace warplens {

constexpr std::string_view step_thread_id = "step thread";

inline Chip step_thread_chip() {
  return {"step this thread ›",
          std::string(step_thread_id),
          "Show line by line what the pinned thread does (Ctrl+Shift+5)",
          false,
          {}};
}

}  // namespace warplens

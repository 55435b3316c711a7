// The button "step this thread" of every view that shows one.
#pragma once

#include <string>
#include <string_view>

#include "app/base/draw/parts.h"

namespace warplens {

enum class ThreadVerb : uint8_t { step };
constexpr std::string_view name_of(ThreadVerb) { return "step thread"; }

inline Chip step_thread_chip() {
  return {"step this thread ›",
          ThreadVerb::step,
          "Show line by line what the pinned thread does (Ctrl+Shift+5)",
          false,
          {}};
}

}  // namespace warplens

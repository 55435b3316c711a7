// What the window starts with, as the command line was asked for it. app/main.cpp hands it to the window, so
// that the command line knows none.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "app/base/palette.h"
#include "core/base/dim3.h"

namespace warplens {

struct WindowStart {
  std::string kernel, device, image, file;  // empty: the window's own choice
  std::optional<Dim3> block;
  std::optional<Theme> theme;
  std::optional<float> text_scale;
  int width = 0, height = 0;  // 0: what was remembered
  bool exit_after_first_picture = false;
  std::chrono::steady_clock::time_point started = std::chrono::steady_clock::now();
};

}  // namespace warplens

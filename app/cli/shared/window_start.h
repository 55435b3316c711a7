// The options with which the command line starts the window. app/main.cpp passes them to the window, so the
// command line does not depend on it.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "app/base/palette.h"
#include "core/base/dim3.h"

namespace warplens {

struct WindowStart {
  std::string kernel, device, image, file;  // empty for the window's own choice
  std::string lesson, challenge;            // of the program, by name; those of the user are files
  std::string author;                       // a lesson's folder, to be shown with its file
  std::optional<Dim3> block;
  std::optional<Theme> theme;
  std::optional<float> text_scale;
  std::optional<std::string> language;  // "en", "de"
  int width = 0, height = 0;            // 0 for the remembered size
  std::string class_link;               // the teacher's link of a class to follow; empty for none
  uint32_t student = 0;  // only lessons and challenges, with answers that this number locks; 0: all
  bool notes = false;    // the teacher's notes of each step are printed
  bool exit_after_first_picture = false;
  std::chrono::steady_clock::time_point started = std::chrono::steady_clock::now();
};

}  // namespace warplens

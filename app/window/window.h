// Opens the window of the program, or draws it once into a picture.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "app/state/state.h"
#include "app/views/image/panel/live_panel.h"
#include "core/base/result.h"
#include "core/device/real_gpus.h"
#include "core/gpu/engine/virtual_gpu.h"
#include "core/image/image.h"
#include "core/launch/backend.h"

namespace warplens {

struct WindowOptions {
  std::string kernel;  // empty for grayscale
  std::string device;  // empty for the first of the list
  std::string image;   // path or sample name; empty for the first sample
  std::string file;    // a kernel, session, picture, or folder of a lesson or challenge; empty for none
  std::string lesson, challenge;  // one of the program to open, by its name; empty for none
  std::string author;             // a lesson's folder to open with its file next to it; empty for none
  std::optional<View> view;
  std::optional<Theme> theme;           // empty for the remembered one, or else dark
  std::optional<float> text_scale;      // the same
  std::optional<std::string> language;  // the same; "en" for English
  std::optional<Dim3> block;
  int width = 0, height = 0;  // 0 for the remembered size, or else 1600 × 900
  bool remember = true;       // preferences and layout are read and saved
  std::string class_link;     // the teacher's link of a class to follow; empty for none
  uint32_t student = 0;       // only lessons and challenges, with answers that this number locks; 0: all
  // Once the first result is on the screen, writes "first picture after 412 ms" to stderr and ends.
  bool exit_after_first_picture = false;
  std::chrono::steady_clock::time_point started = std::chrono::steady_clock::now();
  std::function<std::unique_ptr<Backend>()> make_backend = make_virtual_gpu;
  // Takes the teacher's notes of each step of a lesson, on a thread of its own; null if they have no reader.
  std::function<void(const std::string&)> say_notes = nullptr;
  // The program that judges answers in a process of its own; empty for this process.
  std::string judge_program;
  FindRealGpus real_gpus = nullptr;  // null if built without CUDA
  MakeLive make_live = nullptr;      // null for live pictures on the virtual GPU only
};

// Runs until the window is closed. The exit status is 0; 2 for an unknown kernel or device; 3, with a
// sentence on stderr, if this machine has no display or no OpenGL.
int open_window(const WindowOptions& options);

// The whole window as a picture, drawn in a hidden window after the first run has ended. It needs a display,
// which may be a virtual one (Xvfb). Nothing is saved.
Result<Image> render_window(const WindowOptions& options);

}  // namespace warplens

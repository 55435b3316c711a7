// The window of the program: opens it, or draws it once into a picture.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "app/state/state.h"
#include "app/views/image/live_panel.h"
#include "core/base/result.h"
#include "core/device/real_gpus.h"
#include "core/gpu/engine/virtual_gpu.h"
#include "core/image/image.h"
#include "core/launch/backend.h"

namespace warplens {

struct WindowOptions {
  std::string kernel;  // empty: grayscale
  std::string device;  // empty: the first of the list
  std::string image;   // path or sample name; empty: the first sample
  std::string file;    // a kernel, session or picture to open; empty: none
  std::optional<View> view;
  std::optional<Theme> theme;       // empty: what was remembered, else dark
  std::optional<float> text_scale;  // the same
  std::optional<Dim3> block;
  int width = 0, height = 0;  // 0: what was remembered, else 1600 × 900
  bool remember = true;       // preferences and layout are read and kept
  // Writes "first picture after 412 ms" to stderr and ends, once the first result is on the screen.
  bool exit_after_first_picture = false;
  std::chrono::steady_clock::time_point started = std::chrono::steady_clock::now();
  std::function<std::unique_ptr<Backend>()> make_backend = make_virtual_gpu;
  FindRealGpus real_gpus = nullptr;  // null: built without CUDA
  MakeLive make_live = nullptr;      // null: live pictures on the virtual GPU alone
};

// Runs until the window is closed. Exit status: 0; 2 for an unknown kernel or device; 3, with one sentence on
// stderr, where this machine has no display or no OpenGL.
int open_window(const WindowOptions& options);

// The whole window as a picture, drawn in a hidden one after the first run has ended. Needs a display, which
// may be a virtual one (Xvfb). Nothing is remembered.
Result<Image> render_window(const WindowOptions& options);

}  // namespace warplens

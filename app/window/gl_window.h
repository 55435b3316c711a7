// A window (app/host/window.h) with a Dear ImGui context. If the machine has no display or no
// OpenGL, that is an error of kind missing, found before anything is drawn.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/host/window.h"
#include "core/base/result.h"
#include "core/image/image.h"

namespace warplens {

struct GlWindowOptions {
  std::string title = "WarpLens";
  int width = 1600, height = 900;
  bool visible = true;
  bool vsync = true;
};

class GlWindow {
 public:
  static Result<std::unique_ptr<GlWindow>> open(const GlWindowOptions& options);
  ~GlWindow();
  GlWindow(const GlWindow&) = delete;
  GlWindow& operator=(const GlWindow&) = delete;

  // Whether the screen's density is another one than when it was asked last: the style follows it.
  bool rescaled();
  bool should_close() const;
  // Handles events, and waits for one at most this long (0 for not at all). Returns true if there was one.
  bool wait_for_events(double seconds);
  // Ends such a wait. Call it from any thread.
  static void wake();

  void begin_frame();  // events, ImGui::NewFrame
  void end_frame();    // ImGui::Render, draws, swaps
  // Whether frames reach the screen. Where they do not, as in a hidden window, each is built as always, but
  // only those that are captured are drawn.
  void draw_frames(bool wanted) { m_draws = wanted; }
  // Captures the next end_frame() as RGB, top row first. It is drawn off screen, so that a hidden or covered
  // window gives the same picture.
  void capture_next(std::function<void(Image)> take) { m_take = std::move(take); }

  // The whole of a screen, a projector if there is one, or the window as it was before.
  void fill_screen(bool on);
  void resize(int width, int height);
  int width() const;
  int height() const;
  const host::Window& host() const { return *m_window; }
  double seconds() const;  // since the first window was opened
  // Whether the driver gave up the context (GL_KHR_robustness). Then nothing that is drawn becomes visible.
  // Some drivers do this after a kernel of any process faults on the same GPU.
  bool lost();
  std::string driver() const;  // "OpenGL 4.5, llvmpipe (LLVM 15.0.6, 256 bits)"
  // Files that were dropped on the window since the last call.
  std::vector<std::string> dropped_files();

 private:
  GlWindow(std::unique_ptr<host::Window> window, bool visible);
  static void update_textures();

  std::unique_ptr<host::Window> m_window;
  bool m_draws = true;
  bool m_fills_screen = false;
  bool m_rests = false;  // the last frame heard a key
  std::function<void(Image)> m_take;
};

}  // namespace warplens

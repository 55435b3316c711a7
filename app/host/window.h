// A window of the system that the program runs in, with OpenGL and the input of Dear ImGui. What the program
// needs of a desktop is only in app/host. Each implementation has a folder (glfw/); CMake chooses one.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace warplens::host {

struct Size {
  int width = 0, height = 0;
};

// Widths of a screen; 0 if they are not known.
struct Screen {
  int pixels = 0, millimetres = 0;
};

struct WindowOptions {
  std::string title;
  Size size;
  bool visible = true;
  bool vsync = true;  // swap() waits for the screen
};

class Window {
 public:
  // The program's window. Its OpenGL context is the current one then. Errors of kind missing: there is no
  // display, or no OpenGL 3.3; they say what to do.
  static Result<std::unique_ptr<Window>> open(const WindowOptions& options);
  // Makes another window, which does not take the keyboard from the first. Null if the system gives none.
  static std::unique_ptr<Window> open_another(const WindowOptions& options);
  ~Window();
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  // Calls a function with this window's contexts as the current ones, and restores the earlier ones. For a
  // second window: that of Dear ImGui is the current one when attach_imgui() is called.
  void within(const std::function<void()>& work) const;

  // Dear ImGui hears this window and draws into it, from here to detach_imgui(). Its context must be there.
  void attach_imgui();
  void detach_imgui();
  // A frame that nobody sees has the window's size, the time and the events, and no shape of the mouse.
  void new_imgui_frame(bool seen);

  bool should_close() const;
  void swap();
  void resize(Size size);
  // Fills a whole screen: the other one if this window is on the main screen, as with a projector. Off: the
  // window is again as large and where it was. Nothing where the system has no such thing.
  void fill_screen(bool on);
  Size size() const;            // as the desktop counts it; while a screen is filled, as it was before
  Size pixels() const;          // of what is drawn
  float content_scale() const;  // 2 on a screen with twice the usual density
  Screen screen() const;        // that most of the window is on
  // Events that Dear ImGui does not hear: files that were dropped, parts that became visible.
  uint64_t events() const;
  // Files that were dropped on the window since the last call.
  std::vector<std::string> dropped_files();
  // Whether the driver gave up the context (GL_KHR_robustness). Some drivers do this after a kernel of any
  // process faults on the same GPU.
  bool lost();

 private:
  struct Impl;
  explicit Window(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> m_impl;
};

// Calls `frame` until it returns false. Where the system calls the program for each frame, as a page does, it
// returns before the first one.
void run(const std::function<bool()>& frame);
// Handles events, and waits for one at most this long; 0: not at all. True if the wait ended earlier. A page
// cannot wait: it goes on, and its next frame comes after this time.
bool wait_for_events(double longest);
void wake();       // ends such a wait; from any thread
double seconds();  // since the first window was opened

// The address of the page in a browser that links lead to, without what follows "#". On a desktop it is the
// one that WARPLENS_PAGE names; empty if it names none.
std::string address_of_page();

// A page is loaded again, as if for the first time. Nothing elsewhere.
void begin_again();

// The language of shaders: "#version 330".
extern const char* const glsl_version;

}  // namespace warplens::host

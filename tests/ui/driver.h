// Opens the real window and drives it with the Dear ImGui test engine.
#pragma once

#include <gtest/gtest.h>
#include <imgui_test_engine/imgui_te_context.h>
#include <imgui_test_engine/imgui_te_engine.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "app/window/shell.h"

namespace warplens {

// The interface for a test's body, which runs in the engine's coroutine: every wait lets frames pass.
class Driver {
 public:
  Driver(ImGuiTestContext* engine, Shell& window) : ui(engine), shell(window) {}

  AppState& state() { return shell.state(); }
  // Lets frames pass until the condition holds; false after `seconds`.
  bool wait_until(const std::function<bool()>& holds, double seconds = 60);
  // Lets frames pass for this time, for code that uses the clock itself.
  void let_pass(double seconds);
  // Runs frames until no background work is left, and one more that shows its result.
  bool wait_for_work();
  // Runs frames until the worker is idle and the pictures show what was requested.
  bool wait_for_result();
  void type_number(const std::string& window, const std::string& id, int value);
  void choose_kernel(const std::string& name);
  void palette(const std::string& words);
  // Waits until the inspector of the pinned element is shown, and the view has its new size.
  bool wait_for_inspector();
  // Ctrl+E: makes an own copy of the kernel's source, and waits until it has run.
  bool take_a_copy();
  // Opens Problems and Runs.
  void open_bottom();
  // Draws the window and keeps the picture.
  void screenshot(const std::string& name);
  // Takes pictures in both window sizes and both themes, and in the small one with text at 250 %. Ends at
  // 1920 × 1080, dark.
  void screenshots(const std::string& name);
  // A picture of one frame. Other frames are not drawn, unless the tests are watched.
  Image picture();
  // Writes NAME.png for inspection, if requested: WARPLENS_SCREENSHOTS=screenshots tools/test -L ui puts them
  // into build/release/screenshots.
  static void keep(const Image& picture, const std::string& name);
  void resize(int width, int height);

  ImGuiTestContext* ui;
  Shell& shell;
  std::function<void()> in_frame = {};     // called once in the next frame, where OpenGL can be used
  std::function<void()> after_frame = {};  // called once when the next frame has been drawn
  bool hears_screen =
      false;  // the events of the window system count, instead of the test engine's (tests/ui/hands.h)
};

// WARPLENS_WATCH=1 build/release/ui_tests --gtest_filter=NAME shows each frame on the caller's screen.
bool is_watched();
// 1280 × 720: fewer pixels, since pictures are drawn by the processor.
WindowOptions small_window();

class WindowTest : public ::testing::Test {
 protected:
  ~WindowTest() override;
  // Opens a window (1920 × 1080 unless the options say otherwise) and runs the body in it.
  void drive(const std::function<void(Driver&)>& body, WindowOptions options = {},
             WorkerCalls engine = make_worker_calls(), const std::filesystem::path& config = {});
};

}  // namespace warplens

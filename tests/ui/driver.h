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

// What a test's body works with. It runs in the engine's coroutine: every wait lets frames pass.
class Driver {
 public:
  Driver(ImGuiTestContext* engine, Shell& window) : ui(engine), shell(window) {}

  AppState& state() { return shell.state(); }
  // Lets frames pass until it holds; false after `seconds`.
  bool wait_until(const std::function<bool()>& holds, double seconds = 60);
  // Frames pass for this long by the clock, for what works by the clock itself.
  void let_pass(double seconds);
  // Until nothing works beside the frames, with one that shows what came of it.
  bool wait_for_work();
  // Until the worker is at rest and the pictures show what was asked for.
  bool wait_for_result();
  void type_number(const std::string& window, const std::string& id, int value);
  void choose_kernel(const std::string& name);
  void palette(const std::string& words);
  // Until the inspector of what is pinned has come, and the view has its new place.
  bool wait_for_inspector();
  // Ctrl+E: the kernel's source becomes one's own, and has run.
  bool take_a_copy();
  // Opens Problems and Runs.
  void open_bottom();
  // Draws the window; the picture is kept.
  void screenshot(const std::string& name);
  // Of both window sizes in both themes, and of the small one with text at 250 %; ends at 1920 × 1080, dark.
  void screenshots(const std::string& name);
  // Of one frame: the only ones that are drawn, unless the tests are watched.
  Image picture();
  // As NAME.png for the eye, where somebody asks for it: WARPLENS_SCREENSHOTS=screenshots tools/test -L ui
  // puts them into build/release/screenshots.
  static void keep(const Image& picture, const std::string& name);
  void resize(int width, int height);

  ImGuiTestContext* ui;
  Shell& shell;
  bool hears_screen =
      false;  // the events of the window system count, instead of the test engine's (tests/ui/hands.h)
};

// WARPLENS_WATCH=1 build/release/ui_tests --gtest_filter=NAME shows each frame on the screen of whoever calls
// it.
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

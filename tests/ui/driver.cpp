#include "tests/ui/driver.h"

#include <imgui_internal.h>

#include <chrono>
#include <cstdlib>
#include <thread>
#include <utility>

#include "core/image/image.h"
#include "core/system/places.h"
#include "tests/paths.h"

namespace warplens {
namespace {

using Clock = std::chrono::steady_clock;

// The time that background work gets in each frame, as between the frames of a screen.
constexpr double patience_s = 0.01;

void quiet(ImGuiTestEngine* engine) {
  ImGuiTestEngineIO& io = ImGuiTestEngine_GetIO(engine);
  io.ConfigRunSpeed = ImGuiTestRunSpeed_Fast;
  io.ConfigVerboseLevel = ImGuiTestVerboseLevel_Error;
  io.ConfigVerboseLevelOnError = ImGuiTestVerboseLevel_Info;
  io.ConfigLogToTTY = true;
  io.ConfigNoThrottle = true;
  io.ConfigCaptureEnabled = false;
  io.ConfigMouseDrawCursor = false;
  io.ConfigSavedSettings = false;
  io.ConfigWatchdogWarning = 60;
  io.ConfigWatchdogKillTest = 1800;  // a whole lesson on a busy machine
  io.ConfigWatchdogKillApp = 1e6f;
  // The same on a fast machine and on a busy one: half a second is always ten frames.
  io.ConfigFixedDeltaTime = 1.0f / 20;
}

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// The folder for pictures for inspection; empty if none are requested.
std::filesystem::path screenshot_folder() {
  const std::string asked = variable("WARPLENS_SCREENSHOTS");
  if (!asked.empty()) return test_files::binary_dir() / asked;
  if (!variable("WARPLENS_LESSON_PICTURES").empty()) return test_files::binary_dir() / "screenshots";
  return {};
}

// Two items of the same identifier: one of them cannot be clicked. Dear ImGui finds those under the pointer.
class IdConflicts {
 public:
  IdConflicts() { ImGui::GetIO().ConfigDebugHighlightIdConflicts = true; }
  void look() {
    const ImGuiContext& g = *ImGui::GetCurrentContext();
    if (g.DebugDrawIdConflictsId == 0 || m_told == g.DebugDrawIdConflictsId) return;
    m_told = g.DebugDrawIdConflictsId;
    ADD_FAILURE() << "two items have the same identifier, at " << g.IO.MousePos.x << ", " << g.IO.MousePos.y
                  << " in " << (g.HoveredWindow != nullptr ? g.HoveredWindow->Name : "no window");
  }

 private:
  ImGuiID m_told = 0;
};

}  // namespace

bool is_watched() { return !variable("WARPLENS_WATCH").empty(); }

WindowOptions small_window() {
  WindowOptions options;
  options.width = 1280;
  options.height = 720;
  return options;
}

bool Driver::wait_until(const std::function<bool()>& holds, double seconds) {
  constexpr int at_once = 20;  // frames; after them, the tests wait without using processor time
  const auto end = Clock::now() + std::chrono::duration<double>(seconds);
  for (int frames = 0; !holds(); ++frames) {
    if (Clock::now() > end) return false;
    if (frames >= at_once) std::this_thread::sleep_for(std::chrono::milliseconds(2));
    ui->Yield();
  }
  return true;
}

void Driver::let_pass(double seconds) {
  wait_until([] { return false; }, seconds);
}

bool Driver::wait_for_work() {
  const bool ended = wait_until([&] { return !shell.works(); });
  ui->Yield(2);
  return ended;
}

bool Driver::wait_for_result() {
  ui->Yield(2);
  const bool came = wait_until([&] { return shell.settled(); });
  ui->Yield(4);
  return came;
}

void Driver::type_number(const std::string& window, const std::string& id, int value) {
  const std::string path = "//###" + window + "/##number_" + id;
  ui->ItemInputValue(path.c_str(), value);
  ui->Yield(2);
}

void Driver::choose_kernel(const std::string& name) {
  const auto kernel = find_kernel(name);
  ASSERT_TRUE(kernel) << name;
  ui->ItemClick("//##top/###kernel");
  ui->Yield(2);
  ui->KeyChars((*kernel)->title.c_str());
  ui->Yield(2);
  ui->KeyPress(ImGuiKey_Enter);
  ui->Yield(2);
  EXPECT_EQ(state().setup.launch.kernel, name);
}

void Driver::palette(const std::string& words) {
  ui->KeyPress(ImGuiMod_Ctrl | ImGuiKey_P);
  ui->Yield(3);
  ui->KeyChars(words.c_str());
  ui->Yield(2);
  ui->KeyPress(ImGuiKey_Enter);
  ui->Yield(3);
}

bool Driver::wait_for_inspector() {
  const bool came = wait_until(
      [] {
        const ImGuiWindow* window = ImGui::FindWindowByName("###inspector_card");
        return window != nullptr && window->WasActive;
      },
      5);
  ui->Yield(6);
  return came;
}

bool Driver::take_a_copy() {
  ui->KeyPress(ImGuiMod_Ctrl | ImGuiKey_E);
  ui->Yield(2);
  return wait_for_result();
}

void Driver::open_bottom() {
  shell.actions().push(ShowBottom{true});
  ui->Yield(6);
}

Image Driver::picture() {
  Image taken;
  shell.window().capture_next([&](Image image) { taken = std::move(image); });
  EXPECT_TRUE(wait_until([&] { return taken.width != 0; }));
  return taken;
}

void Driver::keep(const Image& picture, const std::string& name) {
  const std::filesystem::path folder = screenshot_folder();
  if (folder.empty()) return;
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  const auto saved = save_image(picture, (folder / (name + ".png")).string());
  EXPECT_TRUE(saved) << (saved ? "" : saved.error().message);
}

void Driver::screenshot(const std::string& name) {
  if (!state().frame.present) ui->MouseMoveToVoid();  // which present mode leaves none of
  ui->Yield(6);
  keep(picture(), name);
}

void Driver::screenshots(const std::string& name) {
  for (const auto& [width, height] : {std::pair{1920, 1080}, std::pair{1280, 720}}) {
    resize(width, height);
    for (const Theme theme : {Theme::dark, Theme::light}) {
      shell.actions().push(SetTheme{theme});
      ui->Yield(4);
      screenshot(name + "_" + std::to_string(width) + "x" + std::to_string(height) +
                 (theme == Theme::dark ? "_dark" : "_light"));
    }
  }
  shell.actions().push(SetTheme{Theme::dark});
  shell.actions().push(SetTextScale{2.5f});
  ui->Yield(12);
  screenshot(name + "_1280x720_dark_text250");
  shell.actions().push(SetTextScale{1});
  ui->Yield(8);
  resize(1920, 1080);
}

void Driver::resize(int width, int height) {
  shell.window().resize(width, height);
  EXPECT_TRUE(wait_until([&] { return ImGui::GetMainViewport()->Size.x == static_cast<float>(width); }, 5));
  ui->Yield(8);
}

WindowTest::~WindowTest() = default;

void WindowTest::drive(const std::function<void(Driver&)>& body, WindowOptions options, WorkerCalls engine,
                       const std::filesystem::path& config) {
  if (options.width == 0) options.width = 1920;
  if (options.height == 0) options.height = 1080;
  const auto program = program_path().parent_path() / "warplens";  // this one judges nothing
  if (std::filesystem::exists(program)) options.judge_program = program.string();
  auto opened = Shell::open(options, std::move(engine), true, config);
  ASSERT_TRUE(opened) << opened.error().message;
  std::unique_ptr<Shell> shell = std::move(*opened);
  shell->window().draw_frames(is_watched());
  ImGuiTestEngine* tests = ImGuiTestEngine_CreateContext();
  quiet(tests);
  ImGuiTestEngine_Start(tests, ImGui::GetCurrentContext());
  struct Body {
    const std::function<void(Driver&)>& run;
    Shell& shell;
    Driver* driver;
  } bound{body, *shell, nullptr};
  ImGuiTest* test = IM_REGISTER_TEST(tests, "window", "test");
  test->UserData = &bound;
  test->GuiFunc = [](ImGuiTestContext* ctx) {
    Driver* driver = static_cast<Body*>(ctx->Test->UserData)->driver;
    if (driver != nullptr && driver->in_frame) std::exchange(driver->in_frame, {})();
  };
  test->TestFunc = [](ImGuiTestContext* ctx) {
    auto* what = static_cast<Body*>(ctx->Test->UserData);
    Driver driver(ctx, what->shell);
    what->driver = &driver;
    what->run(driver);
    what->driver = nullptr;
  };
  IdConflicts conflicts;
  ImGuiTestEngine_QueueTest(tests, test);
  while (!ImGuiTestEngine_IsTestQueueEmpty(tests)) {
    shell->wait_for_events(shell->works() ? patience_s : 0);
    if (bound.driver != nullptr && bound.driver->hears_screen)  // the engine removes what it did not add
      for (ImGuiInputEvent& event : ImGui::GetCurrentContext()->InputEventsQueue)
        event.AddedByTestEngine = true;
    shell->frame();
    conflicts.look();
    if (bound.driver != nullptr && bound.driver->after_frame) std::exchange(bound.driver->after_frame, {})();
    ImGuiTestEngine_PostSwap(tests);
  }
  EXPECT_EQ(test->Output.Status, ImGuiTestStatus_Success) << test->Output.Log.Buffer.c_str();
  ImGuiTestEngine_Stop(tests);
  shell.reset();
  ImGuiTestEngine_DestroyContext(tests);
}

}  // namespace warplens

// A web page: its canvas is the window, by Emscripten's GLFW and WebGL 2. The page calls the program for
// every frame. Without threads, the workers run between two frames.
#include "app/host/window.h"

#include <GLFW/glfw3.h>
#include <emscripten.h>
#include <emscripten/html5.h>
#include <imgui.h>
#include <imgui_impl_glfw.h>
#include <imgui_internal.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <utility>

#include "app/host/web/page.h"
#include "app/host/web/stacks.h"
#include "app/host/web/touch.h"
#include "core/base/system/between_frames.h"

namespace warplens::host {
namespace {

constexpr const char* canvas = "#canvas";

// When the next frame is due, in seconds(). Events and news make it due at once. News can come from any
// thread.
struct Turn {
  std::function<bool()> frame;
  double next = 0;
  std::atomic<bool> woken = false;
  double heard = 0;  // when the last input came
};
Turn& turn() {
  static Turn only;
  return only;
}

bool input_waits() {
  const ImGuiContext* imgui = ImGui::GetCurrentContext();
  return imgui != nullptr && imgui->InputEventsQueue.Size > 0;
}

constexpr double still_after = 0.5;  // seconds without input

void work(double longest) {
  if (has_stacks()) {
    if (work_for(longest)) turn().next = 0;
    return;
  }
  const double end = seconds() + longest;
  while (work_between_frames()) {
    turn().next = 0;
    if (seconds() >= end) break;
  }
}

// The pixels of the screen: the canvas has as many.
Size canvas_pixels() {
  double width = 0, height = 0;
  emscripten_get_element_css_size(canvas, &width, &height);
  const double scale = emscripten_get_device_pixel_ratio();
  return {std::max(1, static_cast<int>(std::lround(width * scale))),
          std::max(1, static_cast<int>(std::lround(height * scale)))};
}

// Text from the screen's keyboard, which sends no keys.
void hear_typed_text() {
  ImGuiIO& io = ImGui::GetIO();
  want_text(io.WantTextInput);
  for (const std::string& piece : typed_text()) {
    if (piece != "\b") {
      io.AddInputCharactersUTF8(piece.c_str());
      continue;
    }
    io.AddKeyEvent(ImGuiKey_Backspace, true);
    io.AddKeyEvent(ImGuiKey_Backspace, false);
  }
}

void on_animation_frame() {
  const double began = seconds();
  const bool input = input_waits(), heard = input || turn().woken || something_waits();
  if (input) turn().heard = seconds();
  if (heard || seconds() >= turn().next) {
    if (!turn().frame()) return emscripten_cancel_main_loop();
    if (heard) turn().next = 0;  // the time of the next frame was computed before the event
  }
  const double now = seconds();
  work(work_time().seconds(now - began, now - turn().heard < still_after));
}

}  // namespace

const char* const glsl_version = "#version 300 es";

struct Window::Impl {
  GLFWwindow* window = nullptr;
  bool lost = false;
};

Result<std::unique_ptr<Window>> Window::open(const WindowOptions& options) {
  if (!glfwInit()) return missing("This browser gives the page no canvas to draw on.");
  auto impl = std::make_unique<Impl>();
  const Size size = canvas_pixels();
  impl->window = glfwCreateWindow(size.width, size.height, options.title.c_str(), nullptr, nullptr);
  if (impl->window == nullptr)
    return missing(
        "This browser has no WebGL 2, which the page draws with: allow it, or use another browser.");
  std::unique_ptr<Window> opened(new Window(std::move(impl)));
  glfwMakeContextCurrent(opened->m_impl->window);
  return opened;
}

std::unique_ptr<Window> Window::open_another(const WindowOptions&) { return nullptr; }

Window::Window(std::unique_ptr<Impl> impl) : m_impl(std::move(impl)) {
  emscripten_set_webglcontextlost_callback(canvas, m_impl.get(), false,
                                           [](int, const void*, void* self) -> EM_BOOL {
                                             static_cast<Impl*>(self)->lost = true;
                                             return true;
                                           });
}

Window::~Window() {
  glfwDestroyWindow(m_impl->window);
  glfwTerminate();
}

void Window::within(const std::function<void()>& work) const { work(); }

void Window::attach_imgui() {
  ImGui_ImplGlfw_InitForOpenGL(m_impl->window, true);
  ImGui_ImplGlfw_InstallEmscriptenCallbacks(m_impl->window, canvas);
  ImGuiPlatformIO& platform = ImGui::GetPlatformIO();
  platform.Platform_SetClipboardTextFn = [](ImGuiContext*, const char* text) { copy_text(text); };
  platform.Platform_GetClipboardTextFn = [](ImGuiContext*) { return pasted_text(); };
  hear_touch(canvas, m_impl->window);
}

void Window::detach_imgui() { ImGui_ImplGlfw_Shutdown(); }

// The browser's window and its zoom may have changed; Dear ImGui counts them in other units.
void Window::new_imgui_frame(bool) {
  const Size now = canvas_pixels(), before = size();
  if (now.width != before.width || now.height != before.height) resize(now);
  watch_touch();
  hear_typed_text();
  ImGui_ImplGlfw_NewFrame();
}

// The browser closes a page without telling the program.
bool Window::should_close() const { return false; }

void Window::swap() {}

void Window::resize(Size size) { glfwSetWindowSize(m_impl->window, size.width, size.height); }

void Window::fill_screen(bool) {}  // the browser has a key of its own for it

Size Window::size() const {
  Size size;
  glfwGetWindowSize(m_impl->window, &size.width, &size.height);
  return size;
}

Size Window::pixels() const {
  Size size;
  glfwGetFramebufferSize(m_impl->window, &size.width, &size.height);
  return size;
}

float Window::content_scale() const { return static_cast<float>(emscripten_get_device_pixel_ratio()); }

Screen Window::screen() const { return {}; }

uint64_t Window::events() const { return 0; }

std::vector<std::string> Window::dropped_files() { return host::dropped_files(); }

bool Window::lost() { return m_impl->lost; }

void run(const std::function<bool()>& frame) {
  turn().frame = frame;
  emscripten_set_main_loop(on_animation_frame, 0, false);
}

bool wait_for_events(double longest) {
  turn().next = seconds() + longest;
  return turn().woken.exchange(false);
}

void wake() { turn().woken = true; }

double seconds() { return emscripten_get_now() / 1000; }

}  // namespace warplens::host

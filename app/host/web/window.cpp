// A web page: its canvas is the window, by Emscripten's GLFW and WebGL 2. The page calls every frame; between
// two of them the workers have their turn, since without threads there is nobody else to do their work.
#include "app/host/window.h"

#include <GLFW/glfw3.h>
#include <emscripten.h>
#include <emscripten/html5.h>
#include <imgui.h>
#include <imgui_impl_glfw.h>
#include <imgui_internal.h>

#include <algorithm>
#include <utility>

#include "core/base/system/between_frames.h"

namespace warplens::host {
namespace {

constexpr const char* canvas = "#canvas";

// When the next frame is due, in seconds(): events and news make it due at once.
struct Turn {
  std::function<bool()> frame;
  double next = 0;
  bool woken = false;
};
Turn& turn() {
  static Turn only;
  return only;
}

bool input_waits() {
  const ImGuiContext* imgui = ImGui::GetCurrentContext();
  return imgui != nullptr && imgui->InputEventsQueue.Size > 0;
}

// The page has a share of the time of each frame, and the workers another.
constexpr double work_seconds = 0.008;

void on_animation_frame() {
  const bool heard = input_waits() || turn().woken;
  if (heard || seconds() >= turn().next) {
    if (!turn().frame()) return emscripten_cancel_main_loop();
    if (heard) turn().next = 0;  // what it said about the next one was from before the event
  }
  const double end = seconds() + work_seconds;
  while (work_between_frames()) {
    turn().next = 0;
    if (seconds() >= end) break;
  }
}

}  // namespace

const char* const glsl_version = "#version 300 es";

struct Window::Impl {
  GLFWwindow* window = nullptr;
  std::vector<std::string> dropped;
  uint64_t events = 0;
  bool lost = false;
};

Result<std::unique_ptr<Window>> Window::open(const WindowOptions& options) {
  if (!glfwInit()) return missing("This browser gives the page no canvas to draw on.");
  auto impl = std::make_unique<Impl>();
  double width = 0, height = 0;
  emscripten_get_element_css_size(canvas, &width, &height);
  impl->window = glfwCreateWindow(std::max(1, static_cast<int>(width)), std::max(1, static_cast<int>(height)),
                                  options.title.c_str(), nullptr, nullptr);
  if (impl->window == nullptr)
    return missing("This browser has no WebGL 2, which the page draws with: allow it, or take another one.");
  std::unique_ptr<Window> opened(new Window(std::move(impl)));
  glfwMakeContextCurrent(opened->m_impl->window);
  return opened;
}

std::unique_ptr<Window> Window::open_another(const WindowOptions&) { return nullptr; }

Window::Window(std::unique_ptr<Impl> impl) : m_impl(std::move(impl)) {
  glfwSetWindowUserPointer(m_impl->window, m_impl.get());
  glfwSetDropCallback(m_impl->window, [](GLFWwindow* window, int count, const char** paths) {
    auto* self = static_cast<Impl*>(glfwGetWindowUserPointer(window));
    for (int i = 0; i < count; ++i) self->dropped.emplace_back(paths[i]);
    ++self->events;
  });
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
}

void Window::detach_imgui() { ImGui_ImplGlfw_Shutdown(); }

void Window::new_imgui_frame() { ImGui_ImplGlfw_NewFrame(); }

// The page is closed without a word.
bool Window::should_close() const { return false; }

void Window::swap() {}

void Window::resize(Size size) { glfwSetWindowSize(m_impl->window, size.width, size.height); }

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

// The canvas has a pixel for each of the page's own units.
float Window::content_scale() const { return 1; }

uint64_t Window::events() const { return m_impl->events; }

std::vector<std::string> Window::dropped_files() { return std::exchange(m_impl->dropped, {}); }

bool Window::lost() { return m_impl->lost; }

void run(const std::function<bool()>& frame) {
  turn() = {frame};
  emscripten_set_main_loop(on_animation_frame, 0, false);
}

bool wait_for_events(double longest) {
  turn().next = seconds() + longest;
  return std::exchange(turn().woken, false);
}

void wake() {
  turn().next = 0;
  turn().woken = true;
}

double seconds() { return emscripten_get_now() / 1000; }

}  // namespace warplens::host

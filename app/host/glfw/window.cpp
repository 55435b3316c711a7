#include "app/host/window.h"

#include <glad/glad.h>
// glad comes first: it replaces the OpenGL header that GLFW would include.
#include <GLFW/glfw3.h>
#include <imgui.h>
#include <imgui_impl_glfw.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace warplens::host {
namespace {

std::string glfw_reason() {
  const char* words = nullptr;
  glfwGetError(&words);
  return words ? std::string(" (") + words + ")" : std::string();
}

constexpr const char* without_a_window =
    "Everything else works without one: try \"warplens run grayscale --out gray.png\".";

Error no_display() {
  return missing("There is no display to open a window on" + glfw_reason() +
                 ". Start the program from a desktop session, or over ssh with -X. " + without_a_window);
}

Error no_opengl() {
  return missing("This display offers no OpenGL 3.3" + glfw_reason() +
                 ". Install a graphics driver, or libgl1-mesa-dri for drawing on the processor. " +
                 without_a_window);
}

GLFWwindow* create(const WindowOptions& options, bool robust) {
  glfwDefaultWindowHints();
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  if (robust) glfwWindowHint(GLFW_CONTEXT_ROBUSTNESS, GLFW_LOSE_CONTEXT_ON_RESET);
  glfwWindowHint(GLFW_VISIBLE, options.visible ? GLFW_TRUE : GLFW_FALSE);
  glfwWindowHint(GLFW_SCALE_TO_MONITOR, options.visible ? GLFW_TRUE : GLFW_FALSE);
  return glfwCreateWindow(options.size.width, options.size.height, options.title.c_str(), nullptr, nullptr);
}

// Null if the driver has none.
using ResetStatus = unsigned (*)();
ResetStatus find_reset_status(GLFWwindow* window) {
  if (glfwGetWindowAttrib(window, GLFW_CONTEXT_ROBUSTNESS) == 0) return nullptr;
  for (const char* name : {"glGetGraphicsResetStatus", "glGetGraphicsResetStatusARB"})
    if (const auto found = reinterpret_cast<ResetStatus>(glfwGetProcAddress(name))) return found;
  return nullptr;
}

std::vector<GLFWmonitor*> all_screens() {
  int count = 0;
  GLFWmonitor** all = glfwGetMonitors(&count);
  return {all, all + std::max(count, 0)};
}

// The screen on which most of the window is; null if there is none.
GLFWmonitor* screen_of(GLFWwindow* window, std::span<GLFWmonitor* const> screens) {
  int x = 0, y = 0, width = 0, height = 0;
  glfwGetWindowPos(window, &x, &y);
  glfwGetWindowSize(window, &width, &height);
  GLFWmonitor* best = glfwGetPrimaryMonitor();
  int64_t most = 0;
  for (GLFWmonitor* screen : screens) {
    int left = 0, top = 0;
    glfwGetMonitorPos(screen, &left, &top);
    const GLFWvidmode* mode = glfwGetVideoMode(screen);
    if (mode == nullptr) continue;
    const int64_t across = std::min(x + width, left + mode->width) - std::max(x, left);
    const int64_t down = std::min(y + height, top + mode->height) - std::max(y, top);
    if (across <= 0 || down <= 0 || across * down <= most) continue;
    most = across * down;
    best = screen;
  }
  return best;
}

// With a projector, a window on the main screen goes there; one that was put elsewhere stays on its screen.
GLFWmonitor* screen_to_fill(GLFWmonitor* here, std::span<GLFWmonitor* const> screens) {
  if (here != glfwGetPrimaryMonitor()) return here;
  for (GLFWmonitor* screen : screens)
    if (screen != here) return screen;
  return here;
}

}  // namespace

const char* const glsl_version = "#version 330";

struct Window::Impl {
  GLFWwindow* window = nullptr;
  bool first = false;             // it began GLFW, and ends it
  ImGuiContext* imgui = nullptr;  // that hears it
  ResetStatus reset_status = nullptr;
  bool lost = false;  // the driver reports it only once
  std::vector<std::string> dropped;
  int x = 0, y = 0;            // before it filled a screen
  std::optional<Size> before;  // its size then; empty while it does not fill one
  uint64_t events = 0;
  double began_frame = 0;  // one that nobody sees, in seconds
};

Result<std::unique_ptr<Window>> Window::open(const WindowOptions& options) {
  if (!glfwInit()) return no_display();
  auto impl = std::make_unique<Impl>();
  impl->first = true;
  impl->window = create(options, true);
  if (impl->window == nullptr) impl->window = create(options, false);
  if (impl->window == nullptr) {
    Error error = no_opengl();
    glfwTerminate();
    return error;
  }
  std::unique_ptr<Window> opened(new Window(std::move(impl)));
  GLFWwindow* window = opened->m_impl->window;
  glfwMakeContextCurrent(window);
  if (gladLoadGLLoader(reinterpret_cast<GLADloadproc>(glfwGetProcAddress)) == 0) return no_opengl();
  glfwSwapInterval(options.vsync ? 1 : 0);
  opened->m_impl->reset_status = find_reset_status(window);
  return opened;
}

std::unique_ptr<Window> Window::open_another(const WindowOptions& options) {
  glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
  glfwWindowHint(GLFW_FOCUS_ON_SHOW, GLFW_FALSE);  // keys and clicker stay with the first
  auto impl = std::make_unique<Impl>();
  impl->window =
      glfwCreateWindow(options.size.width, options.size.height, options.title.c_str(), nullptr, nullptr);
  glfwWindowHint(GLFW_FOCUS_ON_SHOW, GLFW_TRUE);
  if (impl->window == nullptr) return nullptr;
  // A picture that fills a screen leaves the main one free (screen_to_fill).
  if (all_screens().size() > 1) {
    int left = 0, top = 0, width = 0, height = 0;
    glfwGetMonitorWorkarea(glfwGetPrimaryMonitor(), &left, &top, &width, &height);
    glfwSetWindowPos(impl->window, left + std::max((width - options.size.width) / 2, 0), top + height / 10);
  }
  if (options.visible) glfwShowWindow(impl->window);
  std::unique_ptr<Window> second(new Window(std::move(impl)));
  second->within([&] { glfwSwapInterval(options.vsync ? 1 : 0); });
  return second;
}

// These callbacks are installed first, since Dear ImGui's backend calls those that it finds.
Window::Window(std::unique_ptr<Impl> impl) : m_impl(std::move(impl)) {
  glfwSetWindowUserPointer(m_impl->window, m_impl.get());
  glfwSetDropCallback(m_impl->window, [](GLFWwindow* window, int count, const char** paths) {
    auto* self = static_cast<Impl*>(glfwGetWindowUserPointer(window));
    for (int i = 0; i < count; ++i) self->dropped.emplace_back(paths[i]);
    ++self->events;
  });
  glfwSetWindowRefreshCallback(m_impl->window, [](GLFWwindow* window) {
    ++static_cast<Impl*>(glfwGetWindowUserPointer(window))->events;
  });
}

Window::~Window() {
  glfwDestroyWindow(m_impl->window);
  if (m_impl->first) glfwTerminate();
}

void Window::within(const std::function<void()>& work) const {
  ImGuiContext* imgui_before = ImGui::GetCurrentContext();
  GLFWwindow* before = glfwGetCurrentContext();
  if (m_impl->imgui != nullptr) ImGui::SetCurrentContext(m_impl->imgui);
  glfwMakeContextCurrent(m_impl->window);
  work();
  glfwMakeContextCurrent(before);
  ImGui::SetCurrentContext(imgui_before);
}

void Window::attach_imgui() {
  m_impl->imgui = ImGui::GetCurrentContext();
  ImGui_ImplGlfw_InitForOpenGL(m_impl->window, true);
}

void Window::detach_imgui() { ImGui_ImplGlfw_Shutdown(); }

void Window::new_imgui_frame(bool seen) {
  if (seen) return ImGui_ImplGlfw_NewFrame();
  // The backend would ask the display for every screen and for the mouse, which takes longer than the frame.
  const auto [width, height] = size();
  const double now = seconds();
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = {static_cast<float>(width), static_cast<float>(height)};
  io.DeltaTime = std::max(static_cast<float>(now - m_impl->began_frame), 1e-5f);
  m_impl->began_frame = now;
}

bool Window::should_close() const { return glfwWindowShouldClose(m_impl->window) != 0; }

void Window::swap() { glfwSwapBuffers(m_impl->window); }

void Window::resize(Size size) { glfwSetWindowSize(m_impl->window, size.width, size.height); }

void Window::fill_screen(bool on) {
  GLFWwindow* window = m_impl->window;
  if (on && !m_impl->before) {
    m_impl->before = size();
    glfwGetWindowPos(window, &m_impl->x, &m_impl->y);
    const std::vector<GLFWmonitor*> screens = all_screens();
    GLFWmonitor* const here = screen_of(window, screens);
    GLFWmonitor* const monitor = screen_to_fill(here, screens);
    const GLFWvidmode* mode = monitor != nullptr ? glfwGetVideoMode(monitor) : nullptr;
    if (mode == nullptr) return;
    // The notes of a teacher may have the keyboard: the picture stays.
    glfwSetWindowAttrib(window, GLFW_AUTO_ICONIFY, GLFW_FALSE);
    // Window managers without _NET_WM_FULLSCREEN_MONITORS, such as Openbox, fill the screen on which the
    // window is.
    int left = 0, top = 0;
    glfwGetMonitorPos(monitor, &left, &top);
    if (monitor != here) glfwSetWindowPos(window, left, top);
    glfwSetWindowMonitor(window, monitor, 0, 0, mode->width, mode->height, mode->refreshRate);
  } else if (!on && m_impl->before) {
    const Size size = *std::exchange(m_impl->before, std::nullopt);
    glfwSetWindowMonitor(window, nullptr, m_impl->x, m_impl->y, size.width, size.height, GLFW_DONT_CARE);
  }
}

Size Window::size() const {
  if (m_impl->before) return *m_impl->before;
  Size size;
  glfwGetWindowSize(m_impl->window, &size.width, &size.height);
  return size;
}

Size Window::pixels() const {
  Size size;
  glfwGetFramebufferSize(m_impl->window, &size.width, &size.height);
  return size;
}

float Window::content_scale() const {
  float across = 1, down = 1;
  glfwGetWindowContentScale(m_impl->window, &across, &down);
  return across;
}

Screen Window::screen() const {
  GLFWmonitor* screen = screen_of(m_impl->window, all_screens());
  const GLFWvidmode* mode = screen != nullptr ? glfwGetVideoMode(screen) : nullptr;
  if (mode == nullptr) return {};
  int width_mm = 0, height_mm = 0;
  glfwGetMonitorPhysicalSize(screen, &width_mm, &height_mm);
  return {mode->width, width_mm};
}

uint64_t Window::events() const { return m_impl->events; }

std::vector<std::string> Window::dropped_files() { return std::exchange(m_impl->dropped, {}); }

bool Window::lost() {
  if (!m_impl->lost && m_impl->reset_status != nullptr) m_impl->lost = m_impl->reset_status() != GL_NO_ERROR;
  return m_impl->lost;
}

void run(const std::function<bool()>& frame) {
  while (frame()) {
  }
}

bool wait_for_events(double longest) {
  if (longest <= 0) {
    glfwPollEvents();
    return false;
  }
  const double start = seconds();
  glfwWaitEventsTimeout(longest);
  return seconds() - start < longest * 0.98;
}

void wake() { glfwPostEmptyEvent(); }

double seconds() { return glfwGetTime(); }

std::string address_of_page() {
  const char* named = std::getenv("WARPLENS_PAGE");
  return named == nullptr ? "" : named;
}

void begin_again() {}

}  // namespace warplens::host

#include "tests/gl/gl_context.h"

#include <glad/glad.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string_view>

namespace warplens {

namespace {

// EGL 1.5 and EGL_EXT_platform_device; its headers are on no machine that only runs the program.
using Boolean = unsigned;
using Proc = void (*)();
constexpr unsigned platform_device = 0x313F, opengl_api = 0x30A2;
constexpr int none = 0x3038, renderable_type = 0x3040, opengl_bit = 0x0008, surface_type = 0x3033,
              pbuffer_bit = 1;
constexpr int major_version = 0x3098, minor_version = 0x30FB, profile_mask = 0x30FD, core_profile = 1;

Proc (*get_proc)(const char*) = nullptr;
void* load(const char* name) { return reinterpret_cast<void*>(get_proc(name)); }

// The display of the first device whose OpenGL is NVIDIA's.
void* open_device() {
  using QueryDevices = Boolean (*)(int, void**, int*);
  using GetDisplay = void* (*)(unsigned, void*, const int*);
  using Initialize = Boolean (*)(void*, int*, int*);
  using QueryString = const char* (*)(void*, int);
  const auto query = reinterpret_cast<QueryDevices>(get_proc("eglQueryDevicesEXT"));
  const auto get = reinterpret_cast<GetDisplay>(get_proc("eglGetPlatformDisplayEXT"));
  const auto start = reinterpret_cast<Initialize>(get_proc("eglInitialize"));
  const auto text = reinterpret_cast<QueryString>(get_proc("eglQueryString"));
  if (query == nullptr || get == nullptr || start == nullptr || text == nullptr) return nullptr;
  std::array<void*, 16> devices{};
  int count = 0;
  if (query(static_cast<int>(devices.size()), devices.data(), &count) == 0) return nullptr;
  for (int i = 0; i < count; ++i) {
    void* display = get(platform_device, devices[static_cast<size_t>(i)], nullptr);
    if (display == nullptr || start(display, nullptr, nullptr) == 0) continue;
    constexpr int vendor_name = 0x3053;
    const char* vendor = text(display, vendor_name);
    if (vendor != nullptr && std::string_view(vendor).find("NVIDIA") != std::string_view::npos)
      return display;
  }
  return nullptr;
}

}  // namespace

Result<std::unique_ptr<GlContext>> GlContext::open() {
  const std::array<std::string, 1> names = {"libEGL.so.1"};
  auto library = DynamicLibrary::open_first(names);
  if (!library) return library.error();
  get_proc = library->function<std::remove_pointer_t<decltype(get_proc)>>("eglGetProcAddress");
  if (get_proc == nullptr) return missing("libEGL has no eglGetProcAddress.");
  void* display = open_device();
  if (display == nullptr) return missing("EGL offers no device of NVIDIA's.");
  using BindApi = Boolean (*)(unsigned);
  using ChooseConfig = Boolean (*)(void*, const int*, void**, int, int*);
  using CreateContext = void* (*)(void*, void*, void*, const int*);
  using MakeCurrent = Boolean (*)(void*, void*, void*, void*);
  reinterpret_cast<BindApi>(get_proc("eglBindAPI"))(opengl_api);
  const std::array<int, 5> wanted = {surface_type, pbuffer_bit, renderable_type, opengl_bit, none};
  void* config = nullptr;
  int count = 0;
  reinterpret_cast<ChooseConfig>(get_proc("eglChooseConfig"))(display, wanted.data(), &config, 1, &count);
  if (count < 1) return missing("EGL has no configuration for OpenGL.");
  constexpr int robust_access = 0x31B2, reset_strategy = 0x31BD,
                lose_on_reset = 0x31BF;  // EGL 1.5, as the window
  const std::array<int, 11> version = {
      major_version, 3,   minor_version, 3, profile_mask, core_profile, robust_access, 1, reset_strategy,
      lose_on_reset, none};
  void* context =
      reinterpret_cast<CreateContext>(get_proc("eglCreateContext"))(display, config, nullptr, version.data());
  if (context == nullptr) return missing("EGL makes no OpenGL 3.3 context.");
  if (reinterpret_cast<MakeCurrent>(get_proc("eglMakeCurrent"))(display, nullptr, nullptr, context) == 0)
    return missing("EGL does not let the context be used without a surface.");
  if (gladLoadGLLoader(load) == 0) return missing("OpenGL's functions cannot be found.");
  std::unique_ptr<GlContext> opened(new GlContext(std::move(*library)));
  opened->m_display = display;
  opened->m_context = context;
  return opened;
}

GlContext::~GlContext() {
  using MakeCurrent = Boolean (*)(void*, void*, void*, void*);
  using DestroyContext = Boolean (*)(void*, void*);
  reinterpret_cast<MakeCurrent>(get_proc("eglMakeCurrent"))(m_display, nullptr, nullptr, nullptr);
  reinterpret_cast<DestroyContext>(get_proc("eglDestroyContext"))(m_display, m_context);
}

bool GlContext::lost() const {
  const auto status = reinterpret_cast<GLenum (*)()>(get_proc("glGetGraphicsResetStatus"));
  return status != nullptr && status() != GL_NO_ERROR;
}

std::string GlContext::renderer() const {
  const GLubyte* text = glGetString(GL_RENDERER);
  return text == nullptr ? std::string() : reinterpret_cast<const char*>(text);
}

bool has_display() {
  const char* display = std::getenv("DISPLAY");
  return display != nullptr && *display != '\0';
}

size_t open_handles() {
  size_t count = 0;
  std::error_code error;
  for (auto at = std::filesystem::directory_iterator("/proc/self/fd", error);
       !error && at != std::filesystem::directory_iterator(); at.increment(error))
    ++count;
  return count;
}

}  // namespace warplens

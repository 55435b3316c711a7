// An OpenGL context without a window, through EGL on the NVIDIA GPU.
#pragma once

#include <memory>
#include <string>

#include "core/base/result.h"
#include "core/system/library.h"

namespace warplens {

class GlContext {
 public:
  // Errors say what is missing: then the test is skipped.
  static Result<std::unique_ptr<GlContext>> open();
  ~GlContext();
  GlContext(const GlContext&) = delete;
  GlContext& operator=(const GlContext&) = delete;

  std::string renderer() const;
  bool lost() const;  // told once

 private:
  explicit GlContext(DynamicLibrary egl) : m_egl(std::move(egl)) {}
  DynamicLibrary m_egl;
  void *m_display = nullptr, *m_context = nullptr;
};

// The window may be opened: there is a display.
bool has_display();
// How many file handles this process has.
size_t open_handles();

}  // namespace warplens

// An OpenGL context without a window, through EGL on the NVIDIA GPU.
#pragma once

#include <memory>
#include <string>

#include "core/base/result.h"
#include "core/system/library.h"

namespace warplens {

class GlContext {
 public:
  // An error says what is missing; then the test is skipped.
  static Result<std::unique_ptr<GlContext>> open();
  ~GlContext();
  GlContext(const GlContext&) = delete;
  GlContext& operator=(const GlContext&) = delete;

  std::string renderer() const;
  bool lost() const;  // true only once after a loss

 private:
  explicit GlContext(DynamicLibrary egl) : m_egl(std::move(egl)) {}
  DynamicLibrary m_egl;
  void *m_display = nullptr, *m_context = nullptr;
};

// Whether a window can be opened, that is, whether there is a display.
bool has_display();
// The number of open files of this process.
size_t open_handles();

}  // namespace warplens

// NVRTC's C interface, declared here so that no CUDA header is needed, and loaded at run time.
#pragma once

#include <cstddef>
#include <string>

#include "core/base/result.h"
#include "core/compile/compiler.h"
#include "core/system/library.h"

namespace warplens {

struct NvrtcProgram;  // opaque, NVRTC's own

// The functions that this program uses. Those that old versions lack may be null.
struct Nvrtc {
  static constexpr int success = 0;
  static constexpr int error_compilation = 6;

  int (*version)(int* major, int* minor) = nullptr;
  const char* (*error_string)(int result) = nullptr;
  int (*create_program)(NvrtcProgram**, const char* source, const char* name, int headers,
                        const char* const* header_sources, const char* const* header_names) = nullptr;
  int (*destroy_program)(NvrtcProgram**) = nullptr;
  int (*compile_program)(NvrtcProgram*, int options, const char* const* option) = nullptr;
  int (*ptx_size)(NvrtcProgram*, size_t*) = nullptr;
  int (*ptx)(NvrtcProgram*, char*) = nullptr;
  int (*log_size)(NvrtcProgram*, size_t*) = nullptr;
  int (*log)(NvrtcProgram*, char*) = nullptr;
  int (*supported_arch_count)(int*) = nullptr;                                              // 11.2 on
  int (*supported_archs)(int*) = nullptr;                                                   // 11.2 on
  int (*set_flow_callback)(NvrtcProgram*, int (*)(void*, void*), void* payload) = nullptr;  // 12.4 on
  std::string path;
};

// Loads NVRTC from `path`; an empty path means the one from set-up or from a toolkit. If there is none, the
// error says what still works.
Result<Nvrtc> load_nvrtc(const std::string& path = {});

// Implements compile_cuda with this compiler.
Result<Compilation> compile_with_nvrtc(const Nvrtc& nvrtc, std::string_view source, std::string_view name,
                                       const CompileOptions& options, std::stop_token stop = {});

}  // namespace warplens

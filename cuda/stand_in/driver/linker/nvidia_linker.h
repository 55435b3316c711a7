// NVIDIA's libnvJitLink, loaded at run time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warplens::driver {

// Values of NVIDIA's nvJitLinkResult and nvJitLinkInputType.
enum JitLinkResult : int {
  jit_link_success = 0,
  jit_link_invalid_input = 3,
  jit_link_ptx_compile = 4,
  jit_link_internal = 6,
  jit_link_null_input = 10
};
enum JitLinkInput : int { jit_link_cubin = 1, jit_link_ptx = 2, jit_link_ltoir = 3, jit_link_any = 10 };

struct NvidiaLinker {
  int (*version)(unsigned*, unsigned*) = nullptr;
  int (*create)(void**, uint32_t, const char**) = nullptr;
  int (*destroy)(void**) = nullptr;
  int (*add_data)(void*, int, const void*, size_t, const char*) = nullptr;
  int (*complete)(void*) = nullptr;
  int (*ptx_size)(void*, size_t*) = nullptr;
  int (*ptx)(void*, char*) = nullptr;
  int (*error_log_size)(void*, size_t*) = nullptr;
  int (*error_log)(void*, char*) = nullptr;
  int (*info_log_size)(void*, size_t*) = nullptr;
  int (*info_log)(void*, char*) = nullptr;
};

// Null if it cannot be loaded, or lacks a function. It stays loaded.
const NvidiaLinker* nvidia_linker(const std::string& path);

struct LinkedLto {
  int result = jit_link_success;
  std::string ptx, error_log, info_log;
};

struct LinkPiece {
  int type = 0;
  std::string bytes, name;
};

// One PTX text for all inputs with LTO-IR. Functions that none of them defines stay declared.
LinkedLto link_lto(const NvidiaLinker& nvidia, std::vector<std::string> options,
                   std::span<const LinkPiece> pieces);

}  // namespace warplens::driver

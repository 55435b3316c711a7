#include "cuda/stand_in/driver/linker/nvidia_linker.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>

namespace warplens::driver {
namespace {

template <class Function>
bool look_up(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

std::unique_ptr<NvidiaLinker> load(const std::string& path) {
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return nullptr;
  auto made = std::make_unique<NvidiaLinker>();
  const bool has_all = look_up(library, "nvJitLinkVersion", made->version) &&
                       look_up(library, "nvJitLinkCreate", made->create) &&
                       look_up(library, "nvJitLinkDestroy", made->destroy) &&
                       look_up(library, "nvJitLinkAddData", made->add_data) &&
                       look_up(library, "nvJitLinkComplete", made->complete) &&
                       look_up(library, "nvJitLinkGetLinkedPtxSize", made->ptx_size) &&
                       look_up(library, "nvJitLinkGetLinkedPtx", made->ptx) &&
                       look_up(library, "nvJitLinkGetErrorLogSize", made->error_log_size) &&
                       look_up(library, "nvJitLinkGetErrorLog", made->error_log) &&
                       look_up(library, "nvJitLinkGetInfoLogSize", made->info_log_size) &&
                       look_up(library, "nvJitLinkGetInfoLog", made->info_log);
  return has_all ? std::move(made) : nullptr;
}

// Without the zeros at its end.
std::string text_of(void* link, int (*size_of)(void*, size_t*), int (*read)(void*, char*)) {
  size_t size = 0;
  if (size_of(link, &size) != jit_link_success || size == 0) return {};
  std::string text(size + 1, '\0');
  if (read(link, text.data()) != jit_link_success) return {};
  text.resize(std::strlen(text.c_str()));
  return text;
}

}  // namespace

const NvidiaLinker* nvidia_linker(const std::string& path) {
  static std::mutex one_at_a_time;
  static std::map<std::string, std::unique_ptr<NvidiaLinker>> loaded;
  const std::lock_guard lock(one_at_a_time);
  const auto [at, is_new] = loaded.try_emplace(path);
  if (is_new) at->second = load(path);
  return at->second.get();
}

LinkedLto link_lto(const NvidiaLinker& nvidia, std::vector<std::string> options,
                   std::span<const LinkPiece> pieces) {
  const auto has = [&](const char* option) {
    return std::find(options.begin(), options.end(), option) != options.end();
  };
  for (const char* needed : {"-lto", "-ptx"}) {
    if (!has(needed)) options.emplace_back(needed);
  }
  // Without it the lines that LTO-IR has are lost.
  if (!has("-lineinfo") && !has("-g")) options.emplace_back("-lineinfo");
  std::vector<const char*> words;
  words.reserve(options.size());
  for (const std::string& option : options) words.push_back(option.c_str());
  LinkedLto linked;
  void* link = nullptr;
  linked.result = nvidia.create(&link, static_cast<uint32_t>(words.size()), words.data());
  if (linked.result != jit_link_success) return linked;
  for (const LinkPiece& piece : pieces) {
    if (linked.result == jit_link_success)
      linked.result =
          nvidia.add_data(link, piece.type, piece.bytes.data(), piece.bytes.size(), piece.name.c_str());
  }
  if (linked.result == jit_link_success) linked.result = nvidia.complete(link);
  if (linked.result == jit_link_success) linked.ptx = text_of(link, nvidia.ptx_size, nvidia.ptx);
  linked.error_log = text_of(link, nvidia.error_log_size, nvidia.error_log);
  linked.info_log = text_of(link, nvidia.info_log_size, nvidia.info_log);
  nvidia.destroy(&link);
  return linked;
}

}  // namespace warplens::driver

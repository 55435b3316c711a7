#include "cuda/stand_in/driver/linker/jit_link.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>

#include "cuda/stand_in/driver/calls/modules.h"
#include "cuda/stand_in/driver/calls/refused.h"
#include "cuda/stand_in/driver/code/image.h"
#include "cuda/stand_in/driver/code/merge_ptx.h"
#include "cuda/stand_in/driver/linker/nvidia_linker.h"

using namespace warplens::driver;

namespace {

struct JitLink {
  const NvidiaLinker* nvidia = nullptr;
  void* checked =
      nullptr;  // a link of NVIDIA's with the same options, which says what is wrong with an input
  std::vector<std::string> options;
  uint32_t capability = 0;  // 86; 0 where the options do not say
  uint32_t max_registers = 0;
  std::vector<LinkPiece> lto, ptx;
  std::string linked, error_log, info_log;

  JitLink() = default;
  JitLink(const JitLink&) = delete;
  JitLink& operator=(const JitLink&) = delete;
  ~JitLink() {
    if (checked != nullptr) nvidia->destroy(&checked);
  }
};

// The number after a prefix: -arch=sm_86, -maxrregcount=32.
uint32_t number_in(const std::vector<std::string>& options, std::string_view beginning) {
  uint32_t number = 0;
  for (const std::string& option : options) {
    if (!option.starts_with(beginning)) continue;
    const std::string_view rest = std::string_view(option).substr(beginning.size());
    std::from_chars(rest.data(), rest.data() + rest.size(), number);
  }
  return number;
}

JitLink* link_of(void* handle) { return static_cast<JitLink*>(handle); }

int copy_size(const std::string& text, size_t* size) {
  if (size == nullptr) return jit_link_invalid_input;
  *size = text.empty() ? 0 : text.size() + 1;
  return jit_link_success;
}

int copy_text(const std::string& text, void* to) {
  if (to == nullptr) return jit_link_invalid_input;
  if (!text.empty()) std::memcpy(to, text.c_str(), text.size() + 1);
  return jit_link_success;
}

// Inputs with PTX are linked by us. NVIDIA's linker gets the others: it takes LTO-IR and says what it cannot
// read.
int add(JitLink& link, int type, std::string bytes, std::string name) {
  const ImageKind kind = kind_of_image(std::string_view(bytes).substr(0, 8));
  // merge_ptx has the device runtime's functions for cooperative launches.
  if (kind == ImageKind::archive && name.find("cudadevrt") != std::string::npos) return jit_link_success;
  if (kind == ImageKind::archive || kind == ImageKind::machine_code) {
    std::vector<std::string> texts = ptx_of_objects(bytes, link.capability);
    for (std::string& text : texts) link.ptx.push_back({jit_link_ptx, std::move(text), name});
    if (!texts.empty()) return jit_link_success;
  }
  const bool is_text = type == jit_link_ptx || kind == ImageKind::ptx;
  if (is_text || kind == ImageKind::fat_binary || kind == ImageKind::fat_wrapper) {
    warplens::Result<std::string> ptx = ptx_of_image(bytes.data(), bytes.size(), link.capability);
    if (ptx) {
      link.ptx.push_back({jit_link_ptx, std::move(*ptx), std::move(name)});
      return jit_link_success;
    }
    if (is_text) {
      link.error_log = ptx.error().message;
      return jit_link_ptx_compile;
    }
  }
  const int result = link.nvidia->add_data(link.checked, type, bytes.data(), bytes.size(), name.c_str());
  if (result != jit_link_success) {
    link.error_log = name + ": " + how_to_rebuild("input of the linker");
    return result;
  }
  link.lto.push_back({type, std::move(bytes), std::move(name)});
  return jit_link_success;
}

int complete(JitLink& link) {
  const OwnLibrary asks;
  std::vector<LinkPiece> pieces;
  if (!link.lto.empty()) {
    LinkedLto lto = link_lto(*link.nvidia, link.options, link.lto);
    link.error_log = std::move(lto.error_log);
    link.info_log = std::move(lto.info_log);
    if (lto.result != jit_link_success) return lto.result;
    pieces.push_back({jit_link_ptx, std::move(lto.ptx), "the linked LTO-IR"});
  }
  pieces.insert(pieces.end(), link.ptx.begin(), link.ptx.end());
  std::vector<PtxPart> parts;
  parts.reserve(pieces.size());
  for (const LinkPiece& piece : pieces) parts.push_back({piece.name, piece.bytes});
  warplens::Result<std::string> merged = merge_ptx(parts);
  if (!merged) {
    link.error_log = merged.error().message;
    return jit_link_ptx_compile;
  }
  link.linked = with_register_limit(std::move(*merged), link.max_registers);
  return jit_link_success;
}

}  // namespace

extern "C" {

int warplens_nvJitLinkVersion(const char* nvidia, unsigned* major, unsigned* minor) {
  const NvidiaLinker* linker = nvidia_linker(nvidia);
  return linker == nullptr ? jit_link_internal : linker->version(major, minor);
}

int warplens_nvJitLinkCreate(const char* nvidia, void** made, uint32_t count, const char** options) {
  const NvidiaLinker* linker = nvidia_linker(nvidia);
  if (linker == nullptr) return jit_link_internal;
  if (made == nullptr) return jit_link_invalid_input;
  const OwnLibrary asks;  // NVIDIA's linker asks for a table of NVIDIA's driver, and does without it
  auto link = std::make_unique<JitLink>();
  link->nvidia = linker;
  const int result = linker->create(&link->checked, count, options);
  if (result != jit_link_success) return result;
  link->options.assign(options, options + count);
  link->capability =
      std::max(number_in(link->options, "-arch=sm_"), number_in(link->options, "-arch=compute_"));
  link->max_registers = number_in(link->options, "-maxrregcount=");
  *made = link.release();
  return jit_link_success;
}

int warplens_nvJitLinkDestroy(void** link) {
  if (link == nullptr) return jit_link_invalid_input;
  delete link_of(*link);
  *link = nullptr;
  return jit_link_success;
}

int warplens_nvJitLinkAddData(void* link, int type, const void* data, size_t size, const char* name) {
  if (link == nullptr) return jit_link_invalid_input;
  if (data == nullptr || size == 0) return jit_link_null_input;
  return add(*link_of(link), type, std::string(static_cast<const char*>(data), size),
             name == nullptr ? "an input" : name);
}

int warplens_nvJitLinkAddFile(void* link, int type, const char* path) {
  if (link == nullptr || path == nullptr) return jit_link_invalid_input;
  std::ifstream file(path, std::ios::binary);
  if (!file) return jit_link_invalid_input;
  return add(*link_of(link), type, std::string(std::istreambuf_iterator<char>(file), {}), path);
}

int warplens_nvJitLinkComplete(void* link) {
  return link == nullptr ? jit_link_invalid_input : complete(*link_of(link));
}

int warplens_nvJitLinkGetLinkedCubinSize(void* link, size_t* size) {
  return link == nullptr ? jit_link_invalid_input : copy_size(link_of(link)->linked, size);
}

int warplens_nvJitLinkGetLinkedCubin(void* link, void* cubin) {
  return link == nullptr ? jit_link_invalid_input : copy_text(link_of(link)->linked, cubin);
}

int warplens_nvJitLinkGetLinkedPtxSize(void* link, size_t* size) {
  return link == nullptr ? jit_link_invalid_input : copy_size(link_of(link)->linked, size);
}

int warplens_nvJitLinkGetLinkedPtx(void* link, char* ptx) {
  return link == nullptr ? jit_link_invalid_input : copy_text(link_of(link)->linked, ptx);
}

int warplens_nvJitLinkGetErrorLogSize(void* link, size_t* size) {
  return link == nullptr ? jit_link_invalid_input : copy_size(link_of(link)->error_log, size);
}

int warplens_nvJitLinkGetErrorLog(void* link, char* log) {
  return link == nullptr ? jit_link_invalid_input : copy_text(link_of(link)->error_log, log);
}

int warplens_nvJitLinkGetInfoLogSize(void* link, size_t* size) {
  return link == nullptr ? jit_link_invalid_input : copy_size(link_of(link)->info_log, size);
}

int warplens_nvJitLinkGetInfoLog(void* link, char* log) {
  return link == nullptr ? jit_link_invalid_input : copy_text(link_of(link)->info_log, log);
}

}  // extern "C"

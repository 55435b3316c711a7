#include "cuda/stand_in/relay/state/code.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/ptx/parser/parse.h"
#include "core/recording/kernel_name.h"
#include "core/recording/launch_source.h"
#include "cuda/stand_in/driver/code/image.h"
#include "cuda/stand_in/driver/code/merge_ptx.h"
#include "cuda/stand_in/relay/next.h"

namespace warplens::relay {

namespace {

// Linked machine code is searched for among this many images.
constexpr size_t most_linked = 64;
constexpr size_t elf_header_bytes = 64;
// Of several texts in a fat binary: the newest.
constexpr uint32_t any_capability = 999;

std::string text_in(const void* image, std::optional<size_t> size) {
  Result<std::string> text = driver::ptx_of_image(image, size, any_capability);
  return text ? std::move(*text) : std::string();
}

void fill(Function& function, std::shared_ptr<Code> code) {
  function.code = std::move(code);
  const auto tree = function.code == nullptr ? nullptr : function.code->tree();
  function.entry_of_ptx = tree == nullptr ? nullptr : tree->find_entry(function.entry);
  if (function.entry_of_ptx == nullptr) return;
  if (const auto source = recording::lines_of(*tree, *function.entry_of_ptx)) {
    function.source_file = source->file;
    function.source_line = source->first;
  }
}

template <class Map, class Handle>
std::shared_ptr<Code> found_in(const Map& map, Handle handle) {
  const auto at = map.find(handle);
  return at == map.end() ? nullptr : at->second;
}

}  // namespace

std::shared_ptr<const ptx::Module> Code::tree() {
  if (m_parsed || ptx.empty()) return m_tree;
  m_parsed = true;
  m_tree = ptx::parse(driver::with_grid_barrier(ptx), "program.ptx").module;
  return m_tree;
}

ParameterLayout layout_of(const ptx::Function& entry) {
  ParameterLayout layout;
  uint64_t offset = 0;
  for (const ptx::Variable& parameter : entry.parameters) {
    const uint64_t alignment = std::max(1u, parameter.alignment);
    offset = (offset + alignment - 1) / alignment * alignment;
    layout.offsets.push_back(static_cast<uint32_t>(offset));
    offset += parameter.bytes;
  }
  layout.bytes = static_cast<uint32_t>(offset);
  return layout;
}

uint32_t max_registers_of(unsigned count, const CUjit_option* options, void* const* values) {
  for (unsigned i = 0; options != nullptr && values != nullptr && i < count; ++i) {
    if (options[i] == CU_JIT_MAX_REGISTERS)
      return static_cast<uint32_t>(reinterpret_cast<uintptr_t>(values[i]));
  }
  return 0;
}

std::shared_ptr<Code> LoadedCode::code_of(const void* image, uint32_t max_registers) const {
  if (image == nullptr) return nullptr;
  for (const Linked& linked : m_linked) {
    // The header says how long the rest is.
    if (linked.image.size() >= elf_header_bytes &&
        std::memcmp(image, linked.image.data(), elf_header_bytes) == 0 &&
        std::memcmp(image, linked.image.data(), linked.image.size()) == 0)
      return linked.code;
  }
  auto code = std::make_shared<Code>();
  code->ptx = text_in(image, std::nullopt);
  code->max_registers = max_registers;
  return code;
}

void LoadedCode::loaded(CUmodule module, std::shared_ptr<Code> code) { m_modules[module] = std::move(code); }
void LoadedCode::loaded(CUlibrary library, std::shared_ptr<Code> code) {
  m_libraries[library] = std::move(code);
}

void LoadedCode::binds_textures(CUmodule module) {
  if (const auto code = found_in(m_modules, module)) code->binds_textures = true;
}

void LoadedCode::unloaded(CUmodule module) {
  m_modules.erase(module);
  std::erase_if(m_functions, [&](const auto& row) { return row.second.module == module; });
}

void LoadedCode::unloaded(CUlibrary library) {
  m_libraries.erase(library);
  std::erase_if(m_functions, [&](const auto& row) { return row.second.library == library; });
}

void LoadedCode::given(CUmodule module, CUlibrary library) {
  if (auto code = found_in(m_libraries, library)) m_modules[module] = std::move(code);
}

void LoadedCode::named(const void* handle, CUmodule module, CUlibrary library, std::string_view entry) {
  Function& function = m_functions[handle];
  if (function.entry == entry && function.module == module && function.library == library) return;
  function = {};
  function.module = module;
  function.library = library;
  function.entry = entry;
  function.name = recording::readable_kernel_name(entry);
  fill(function, library != nullptr ? found_in(m_libraries, library) : found_in(m_modules, module));
}

Function& LoadedCode::function_of(const void* handle) {
  if (const auto at = m_functions.find(handle); at != m_functions.end()) return at->second;
  auto* asked = static_cast<CUfunction>(const_cast<void*>(handle));
  const char* name = nullptr;
  CUmodule module = nullptr;
  if (!has_next(warplens_next_cuFuncGetName) || NEXT(cuFuncGetName)(&name, asked) != CUDA_SUCCESS)
    name = nullptr;
  if (NEXT(cuFuncGetModule)(&module, asked) != CUDA_SUCCESS) module = nullptr;
  named(handle, module, nullptr, name == nullptr ? "kernel" : name);
  return m_functions[handle];
}

void LoadedCode::forget_launches() {
  for (auto& [handle, function] : m_functions) function.launches = 0;
}

void LoadedCode::link_begins(CUlinkState link, uint32_t max_registers) {
  m_links[link] = {{}, true, max_registers};
}

void LoadedCode::link_takes(CUlinkState link, std::string_view name, const void* bytes, size_t size) {
  const auto at = m_links.find(link);
  if (at == m_links.end()) return;
  std::string text = text_in(bytes, size);
  const bool is_device_runtime = name.find("cudadevrt") != std::string_view::npos;
  if (!text.empty())
    at->second.parts.emplace_back(std::string(name), std::move(text));
  else if (!is_device_runtime)
    at->second.whole = false;
}

void LoadedCode::link_is_done(CUlinkState link, const void* image, size_t size) {
  const auto at = m_links.find(link);
  if (at == m_links.end() || image == nullptr) return;
  auto code = std::make_shared<Code>();
  code->max_registers = at->second.max_registers;
  std::vector<driver::PtxPart> parts;
  for (const auto& [name, text] : at->second.parts) parts.push_back({name, text});
  if (at->second.whole) {
    if (Result<std::string> merged = driver::merge_ptx(parts)) code->ptx = std::move(*merged);
  }
  if (m_linked.size() == most_linked) m_linked.erase(m_linked.begin());
  m_linked.push_back({std::string(static_cast<const char*>(image), size), std::move(code)});
}

void LoadedCode::link_ends(CUlinkState link) { m_links.erase(link); }

}  // namespace warplens::relay

// Code that a program loads, as far as it is PTX: a launch can be run again from its text.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/dim3.h"
#include "core/program/program.h"
#include "core/ptx/tree.h"
#include "cuda/stand_in/driver/api.h"

namespace warplens::relay {

struct Code {
  std::string ptx;              // empty: it came only as machine code
  uint32_t max_registers = 0;   // of a thread, as the program asked; 0: no limit
  bool binds_textures = false;  // to names of the module
  // Null if there is no text, or one that we cannot read. It is parsed when it is first needed.
  std::shared_ptr<const ptx::Module> tree();

 private:
  std::shared_ptr<const ptx::Module> m_tree;
  bool m_parsed = false;
};

// A launch that programs of CUDA 3 and PyCUDA build with a call for each part.
struct OldLaunch {
  Dim3 block{1, 1, 1};
  uint32_t shared_bytes = 0;
  std::vector<std::byte> parameters;
};

// A kernel of a module or of a library.
struct Function {
  std::shared_ptr<Code> code;  // null: it is not known where it comes from
  CUmodule module = nullptr;
  CUlibrary library = nullptr;
  std::string entry, name;                      // mangled; as people read it
  const ptx::Function* entry_of_ptx = nullptr;  // null: there is no text
  uint64_t launches = 0;
  std::string source_file;  // of its first line; empty: its text names none
  uint32_t source_line = 0;
  OldLaunch old_launch;
};

// Where each parameter begins in the bytes of all (PTX ISA 5.1.6: each at its alignment), and how many there
// are.
struct ParameterLayout {
  std::vector<uint32_t> offsets;
  uint32_t bytes = 0;
};
ParameterLayout layout_of(const ptx::Function& entry);

// What the program has loaded and linked, by handle.
class LoadedCode {
 public:
  void loaded(CUmodule module, std::shared_ptr<Code> code);
  void loaded(CUlibrary library, std::shared_ptr<Code> code);
  void binds_textures(CUmodule module);
  void unloaded(CUmodule module);
  void unloaded(CUlibrary library);
  void named(const void* function, CUmodule module, CUlibrary library, std::string_view entry);
  // The code of a library in the current context.
  void given(CUmodule module, CUlibrary library);
  // A function or a kernel that was launched. If we did not see the program look it up, the driver is asked.
  Function& function_of(const void* handle);
  // Makes the next launch of each kernel count as its first.
  void forget_launches();

  // The image of a module or a library: its text, or machine code that was linked out of texts.
  std::shared_ptr<Code> code_of(const void* image, uint32_t max_registers) const;
  void link_begins(CUlinkState link, uint32_t max_registers);
  void link_takes(CUlinkState link, std::string_view name, const void* bytes, size_t size);
  void link_is_done(CUlinkState link, const void* image, size_t size);
  void link_ends(CUlinkState link);

 private:
  struct Link {
    std::vector<std::pair<std::string, std::string>> parts;  // name, text
    bool whole = true;                                       // all that was added has a text
    uint32_t max_registers = 0;
  };
  struct Linked {
    std::string image;
    std::shared_ptr<Code> code;
  };
  std::unordered_map<CUmodule, std::shared_ptr<Code>> m_modules;
  std::unordered_map<CUlibrary, std::shared_ptr<Code>> m_libraries;
  std::unordered_map<const void*, Function> m_functions;
  std::unordered_map<CUlinkState, Link> m_links;
  std::vector<Linked> m_linked;  // the last ones
};

// CU_JIT_MAX_REGISTERS; 0: not asked for.
uint32_t max_registers_of(unsigned count, const CUjit_option* options, void* const* values);

}  // namespace warplens::relay

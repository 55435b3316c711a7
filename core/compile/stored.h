// Compiled and assembled results of known sources, for a program without compiler and assembler, such as a
// page in a browser. `warplens precompile` writes the file; compile_cuda() and resources_of() use it when all
// else is missing (docs/web.md).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/compile/compiler.h"

namespace warplens {

struct StoredCompilation {
  ComputeCapability architecture;  // that it was compiled for
  std::string name;                // of the source, in the PTX
  bool ok = false;
  std::string ptx, log;
};

struct StoredCode {
  std::map<uint64_t, std::vector<StoredCompilation>> compilations;  // by source and options
  std::map<uint64_t, Resources> resources;                          // by PTX, entry, device and options
};

uint64_t stored_key(std::string_view source, const CompileOptions& options);
uint64_t stored_key(std::string_view ptx, std::string_view entry, ComputeCapability architecture,
                    const AssemblyOptions& options);

std::string stored_text(const StoredCode& code);
// A text of another version is refused.
Result<StoredCode> parse_stored(std::string_view text);

// The code from the file that WARPLENS_COMPILED names, or from the cache folder. Null if there is none.
const StoredCode* stored_code();
bool is_stored_code_there();  // without reading it

// The newest one that the architecture can run. Empty if there is none.
std::optional<Compilation> stored_compilation(const StoredCode& code, std::string_view source,
                                              std::string_view name, const CompileOptions& options);
std::optional<Resources> stored_resources(const StoredCode& code, std::string_view ptx,
                                          std::string_view entry, ComputeCapability architecture,
                                          const AssemblyOptions& options);

}  // namespace warplens

// What a compiler and an assembler made of known sources, for a program that has neither, such as a page in a
// browser: `warplens precompile` writes the file, and compile_cuda() and resources_of() look there when all
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
// What is of another version is refused.
Result<StoredCode> parse_stored(std::string_view text);

// Of the file that WARPLENS_COMPILED names, or that lies in the folder of caches. Null while there is none.
const StoredCode* stored_code();
bool is_stored_code_there();  // without reading it

// The newest that the architecture runs. Empty: it is not there.
std::optional<Compilation> stored_compilation(const StoredCode& code, std::string_view source,
                                              std::string_view name, const CompileOptions& options);
std::optional<Resources> stored_resources(const StoredCode& code, std::string_view ptx,
                                          std::string_view entry, ComputeCapability architecture,
                                          const AssemblyOptions& options);

}  // namespace warplens

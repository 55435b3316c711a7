// Reads the messages of NVRTC and ptxas, which are written for people, into values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/diagnostic.h"

namespace warplens {

// NVRTC's log without its note that old architectures are deprecated. This program chooses them on purpose.
std::string without_deprecation_note(std::string_view log);

// Reads messages like "add.cu(4): error: identifier "q" is undefined", which are followed by the source line
// and a caret.
std::vector<Diagnostic> parse_nvrtc_log(std::string_view log);

// Reads messages like "ptxas application ptx input, line 112; error : Not a name of any known instruction".
std::vector<Diagnostic> parse_ptxas_errors(std::string_view log, std::string_view file);

// What `-verbose` prints about one entry. The text differs between versions, so any field may be empty.
struct PtxasInfo {
  std::optional<uint32_t> registers, stack_bytes, spill_store_bytes, spill_load_bytes, shared_bytes, barriers,
      parameter_bytes;  // parameter_bytes: cmem[0]
};
PtxasInfo parse_ptxas_info(std::string_view log, std::string_view entry);

}  // namespace warplens

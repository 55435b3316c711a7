// What NVRTC and ptxas write for people, read back into values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/diagnostic.h"

namespace warplens {

// NVRTC's log without its note that old architectures are deprecated: they are chosen on purpose.
std::string without_deprecation_note(std::string_view log);

// "add.cu(4): error: identifier "q" is undefined", the source line and a caret below it.
std::vector<Diagnostic> parse_nvrtc_log(std::string_view log);

// "ptxas application ptx input, line 112; error   : Not a name of any known instruction".
std::vector<Diagnostic> parse_ptxas_errors(std::string_view log, std::string_view file);

// What `-verbose` says of one entry. The text changes between versions, so every field may be absent.
struct PtxasInfo {
  std::optional<uint32_t> registers, stack_bytes, spill_store_bytes, spill_load_bytes, shared_bytes;
};
PtxasInfo parse_ptxas_info(std::string_view log, std::string_view entry);

}  // namespace warplens

// The directives at the head of a PTX text that decide which linkers and devices accept it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace warplens {

struct PtxHeader {
  uint32_t isa_major = 0, isa_minor = 0;  // .version 8.8
  uint32_t target = 0;                    // .target sm_90a → 90
  std::string target_suffix;  // "a": this architecture only; "f": its family; "": it and newer ones
};

// Empty if .version or .target is missing or malformed.
std::optional<PtxHeader> read_ptx_header(std::string_view ptx);

}  // namespace warplens

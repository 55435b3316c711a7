// Finds out from a kernel's PTX which parameters are addresses, what they point to, and which memory the
// kernel writes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/dtype.h"
#include "core/ptx/tree.h"

namespace warplens {

struct PtxParameter {
  std::string name;
  uint64_t bytes = 0;
  DType dtype = DType::i32;      // as a scalar of this width
  bool pointer = false;          // a load, store or atomic goes through it
  std::optional<DType> element;  // the type of the widest access; empty if there is none, or it has no type
  uint32_t components = 1;       // of a vector access
  bool read = false, written = false;
};

// Follows each 64-bit parameter through address arithmetic to the memory accesses. It ignores control flow.
// An address made of two parameters counts for both.
std::vector<PtxParameter> ptx_parameters(const ptx::Function& entry);

}  // namespace warplens

// "x = blockIdx.x * blockDim.x + threadIdx.x" with one thread's numbers put in and worked out.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/dim3.h"
#include "core/kernels/catalogue.h"
#include "core/launch/launch_request.h"

namespace warplens {

struct FormulaLine {
  std::string line;          // as the kernel's description has it
  std::string with_numbers;  // "19 * 16 + 4"; empty where a name is unknown
  std::optional<int64_t> value;
  // "x = blockIdx.x * blockDim.x + threadIdx.x = 19 * 16 + 4 = 308"
  std::string whole() const;
};

struct ThreadPlace {
  Dim3 grid, block;          // extents
  Dim3 block_at, thread_at;  // positions
};

// Integers as C has them: / and % truncate, names of earlier lines are known to later ones. `scalars`:
// further names (the kernel's arguments). A line that is no such formula is kept without numbers.
std::vector<FormulaLine> fill_formula(const std::vector<std::string>& lines, const ThreadPlace& place,
                                      const std::map<std::string, int64_t>& scalars);

// The integer arguments of the first launch by name. `kernel` null: none.
std::map<std::string, int64_t> scalar_names(const KernelDescription* kernel, const LaunchRequest& request);

}  // namespace warplens

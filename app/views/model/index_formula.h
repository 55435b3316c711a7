// The index formula "x = blockIdx.x * blockDim.x + threadIdx.x", evaluated with the numbers of one thread.
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
  std::string line;          // as in the kernel's description
  std::string with_numbers;  // "19 * 16 + 4"; empty if a name is unknown
  std::optional<int64_t> value;
  // "x = blockIdx.x * blockDim.x + threadIdx.x = 19 * 16 + 4 = 308"
  std::string whole() const;
};

struct ThreadPlace {
  Dim3 grid, block;          // extents
  Dim3 block_at, thread_at;  // positions
};

// Evaluates with integers as in C: / and % truncate. A line can use the names of earlier lines and those in
// `scalars` (the kernel's arguments). A line that is not such a formula is kept without numbers.
std::vector<FormulaLine> fill_formula(const std::vector<std::string>& lines, const ThreadPlace& place,
                                      const std::map<std::string, int64_t>& scalars);

// The integer arguments of the first launch by name. Empty if `kernel` is null.
std::map<std::string, int64_t> scalar_names(const KernelDescription* kernel, const LaunchRequest& request);

}  // namespace warplens

// The numbers of one setup: every scalar by name, checked against its range.
#pragma once

#include "core/kernels/catalogue.h"
#include "core/kernels/expression.h"

namespace warplens {

constexpr uint64_t largest_extent = UINT32_MAX;  // of an axis

struct Evaluated {
  Names names;  // arguments, settings, block_x…, grid_x…, image_width and image_height
  std::shared_ptr<const Image> image;  // null where no argument is filled with one
};

// Names that expressions may use besides arguments and settings.
bool is_reserved_name(std::string_view name);
// Which of them this kernel has: those of the picture only where an argument is filled with one.
Names reserved_names(const KernelDescription& kernel, const KernelSetup& setup, const Image* image);

// grid_x, grid_y, grid_z, for what is sized by the grid: neither the problem nor a scalar can be.
void add_grid_names(Names& names, Dim3 grid);

// Errors: unknown names, values outside their range, NaN, fractions for integers, a picture that cannot be
// read.
Result<Evaluated> evaluate_setup(const KernelDescription& kernel, const KernelSetup& setup);

// A size: a whole number from 0 to `maximum`. `what` names it in the error: "the width of gray".
Result<uint64_t> evaluate_size(std::string_view expression, const Evaluated& evaluated, uint64_t maximum,
                               std::string_view what);

}  // namespace warplens

// The numbers of one setup: every scalar by name, checked against its range.
#pragma once

#include "core/kernels/catalogue.h"
#include "core/kernels/formula.h"

namespace warplens {

constexpr uint64_t largest_extent = UINT32_MAX;  // of an axis

struct Evaluated {
  Names names;  // arguments, settings, block_x…, grid_x…, image_width and image_height
  std::shared_ptr<const Image> image;  // null if no argument is filled with one
};

// Names that expressions may use besides arguments and settings.
bool is_reserved_name(std::string_view name);
// The reserved names that this kernel has, with their values. The picture's names are there only if an
// argument is filled with a picture.
Names reserved_names(const KernelDescription& kernel, const KernelSetup& setup, const Image* image);

// Adds grid_x, grid_y and grid_z, for buffers whose size depends on the grid. The problem and the scalars
// cannot use them.
void add_grid_names(Names& names, Dim3 grid);

// These are errors: unknown names, values outside their range, NaN, fractions for integers, a picture that
// cannot be read.
Result<Evaluated> evaluate_setup(const KernelDescription& kernel, const KernelSetup& setup);

// Evaluates a size: a whole number from 0 to `maximum`. `what` names it in the error: "the width of gray".
Result<uint64_t> evaluate_size(std::string_view expression, const Evaluated& evaluated, uint64_t maximum,
                               std::string_view what);

}  // namespace warplens

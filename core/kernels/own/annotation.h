// The comment in a CUDA source that gives a kernel its data (docs/own-kernels.md):
//
//   // warplens: x=float32[n] random(1), out=float32[n] zero, n=10000, grid=ceil(n/256), block=256
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/diagnostic.h"
#include "core/base/dim3.h"
#include "core/kernels/catalogue.h"

namespace warplens {

// An expression and its place, for messages.
struct PlacedText {
  std::string text;
  TextPosition place;
  bool empty() const { return text.empty(); }
};

struct AnnotatedArgument {
  std::string name;
  TextPosition place;
  bool is_buffer = false;
  // Buffers.
  DType dtype = DType::f32;
  std::vector<PlacedText> extents;  // width, height, channels
  std::string formula;              // Fill::formula
  std::optional<Fill> fill;         // empty if the kernel's signature decides
  double low = 0, high = 1;
  uint64_t seed = 1;
  std::optional<bool> output;
  // For numbers: a value, which may have a range; or an expression.
  std::optional<double> value;
  std::optional<std::pair<double, double>> range;
  PlacedText expression;
};

struct Annotation {
  bool found = false;  // there is such a comment
  std::vector<AnnotatedArgument> arguments;
  std::array<PlacedText, 3> grid, threads;  // number of blocks, or of threads needed; at most one is given
  std::optional<Dim3> block;
  std::optional<uint32_t> picture_channels;  // image=rgb8
  TextPosition picture_place;
  std::vector<Diagnostic> diagnostics;  // what is wrong, each with line, column and what to write
};

// Reads every such comment whose line begins in [begin, end) of the source. It never fails: wrong entries
// are left out and reported in the diagnostics.
Annotation parse_annotation(std::string_view source, std::string_view file, size_t begin, size_t end);

// Whether there is such a comment in this part of the source.
bool has_annotation(std::string_view source, size_t begin, size_t end);

// The comment that describes this kernel. Its lines have at most about 100 characters and all end in a line
// break. Reading it gives the same arguments, sizes and block.
std::string annotation_text(const KernelDescription& kernel);

// The channels of a format: 1, 3, 4 for "gray8", "rgb8", "rgba8". Empty if there is no such format.
std::optional<uint32_t> picture_format(std::string_view name);

}  // namespace warplens

// CUDA C++ programs: texts that contain host functions as well as kernels.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace warplens {

// The line of a function `main`, counted from 1; empty if the text has none.
std::optional<uint32_t> main_line(std::string_view source);

// The text for a compiler that knows only device code. Spaces replace functions with a body that are neither
// __global__ nor __device__ nor constexpr. So offsets and lines stay the same.
std::string without_host_code(std::string_view source);

// Whether the kernel whose __global__ is at this offset is a template.
bool is_template_at(std::string_view source, size_t offset);

}  // namespace warplens

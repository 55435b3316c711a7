// Programs in CUDA C++: texts with functions for the host beside their kernels.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace warplens {

// The line of a function `main`, counted from 1; empty where the text has none.
std::optional<uint32_t> main_line(std::string_view source);

// The text for a compiler that knows device code alone. Spaces stand in place of functions with a body that
// are neither
// __global__ nor __device__ nor constexpr, and of the headers of the host: offsets and lines stay the same.
std::string without_host_code(std::string_view source);
// Without the headers of the host alone.
std::string without_host_headers(std::string_view source);

// Whether the kernel whose __global__ stands at this offset is a template.
bool is_template_at(std::string_view source, size_t offset);

}  // namespace warplens

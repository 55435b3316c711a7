// The arrays of a recorded launch as the program declares them: their names, element types and shapes.
#pragma once

#include <string_view>
#include <vector>

#include "core/launch/launch_request.h"

namespace warplens {

// Of a Numba kernel: its mangled name says which parameters together are one array, of which type and shape.
void name_numba_arrays(const LaunchStep& step, std::vector<BufferSpec>& buffers);

// What is known of a kernel's code.
struct KernelTexts {
  std::string_view source;  // the text with the kernel; empty if it is not known
  std::string_view ptx;
};

// An array that a pointer parameter has the address of gets the type that the pointer is to, and, if its
// source is known, the parameter's name. Without source, the type is that of the mangled name, or else that
// of all accesses to global memory in the PTX, if they have a single one: whole numbers count as signed.
// Arrays that do not consist of such elements stay bytes.
void name_source_arrays(const LaunchStep& step, const KernelTexts& texts, std::vector<BufferSpec>& buffers);

}  // namespace warplens

// The address space of the virtual GPU.
#pragma once

#include <cstdint>

namespace warplens::program {

// The 64-bit generic address space. Global addresses are their own generic addresses; shared and local memory
// appear in windows (PTX ISA 6.4.1).
constexpr uint64_t shared_window = 0x1'0000'0000;
constexpr uint64_t local_window = 0x2'0000'0000;
constexpr uint64_t parameter_window = 0x3'0000'0000;  // of the kernel
constexpr uint64_t constant_window = 0x4'0000'0000;   // module variables in .const
constexpr uint64_t window_bytes = 0x1'0000'0000;
constexpr uint64_t code_base = 0xe'0000'0000;    // the addresses of functions; nothing can be read there
constexpr uint64_t module_base = 0xf'0000'0000;  // module variables
constexpr uint64_t heap_base = 0x10'0000'0000;   // buffers
constexpr uint64_t kernel_heap_base = 0x4000'0000'0000;  // memory that kernels get from malloc
// Above it are pages of the host that kernels may use, at the host's own addresses.
constexpr uint64_t kernel_heap_end = 0x5000'0000'0000;
constexpr uint64_t kernel_heap_bytes = uint64_t{8} << 20;  // CUDA's default, cudaLimitMallocHeapSize
constexpr uint64_t guard_bytes = 4096;

// The addresses of textures over arrays in the cache model. No allocation is there.
constexpr uint64_t texture_window = uint64_t{1} << 57;
constexpr uint64_t texture_window_step = uint64_t{1} << 40;

}  // namespace warplens::program

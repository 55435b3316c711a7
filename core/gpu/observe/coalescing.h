// How many 32-byte sectors a warp's global access touches, and how many shared-memory wavefronts it takes.
// Nsight Compute: l1tex__t_sectors_pipe_lsu_mem_global_op_*, l1tex__data_pipe_lsu_wavefronts_mem_shared_op_*.
#pragma once

#include <cstdint>

namespace warplens::observe {

constexpr uint64_t sector_bytes = 32;
constexpr uint32_t shared_banks = 32;
constexpr uint32_t bank_bytes = 4;

struct Sectors {
  uint32_t touched = 0;
  uint32_t ideal = 0;  // ceil(distinct bytes asked for / 32)
};

// Addresses of the lanes in the mask; each lane accesses `bytes` bytes, aligned to their number (at most 16).
Sectors sectors_of(const uint64_t* addresses, uint32_t mask, uint32_t bytes);

struct Wavefronts {
  uint32_t count = 0;      // passes over the banks that the access takes
  uint32_t conflicts = 0;  // those beyond what its size needs
};

// Offsets in shared memory. Lanes that read the same 4-byte word share it. Accesses of 8 and 16 bytes a lane
// go in halves and quarters of the warp; loads in which no two neighbours (lanes 2n and 2n+1) want different
// data go two of these at a time, as the H200 does.
Wavefronts wavefronts_of(const uint64_t* offsets, uint32_t mask, uint32_t bytes, bool load);

// ldmatrix and stmatrix: lane l has the offset of row l % 8 of matrix l / 8, and a row has 16 bytes. Each
// matrix takes a pass of its own.
Wavefronts matrix_wavefronts(const uint64_t* offsets, uint32_t matrices);

// cp.async, whose data go from a cache line to shared memory: the slower of both ends counts, and a line's
// word goes to one lane at a time. `bypass` (cp.async.cg): a quarter of the warp goes together where it
// copies from one line of 128 bytes to another, else lane by lane, which counts as no conflict. As recorded
// on the H200.
Wavefronts copy_wavefronts(const uint64_t* sources, const uint64_t* offsets, uint32_t mask, uint32_t bytes,
                           bool bypass);

}  // namespace warplens::observe

// The number of 32-byte sectors that a warp's access to global memory touches, and of wavefronts that its
// access to shared memory takes. In Nsight Compute: l1tex__t_sectors_pipe_lsu_mem_global_op_*,
// l1tex__data_pipe_lsu_wavefronts_mem_shared_op_*.
#pragma once

#include <cstdint>

namespace warplens::observe {

constexpr uint64_t sector_bytes = 32;
constexpr uint32_t shared_banks = 32;
constexpr uint32_t bank_bytes = 4;

struct Sectors {
  uint32_t touched = 0;
  uint32_t ideal = 0;  // ceil(distinct requested bytes / 32)
  uint32_t lines = 0;  // of 128 bytes
};

// `addresses` are those of the lanes in the mask. Each lane accesses `bytes` bytes (at most 16), aligned to
// that size.
Sectors sectors_of(const uint64_t* addresses, uint32_t mask, uint32_t bytes);

// The sectors of an access to local memory, whose words of lanes 0 to 31 are next to each other. Each lane's
// address counts from the start of its own memory. A wide access touches its words one after the other.
// Lines are not counted.
Sectors sectors_of_local(const uint64_t* addresses, uint32_t mask, uint32_t bytes);

// The sectors of 32 lanes that access `bytes` bytes each, at consecutive addresses from `first` on.
inline Sectors sectors_of_row(uint64_t first, uint32_t bytes) {
  const uint64_t last = first + uint64_t{32} * bytes - 1;
  return {static_cast<uint32_t>((last >> 5) - (first >> 5) + 1), bytes,
          static_cast<uint32_t>((last >> 7) - (first >> 7) + 1)};
}

struct Wavefronts {
  uint32_t count = 0;      // passes over the banks for this access
  uint32_t conflicts = 0;  // passes beyond those that the size of the access needs
};

// `offsets` are in shared memory. Lanes that read the same 4-byte word share it. Accesses of 8 and 16 bytes
// per lane are made for a half and a quarter of the warp at a time. Loads in which no two neighbours (lanes
// 2n and 2n+1) read different data take two of these parts at a time, as on the H200.
Wavefronts wavefronts_of(const uint64_t* offsets, uint32_t mask, uint32_t bytes, bool load);

// For atomics: lanes do not share a word.
Wavefronts atomic_wavefronts(const uint64_t* offsets, uint32_t mask, uint32_t bytes);

// For ldmatrix and stmatrix. Lane l has the offset of row l % 8 of matrix l / 8; a row has 16 bytes. Each
// matrix takes a pass of its own.
Wavefronts matrix_wavefronts(const uint64_t* offsets, uint32_t matrices);

// For cp.async, which copies from a cache line to shared memory. The slower of both ends counts, and a word
// of a line goes to one lane at a time. With `bypass` (cp.async.cg), a quarter of the warp copies at once if
// it copies from one line of 128 bytes to another; otherwise it copies lane by lane, which is not counted as
// a conflict. If several lanes copy to the same place, only one of them does it. As measured on the H200.
Wavefronts copy_wavefronts(const uint64_t* sources, const uint64_t* offsets, uint32_t mask, uint32_t bytes,
                           bool bypass);
// The sectors of global memory that the copy requests. With `bypass`, each lane that copies by itself
// requests its own sector.
uint32_t copy_sectors(const uint64_t* sources, const uint64_t* offsets, uint32_t mask, uint32_t bytes,
                      bool bypass);

}  // namespace warplens::observe

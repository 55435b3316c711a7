// Votes, shuffles, matches and sums of a warp: CUDA C++ Programming Guide, "Warp Vote Functions", "Warp Match
// Functions", "Warp Reduce Functions", "Warp Shuffle Functions".
#pragma once

WARPLENS_DEVICE void __syncwarp(unsigned int mask = 0xffffffffu) {
  asm volatile("bar.warp.sync %0;" : : "r"(mask) : "memory");
}
WARPLENS_DEVICE unsigned int __activemask() {
  unsigned int mask;
  asm volatile("activemask.b32 %0;" : "=r"(mask));
  return mask;
}
WARPLENS_DEVICE unsigned int __ballot_sync(unsigned int mask, int holds) {
  unsigned int lanes;
  asm volatile("{ .reg .pred p; setp.ne.s32 p, %1, 0; vote.sync.ballot.b32 %0, p, %2; }"
               : "=r"(lanes)
               : "r"(holds), "r"(mask)
               : "memory");
  return lanes;
}
#define WARPLENS_VOTE(NAME, MODE)                                           \
  WARPLENS_DEVICE int NAME(unsigned int mask, int holds) {                  \
    int result;                                                             \
    asm volatile("{ .reg .pred p, q; setp.ne.s32 p, %1, 0; vote.sync." MODE \
                 ".pred q, p, %2; selp.s32 %0, 1, 0, q; }"                  \
                 : "=r"(result)                                             \
                 : "r"(holds), "r"(mask)                                    \
                 : "memory");                                               \
    return result;                                                          \
  }
WARPLENS_VOTE(__all_sync, "all")
WARPLENS_VOTE(__any_sync, "any")
WARPLENS_VOTE(__uni_sync, "uni")
#undef WARPLENS_VOTE

// c of PTX's shfl: the mask of the segment above, the clamp below (PTX ISA, "shfl.sync").
WARPLENS_DEVICE int warplens_segment(int width, int clamp) { return (32 - width) << 8 | clamp; }
#define WARPLENS_SHUFFLE_BITS(MODE)                                                                       \
  WARPLENS_DEVICE unsigned int warplens_shuffle_##MODE(unsigned int mask, unsigned int value, int by,     \
                                                       int c) {                                           \
    unsigned int result;                                                                                  \
    asm volatile("shfl.sync." #MODE ".b32 %0, %1, %2, %3, %4;"                                            \
                 : "=r"(result)                                                                           \
                 : "r"(value), "r"(by), "r"(c), "r"(mask)                                                 \
                 : "memory");                                                                             \
    return result;                                                                                        \
  }                                                                                                       \
  WARPLENS_DEVICE unsigned long long warplens_shuffle_##MODE(unsigned int mask, unsigned long long value, \
                                                             int by, int c) {                             \
    const unsigned int low = warplens_shuffle_##MODE(mask, (unsigned int)(value), by, c);                 \
    const unsigned int high = warplens_shuffle_##MODE(mask, (unsigned int)(value >> 32), by, c);          \
    return (unsigned long long)(high) << 32 | low;                                                        \
  }
WARPLENS_SHUFFLE_BITS(idx)
WARPLENS_SHUFFLE_BITS(up)
WARPLENS_SHUFFLE_BITS(down)
WARPLENS_SHUFFLE_BITS(bfly)
#undef WARPLENS_SHUFFLE_BITS
#define WARPLENS_SHUFFLE(NAME, MODE, CLAMP, BY, TYPE, BITS)                                                 \
  WARPLENS_DEVICE TYPE NAME(unsigned int mask, TYPE value, BY by, int width = 32) {                         \
    return __builtin_bit_cast(TYPE, warplens_shuffle_##MODE(mask, __builtin_bit_cast(BITS, value), int(by), \
                                                            warplens_segment(width, CLAMP)));               \
  }
#define WARPLENS_SHUFFLES(NAME, MODE, CLAMP, BY)                                  \
  WARPLENS_SHUFFLE(NAME, MODE, CLAMP, BY, int, unsigned int)                      \
  WARPLENS_SHUFFLE(NAME, MODE, CLAMP, BY, unsigned int, unsigned int)             \
  WARPLENS_SHUFFLE(NAME, MODE, CLAMP, BY, float, unsigned int)                    \
  WARPLENS_SHUFFLE(NAME, MODE, CLAMP, BY, long, unsigned long long)               \
  WARPLENS_SHUFFLE(NAME, MODE, CLAMP, BY, unsigned long, unsigned long long)      \
  WARPLENS_SHUFFLE(NAME, MODE, CLAMP, BY, long long, unsigned long long)          \
  WARPLENS_SHUFFLE(NAME, MODE, CLAMP, BY, unsigned long long, unsigned long long) \
  WARPLENS_SHUFFLE(NAME, MODE, CLAMP, BY, double, unsigned long long)
WARPLENS_SHUFFLES(__shfl_sync, idx, 0x1f, int)
WARPLENS_SHUFFLES(__shfl_up_sync, up, 0, unsigned int)
WARPLENS_SHUFFLES(__shfl_down_sync, down, 0x1f, unsigned int)
WARPLENS_SHUFFLES(__shfl_xor_sync, bfly, 0x1f, int)
#undef WARPLENS_SHUFFLES
#undef WARPLENS_SHUFFLE

#if WARPLENS_ARCH >= 700
#define WARPLENS_MATCH(TYPE, BITS, KIND, REGISTER)                                               \
  WARPLENS_DEVICE unsigned int __match_any_sync(unsigned int mask, TYPE value) {                 \
    unsigned int lanes;                                                                          \
    asm volatile("match.any.sync." KIND " %0, %1, %2;"                                           \
                 : "=r"(lanes)                                                                   \
                 : REGISTER(__builtin_bit_cast(BITS, value)), "r"(mask)                          \
                 : "memory");                                                                    \
    return lanes;                                                                                \
  }                                                                                              \
  WARPLENS_DEVICE unsigned int __match_all_sync(unsigned int mask, TYPE value, int* all) {       \
    unsigned int lanes;                                                                          \
    asm volatile("{ .reg .pred p; match.all.sync." KIND " %0|p, %2, %3; selp.s32 %1, 1, 0, p; }" \
                 : "=r"(lanes), "=r"(*all)                                                       \
                 : REGISTER(__builtin_bit_cast(BITS, value)), "r"(mask)                          \
                 : "memory");                                                                    \
    return lanes;                                                                                \
  }
WARPLENS_MATCH(int, unsigned int, "b32", "r")
WARPLENS_MATCH(unsigned int, unsigned int, "b32", "r")
WARPLENS_MATCH(float, unsigned int, "b32", "r")
WARPLENS_MATCH(long long, unsigned long long, "b64", "l")
WARPLENS_MATCH(unsigned long long, unsigned long long, "b64", "l")
WARPLENS_MATCH(double, unsigned long long, "b64", "l")
#undef WARPLENS_MATCH
#endif
#if WARPLENS_ARCH >= 800
#define WARPLENS_REDUCE(NAME, TYPE, OP)                                                              \
  WARPLENS_DEVICE TYPE NAME(unsigned int mask, TYPE value) {                                         \
    TYPE result;                                                                                     \
    asm volatile("redux.sync." OP " %0, %1, %2;" : "=r"(result) : "r"(value), "r"(mask) : "memory"); \
    return result;                                                                                   \
  }
WARPLENS_REDUCE(__reduce_add_sync, int, "add.s32")
WARPLENS_REDUCE(__reduce_add_sync, unsigned int, "add.u32")
WARPLENS_REDUCE(__reduce_min_sync, int, "min.s32")
WARPLENS_REDUCE(__reduce_min_sync, unsigned int, "min.u32")
WARPLENS_REDUCE(__reduce_max_sync, int, "max.s32")
WARPLENS_REDUCE(__reduce_max_sync, unsigned int, "max.u32")
WARPLENS_REDUCE(__reduce_and_sync, unsigned int, "and.b32")
WARPLENS_REDUCE(__reduce_or_sync, unsigned int, "or.b32")
WARPLENS_REDUCE(__reduce_xor_sync, unsigned int, "xor.b32")
#undef WARPLENS_REDUCE
#endif

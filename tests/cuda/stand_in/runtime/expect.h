// Assertions of the programs in tests/cuda/stand_in/runtime. They are counted, and each failed one prints its
// line.
#pragma once

#include <cstdio>

inline int expected = 0, failed = 0;

#define EXPECT(condition)                                                 \
  do {                                                                    \
    ++expected;                                                           \
    if (!(condition)) {                                                   \
      ++failed;                                                           \
      std::printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
    }                                                                     \
  } while (false)

#define EXPECT_CODE(call, code)                                                                             \
  do {                                                                                                      \
    ++expected;                                                                                             \
    const cudaError_t is_ = (call);                                                                         \
    if (is_ != (code)) {                                                                                    \
      ++failed;                                                                                             \
      std::printf("%s:%d: %s gives %s, not %s\n", __FILE__, __LINE__, #call, cudaGetErrorName(is_), #code); \
    }                                                                                                       \
  } while (false)

#define EXPECT_OK(call) EXPECT_CODE(call, cudaSuccess)

inline int result() {
  std::printf("%d of %d hold\n", expected - failed, expected);
  return failed == 0 && expected > 0 ? 0 : 1;
}

#include "parts.h"

__device__ int shift = 100;
__device__ int twice(int x) { return 2 * x; }

// How many points of the unit square lie within the quarter of a circle: the second half of estimating pi
// with cuRAND, whose numbers are the points. Not in the catalogue, since its input is the library's.

extern "C" __global__ void count_inside(const float2* points, unsigned long long n,
                                        unsigned long long* total) {
  unsigned long long first = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x;
  unsigned long long step = gridDim.x * (unsigned long long)blockDim.x;
  unsigned inside = 0;
  for (unsigned long long i = first; i < n; i += step) {
    float2 point = points[i];
    inside += fmaf(point.x, point.x, point.y * point.y) <= 1.f;
  }
  inside += __shfl_down_sync(~0u, inside, 16);
  inside += __shfl_down_sync(~0u, inside, 8);
  inside += __shfl_down_sync(~0u, inside, 4);
  inside += __shfl_down_sync(~0u, inside, 2);
  inside += __shfl_down_sync(~0u, inside, 1);
  if (threadIdx.x % 32 == 0) atomicAdd(total, inside);
}

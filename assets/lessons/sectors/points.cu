// warplens: points=float32[4 * n] index, out=float32[n] zero, n=1024, block=256, grid=ceil(n/256)
// A point has x, y, z and a weight. Four floats, one point after the other: an array of structures.
extern "C" __global__ void points_together(const float* points, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = points[4 * i];
}
// warplens: points=float32[4 * n] index, out=float32[n] zero, n=1024, block=256, grid=ceil(n/256)
// First all x, then all y, then all z, then all weights: a structure of arrays.
extern "C" __global__ void points_apart(const float* points, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = points[i];
}

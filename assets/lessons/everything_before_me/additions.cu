// Two scans of 256 numbers in a block, and how many additions they make. way 0: in rounds; 1: up and down a tree.
// warplens: x=int32[256] formula(1), out=int32[256] zero, additions=int32[1] zero, way=1 in 0..1, block=256, grid=1
extern "C" __global__ void scans(const int* x, int* out, int* additions, int way) {
  __shared__ int values[256];
  int i = threadIdx.x, count = 0;
  values[i] = x[i];
  __syncthreads();
  if (way == 0) {
    for (int distance = 1; distance < 256; distance *= 2) {
      int other = i >= distance ? values[i - distance] : 0;
      __syncthreads();
      if (i >= distance) {
        values[i] += other;
        ++count;
      }
      __syncthreads();
    }
  } else {
    for (int step = 1; step < 256; step *= 2) {  // up: sums of pairs, of fours, of eights, …
      int right = 2 * step * (i + 1) - 1;
      if (right < 256) {
        values[right] += values[right - step];
        ++count;
      }
      __syncthreads();
    }
    for (int step = 64; step > 0; step /= 2) {  // down: what lies before goes to those in between
      int middle = 2 * step * (i + 1) - 1 + step;
      if (middle < 256) {
        values[middle] += values[middle - step];
        ++count;
      }
      __syncthreads();
    }
  }
  out[i] = values[i];
  if (count > 0) atomicAdd(additions, count);
}

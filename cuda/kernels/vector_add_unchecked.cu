// vector_add without its check. Wrong, unless the number of elements is a multiple of the block size:
// the last block's surplus threads read and write past the end of the arrays.

extern "C" __global__ void vector_add_unchecked(const float* x, const float* y, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = x[i] + y[i];
}

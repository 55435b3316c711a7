// It divides by the factor it should multiply by.
// Every thread stores its pair in shared memory, and one warp combines them.
extern "C" __global__ void softmax(const float* x, float* out, int rows, int columns) {
  __shared__ float highs[256], sums[256], result[2];
  const int t = threadIdx.x;
  const float* row = x + blockIdx.x * columns;
  float high = -3e38f, sum = 0;
  for (int c = t; c < columns; c += blockDim.x) {
    float value = row[c];
    if (value > high) {
      sum *= high > -1e38f ? expf(value - high) : 0;
      high = value;
    }
    sum += expf(value - high);
  }
  highs[t] = high;
  sums[t] = sum;
  __syncthreads();
  if (t < 32) {
    float top = high;
    for (int k = t; k < blockDim.x; k += 32) top = fmaxf(top, highs[k]);
    for (int away = 1; away < 32; away *= 2) top = fmaxf(top, __shfl_xor_sync(0xffffffff, top, away));
    float total = 0;
    for (int k = t; k < blockDim.x; k += 32) total += sums[k] * expf(highs[k] - top);
    for (int away = 1; away < 32; away *= 2) total += __shfl_xor_sync(0xffffffff, total, away);
    if (t == 0) {
      result[0] = top;
      result[1] = 1 / total;
    }
  }
  __syncthreads();
  for (int c = t; c < columns; c += blockDim.x)
    out[blockIdx.x * columns + c] = expf(row[c] - result[0]) * result[1];
}

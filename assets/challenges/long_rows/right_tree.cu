extern "C" __global__ void softmax(const float* x, float* out, int rows, int columns) {
  __shared__ float highs[256], sums[256];
  int t = threadIdx.x;
  const float* row = x + blockIdx.x * columns;
  float high = -3e38f, sum = 0;
  for (int c = t; c < columns; c += blockDim.x) {
    float next = fmaxf(high, row[c]);
    sum = sum * expf(high - next) + expf(row[c] - next);
    high = next;
  }
  highs[t] = high;
  sums[t] = sum;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (t < half) {
      float next = fmaxf(highs[t], highs[t + half]);
      sums[t] = sums[t] * expf(highs[t] - next) + sums[t + half] * expf(highs[t + half] - next);
      highs[t] = next;
    }
    __syncthreads();
  }
  for (int c = t; c < columns; c += blockDim.x)
    out[blockIdx.x * columns + c] = expf(row[c] - highs[0]) / sums[0];
}

// It keeps the row in shared memory, where 4,096 columns fit.
extern "C" __global__ void softmax(const float* x, float* out, int rows, int columns) {
  __shared__ float tile[4096];  // where it keeps the row
  __shared__ float found[256];
  int t = threadIdx.x, held = min(columns, 4096);
  const float* row = x + blockIdx.x * columns;
  for (int c = t; c < held; c += blockDim.x) tile[c] = row[c];
  float largest = row[0];
  for (int c = t; c < held; c += blockDim.x) largest = fmaxf(largest, tile[c]);
  found[t] = largest;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (t < half) found[t] = fmaxf(found[t], found[t + half]);
    __syncthreads();
  }
  largest = found[0];
  __syncthreads();
  float sum = 0;
  for (int c = t; c < held; c += blockDim.x) sum += expf(tile[c] - largest);
  found[t] = sum;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (t < half) found[t] += found[t + half];
    __syncthreads();
  }
  for (int c = t; c < held; c += blockDim.x)
    out[blockIdx.x * columns + c] = expf(tile[c] - largest) / found[0];
}

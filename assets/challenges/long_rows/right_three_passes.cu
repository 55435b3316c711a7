extern "C" __global__ void softmax(const float* x, float* out, int rows, int columns) {
  __shared__ float found[256];
  int t = threadIdx.x;
  const float* row = x + blockIdx.x * columns;
  float largest = row[0];
  for (int c = t; c < columns; c += blockDim.x) largest = fmaxf(largest, row[c]);
  found[t] = largest;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (t < half) found[t] = fmaxf(found[t], found[t + half]);
    __syncthreads();
  }
  largest = found[0];
  __syncthreads();
  float sum = 0;
  for (int c = t; c < columns; c += blockDim.x) sum += expf(row[c] - largest);
  found[t] = sum;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (t < half) found[t] += found[t + half];
    __syncthreads();
  }
  for (int c = t; c < columns; c += blockDim.x)
    out[blockIdx.x * columns + c] = expf(row[c] - largest) / found[0];
}

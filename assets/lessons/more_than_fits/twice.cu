// warplens: x=float32[n] random(1), out=float32[1024] zero, back=0 in 0..1, n=262144 in 1024..2097152
// warplens: block=1024, grid=1
// Goes through x twice. The second time it goes forwards again or, with back = 1, from the end.
extern "C" __global__ void twice(const float* x, float* out, int back, int n) {
  float sum = 0.f;
  for (int i = threadIdx.x; i < n; i += blockDim.x) sum += __ldcg(&x[i]);
  for (int i = threadIdx.x; i < n; i += blockDim.x) sum += __ldcg(&x[back ? n - 1 - i : i]);
  out[threadIdx.x] = sum;
}

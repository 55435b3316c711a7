// block 32 1
// common
struct Pair {
  int first;
  double second;
};
__device__ void store(Pair& pair, int value) {
  int twice = value * 2;
  pair.first = twice;
}
extern "C" __global__ void k(int* out, const int* in, int n) {
  __shared__ int total;
  __shared__ Pair pair;
  __shared__ float scale;
  __shared__ bool ready;
  int i = threadIdx.x;
  if (i == 0) {
    total = 3;
    pair.first = 1;
    pair.second = 0.75;
    scale = 2.5f;
    ready = false;
  }
  __syncwarp();
  int own = in[i] + total;
  if (i == 7) {
    store(pair, own);
    ready = true;
  }
  __syncwarp();
  float scaled = own * scale;
  __syncwarp();
  if (i == 3) {
    total += own;
    pair.second *= 2;
  }
  __syncwarp();
  int result = static_cast<int>(scaled + pair.second) + pair.first + total + ready;
  out[i] = result;
}

// The last two threads of the block load the halo, through one pointer each.
extern "C" __global__ void bend(const int* x, int* out, int n) {
  __shared__ int memory[258];
  int* tile = memory + 1;  // so that tile[-1] is the left halo
  const int size = blockDim.x, t = threadIdx.x, first = blockIdx.x * size;
  const int mine = first + t;
  tile[t] = mine < n ? x[mine] : 0;
  const bool right_end = t == size - 1;
  if (t >= size - 2) {
    const int place = right_end ? size : -1;
    const int element = first + place;
    int value = 0;
    if (element >= 0 && element < n) value = x[element];
    tile[place] = value;
  }
  __syncthreads();
  if (mine < n) out[mine] = tile[t - 1] + tile[t + 1] - 2 * tile[t];
}

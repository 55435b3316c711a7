// pi_atomic_thread with one atomic a block: the threads add their hits to a counter in shared memory, where
// atomics are fast, and one thread adds that to the counter of the grid.

// A random number generator that needs no memory: Philox4x32-10 (Salmon, Moraes, Dror and Shaw, "Parallel
// random numbers: as easy as 1, 2, 3", 2011) turns a counter and a key into four numbers. Thread and turn are
// the counter.
__device__ uint4 philox(uint4 counter, uint2 key) {
  for (int round = 0; round < 10; ++round) {
    unsigned int low_x = 0xd2511f53u * counter.x, high_x = __umulhi(0xd2511f53u, counter.x);
    unsigned int low_z = 0xcd9e8d57u * counter.z, high_z = __umulhi(0xcd9e8d57u, counter.z);
    counter = make_uint4(high_z ^ counter.y ^ key.x, low_z, high_x ^ counter.w ^ key.y, low_x);
    key.x += 0x9e3779b9u;
    key.y += 0xbb67ae85u;
  }
  return counter;
}

// Is a random point of the unit square inside the quarter of a circle?
__device__ unsigned int is_inside(unsigned int a, unsigned int b) {
  float x = a * 0x1p-32f, y = b * 0x1p-32f;
  return fmaf(x, x, y * y) <= 1.f;
}

// How many of 2 * turns points of this thread are.
__device__ unsigned int hits_of(unsigned int thread, int turns, unsigned int seed) {
  unsigned int hits = 0;
  for (int turn = 0; turn < turns; ++turn) {
    uint4 random = philox(make_uint4(turn, thread, 0, 0), make_uint2(seed, 0));
    hits += is_inside(random.x, random.y) + is_inside(random.z, random.w);
  }
  return hits;
}

extern "C" __global__ void pi_atomic_block(unsigned int* total, int turns, unsigned int seed, int n) {
  __shared__ unsigned int of_block;
  if (threadIdx.x == 0) of_block = 0;
  __syncthreads();

  int thread = blockIdx.x * blockDim.x + threadIdx.x;
  if (thread < n) atomicAdd(&of_block, hits_of(thread, turns, seed));
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(total, of_block);
}

// Running sums: each block those of its part in shared memory, then the same for the blocks' sums, which are
// added.
#include "inputs.h"
#include "twin.h"

constexpr int threads = 256;

__global__ void scan_blocks(const uint32_t* from, uint32_t* to, uint32_t* sums, int n) {
  __shared__ uint32_t held[2][threads];
  const int t = threadIdx.x, i = blockIdx.x * threads + t;
  int now = 0;
  held[0][t] = i < n ? from[i] : 0;
  __syncthreads();
  for (int distance = 1; distance < threads; distance *= 2, now = 1 - now) {
    held[1 - now][t] = held[now][t] + (t >= distance ? held[now][t - distance] : 0);
    __syncthreads();
  }
  if (i < n) to[i] = held[now][t];
  if (t == threads - 1) sums[blockIdx.x] = held[now][t];
}

__global__ void add_before(uint32_t* to, const uint32_t* sums, int n) {
  const int i = (blockIdx.x + 1) * threads + threadIdx.x;
  if (i < n) to[i] += sums[blockIdx.x];
}

void scan(const uint32_t* from, uint32_t* to, const std::vector<uint32_t*>& sums, size_t level, int n) {
  const int blocks = (n + threads - 1) / threads;
  scan_blocks<<<blocks, threads>>>(from, to, sums[level], n);
  if (blocks == 1) return;
  scan(sums[level], sums[level], sums, level + 1, blocks);
  add_before<<<blocks - 1, threads>>>(to, sums[level], n);
}

int main(int argc, char** argv) {
  const int n = twin::size_from(argc, argv);
  uint32_t *from = twin::on_device(twin::integers(n, 1, 1000)), *to = twin::device_array<uint32_t>(n);
  std::vector<uint32_t*> sums;
  for (int left = n; sums.empty() || left > 1;) {
    left = (left + threads - 1) / threads;
    sums.push_back(twin::device_array<uint32_t>(left));
  }
  twin::measure([] {},
                [&] {
                  scan(from, to, sums, 0, n);
                  twin::wait();
                });
  twin::print_checksum(twin::to_host(to, n));
}

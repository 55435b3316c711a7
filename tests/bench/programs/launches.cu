// Many small launches, of 1 to 64 blocks: each smooths the beginning of an array.
#include "inputs.h"
#include "twin.h"

constexpr int threads = 256, most_blocks = 64;

__global__ void smooth(const float* from, float* to, int n) {
  const int i = blockIdx.x * threads + threadIdx.x;
  const float left = i > 0 ? from[i - 1] : 0, right = i < n - 1 ? from[i + 1] : 0;
  to[i] = 0.25f * left + 0.5f * from[i] + 0.25f * right;
}

int main(int argc, char** argv) {
  const int count = twin::size_from(argc, argv);
  const std::vector<float> start = twin::floats(most_blocks * threads, 1);
  float *from = twin::on_device(start), *to = twin::on_device(start);
  twin::measure([&] { twin::to_device(from, start), twin::to_device(to, start); },
                [&] {
                  for (int i = 0; i < count; ++i) {
                    const int blocks = 1 + i * 37 % most_blocks;
                    smooth<<<blocks, threads>>>(from, to, blocks * threads);
                    std::swap(from, to);
                  }
                  twin::wait();
                });
  twin::print_sums(twin::to_host(from, start.size()));
}

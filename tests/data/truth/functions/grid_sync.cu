// grid 6 block 64 words 384 cooperative
// Waves that go around the grid: each step reads what the neighbours wrote in the step before.
#include <cooperative_groups.h>
__global__ void run_cpp(unsigned* out) {}
extern "C" __global__ void run(unsigned* out) {
  cooperative_groups::grid_group grid = cooperative_groups::this_grid();
  unsigned all = grid.thread_rank(), size = grid.size();
  out[all] = all * all;
  for (int step = 0; step < 5; ++step) {
    grid.sync();
    unsigned left = out[(all + size - 65) % size], right = out[(all + 1) % size];
    grid.sync();
    out[all] = left * 3 + right + step;
  }
}

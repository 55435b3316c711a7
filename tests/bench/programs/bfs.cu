// The distance of each node of a graph from node 0, level by level: a thread for each node looks whether it
// is in the level.
#include "inputs.h"
#include "twin.h"

constexpr uint32_t unknown = 0xffffffff;

__global__ void next_level(const uint32_t* starts, const uint32_t* edges, uint32_t* levels, uint32_t nodes,
                           uint32_t level, int* goes_on) {
  const uint32_t node = blockIdx.x * blockDim.x + threadIdx.x;
  if (node >= nodes || levels[node] != level) return;
  for (uint32_t edge = starts[node]; edge < starts[node + 1]; ++edge) {
    const uint32_t other = edges[edge];
    if (levels[other] != unknown) continue;
    levels[other] = level + 1;  // all that write here write the same
    *goes_on = 1;
  }
}

int main(int argc, char** argv) {
  const uint32_t nodes = twin::size_from(argc, argv);
  const twin::Rows graph = twin::random_graph(nodes);
  uint32_t *starts = twin::on_device(graph.starts), *edges = twin::on_device(graph.columns);
  std::vector<uint32_t> start(nodes, unknown);
  start[0] = 0;
  uint32_t* levels = twin::on_device(start);
  int* goes_on = twin::device_array<int>(1);
  twin::measure([&] { twin::to_device(levels, start); },
                [&] {
                  int more = 1;
                  for (uint32_t level = 0; more != 0; ++level) {
                    twin::check(cudaMemset(goes_on, 0, sizeof *goes_on));
                    next_level<<<(nodes + 255) / 256, 256>>>(starts, edges, levels, nodes, level, goes_on);
                    twin::check(cudaMemcpy(&more, goes_on, sizeof more, cudaMemcpyDeviceToHost));
                  }
                  twin::wait();
                });
  twin::print_checksum(twin::to_host(levels, nodes));
}

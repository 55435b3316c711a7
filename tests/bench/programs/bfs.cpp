#include "inputs.h"
#include "twin.h"

constexpr uint32_t unknown = 0xffffffff;

namespace {

bool next_level(const uint32_t* starts, const uint32_t* edges, uint32_t* levels, uint32_t nodes,
                uint32_t level) {
  bool more = false;
#pragma omp parallel for reduction(|| : more) schedule(static, 4096)
  for (uint32_t node = 0; node < nodes; ++node) {
    if (levels[node] != level) continue;
    for (uint32_t edge = starts[node]; edge < starts[node + 1]; ++edge) {
      uint32_t& other = levels[edges[edge]];
      if (other != unknown) continue;
      other = level + 1;  // all that write here write the same
      more = true;
    }
  }
  return more;
}

}  // namespace

int main(int argc, char** argv) {
  const uint32_t nodes = twin::size_from(argc, argv);
  const twin::Rows graph = twin::random_graph(nodes);
  std::vector<uint32_t> levels;
  twin::measure([&] { levels.assign(nodes, unknown), levels[0] = 0; },
                [&] {
                  uint32_t level = 0;
                  while (next_level(graph.starts.data(), graph.columns.data(), levels.data(), nodes, level))
                    ++level;
                });
  twin::print_checksum(levels);
}

#include "inputs.h"
#include "twin.h"

constexpr int tile = 64, gap = 3;

namespace {

void tile_at(int* score, const uint32_t* first, const uint32_t* second, int n, int row, int column) {
  const int width = n + 1, end_row = std::min(row + tile, n), end_column = std::min(column + tile, n);
  for (int y = row; y < end_row; ++y) {
    const int* above = score + size_t(y) * width;
    int* here = score + size_t(y + 1) * width;
    const uint32_t letter = first[y];
    int left = here[column];
    for (int x = column; x < end_column; ++x) {
      const int same = above[x] + (letter == second[x] ? 5 : -2);
      left = std::max(std::max(same, above[x + 1] - gap), left - gap);
      here[x + 1] = left;
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int n = twin::size_from(argc, argv, 16), width = n + 1, tiles = (n + tile - 1) / tile;
  const std::vector<uint32_t> first = twin::integers(n, 1, 4), second = twin::integers(n, 2, 4);
  std::vector<int> start(size_t(width) * width), score;
  for (int i = 0; i < width; ++i) start[i] = start[size_t(i) * width] = -gap * i;
  twin::measure([&] { score = start; },
                [&] {
                  for (int diagonal = 0; diagonal < 2 * tiles - 1; ++diagonal) {
                    const int from = std::max(0, diagonal - tiles + 1), to = std::min(diagonal, tiles - 1);
#pragma omp parallel for schedule(dynamic)
                    for (int across = from; across <= to; ++across)
                      tile_at(score.data(), first.data(), second.data(), n, (diagonal - across) * tile,
                              across * tile);
                  }
                });
  twin::print_checksum({score.begin(), score.end()});
}

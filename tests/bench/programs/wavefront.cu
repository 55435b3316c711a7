// The best score of aligning two texts: a table whose cells need those above and to the left. One launch for
// each anti-diagonal of tiles; a block of 16 threads goes through its tile along anti-diagonals.
#include "inputs.h"
#include "twin.h"

constexpr int tile = 16, gap = 3;

__global__ void tiles_of_diagonal(int* score, const uint32_t* first, const uint32_t* second, int width,
                                  int diagonal, int first_column) {
  __shared__ int cells[tile + 1][tile + 1];
  __shared__ uint32_t letters[tile];
  const int t = threadIdx.x;
  const int column = (first_column + blockIdx.x) * tile;
  const int row = (diagonal - first_column - int(blockIdx.x)) * tile;
  letters[t] = second[column + t];
  const uint32_t letter = first[row + t];
  cells[0][t + 1] = score[row * width + column + t + 1];
  cells[t + 1][0] = score[(row + t + 1) * width + column];
  if (t == 0) cells[0][0] = score[row * width + column];
  __syncthreads();
  for (int step = 0; step < 2 * tile - 1; ++step) {
    const int x = step - t;  // the thread has row t of the tile
    if (x >= 0 && x < tile) {
      const int same = cells[t][x] + (letter == letters[x] ? 5 : -2);
      cells[t + 1][x + 1] = max(same, max(cells[t][x + 1], cells[t + 1][x]) - gap);
    }
    __syncthreads();
  }
  for (int y = 0; y < tile; ++y) score[(row + y + 1) * width + column + t + 1] = cells[y + 1][t + 1];
}

int main(int argc, char** argv) {
  const int n = twin::size_from(argc, argv, tile), width = n + 1, tiles = n / tile;
  uint32_t* first = twin::on_device(twin::integers(n, 1, 4));
  uint32_t* second = twin::on_device(twin::integers(n, 2, 4));
  std::vector<int> start(size_t(width) * width);
  for (int i = 0; i < width; ++i) start[i] = start[size_t(i) * width] = -gap * i;
  int* score = twin::on_device(start);
  twin::measure([&] { twin::to_device(score, start); },
                [&] {
                  for (int diagonal = 0; diagonal < 2 * tiles - 1; ++diagonal) {
                    const int from = std::max(0, diagonal - tiles + 1), to = std::min(diagonal, tiles - 1);
                    tiles_of_diagonal<<<to - from + 1, tile>>>(score, first, second, width, diagonal, from);
                  }
                  twin::wait();
                });
  const std::vector<int> result = twin::to_host(score, start.size());
  twin::print_checksum({result.begin(), result.end()});
}

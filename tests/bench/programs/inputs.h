// The data of a program and of its twin, the same for both.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace twin {

struct Random {
  uint32_t state;
  uint32_t next() { return state = state * 1664525u + 1013904223u; }
  uint32_t below(uint32_t limit) {
    return static_cast<uint32_t>((static_cast<uint64_t>(next()) * limit) >> 32);
  }
  float unit() { return static_cast<float>(next() >> 8) * 0x1p-24f; }
};

inline std::vector<float> floats(size_t count, uint32_t seed, float from = 0, float to = 1) {
  Random random{seed};
  std::vector<float> made(count);
  for (float& value : made) value = from + (to - from) * random.unit();
  return made;
}

inline std::vector<uint32_t> integers(size_t count, uint32_t seed, uint32_t limit) {
  Random random{seed};
  std::vector<uint32_t> made(count);
  for (uint32_t& value : made) value = random.below(limit);
  return made;
}

// Compressed rows: the entries of row r are from starts[r] to starts[r + 1].
struct Rows {
  std::vector<uint32_t> starts, columns;
  std::vector<float> values;
};

// A graph with 1 to 11 edges a node, to any node.
inline Rows random_graph(uint32_t nodes) {
  Random random{11};
  Rows made;
  made.starts.push_back(0);
  for (uint32_t node = 0; node < nodes; ++node) {
    const uint32_t edges = 1 + random.below(11);
    for (uint32_t edge = 0; edge < edges; ++edge) made.columns.push_back(random.below(nodes));
    made.starts.push_back(static_cast<uint32_t>(made.columns.size()));
  }
  return made;
}

// A sparse matrix with 4 to 28 entries a row, most of them near the diagonal.
inline Rows sparse_matrix(uint32_t rows) {
  Random random{12};
  Rows made;
  made.starts.push_back(0);
  for (uint32_t row = 0; row < rows; ++row) {
    const uint32_t entries = 4 + random.below(25);
    for (uint32_t entry = 0; entry < entries; ++entry) {
      const bool is_near = random.below(4) != 0;
      made.columns.push_back(is_near ? (row + random.below(512)) % rows : random.below(rows));
      made.values.push_back(random.unit());
    }
    made.starts.push_back(static_cast<uint32_t>(made.columns.size()));
  }
  return made;
}

struct Point {
  double x, y, z;
};

// Particles near the points of a periodic cubic lattice, side × side × side, at a distance of about 1.1.
inline std::vector<Point> lattice(int side) {
  Random random{13};
  const auto near = [&](int at) { return 1.1 * at + 0.05 * static_cast<double>(random.unit()); };
  std::vector<Point> made;
  for (int z = 0; z < side; ++z)
    for (int y = 0; y < side; ++y)
      for (int x = 0; x < side; ++x) made.push_back({near(x), near(y), near(z)});
  return made;
}

constexpr int neighbours = 124;  // 5 × 5 × 5 without the particle itself

// The particles around each: neighbours of them.
inline std::vector<int> lattice_neighbours(int side) {
  std::vector<int> made;
  const auto wrap = [&](int at) { return (at + side) % side; };
  for (int z = 0; z < side; ++z)
    for (int y = 0; y < side; ++y)
      for (int x = 0; x < side; ++x)
        for (int near = 0; near < 125; ++near) {
          if (near == 62) continue;
          const int dx = near % 5 - 2, dy = near / 5 % 5 - 2, dz = near / 25 - 2;
          made.push_back((wrap(z + dz) * side + wrap(y + dy)) * side + wrap(x + dx));
        }
  return made;
}

}  // namespace twin

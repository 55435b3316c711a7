#include "cuda/stand_in/libraries/sparse/entries.h"

namespace warplens::sparse {

namespace {

// f(I{}) with the type of indices.
template <class F>
bool with_index(cusparseIndexType_t type, F f) {
  return type == CUSPARSE_INDEX_64I ? f(int64_t{}) : f(int32_t{});
}

int64_t bytes_of_index(cusparseIndexType_t type) { return type == CUSPARSE_INDEX_64I ? 8 : 4; }

}  // namespace

bool load_indices(const Memory& memory, const void* at, int64_t count, cusparseIndexType_t type,
                  cusparseIndexBase_t base, std::vector<int64_t>& to) {
  return with_index(type, [&]<class I>(I) {
    const I* from = memory.array<const I>(at, count, warplens_reads);
    if (from == nullptr) return false;
    to.resize(static_cast<size_t>(count));
    for (int64_t i = 0; i < count; ++i) to[static_cast<size_t>(i)] = int64_t{from[i]} - base;
    return true;
  });
}

bool store_indices(const Memory& memory, const void* at, cusparseIndexType_t type, cusparseIndexBase_t base,
                   const std::vector<int64_t>& from) {
  return with_index(type, [&]<class I>(I) {
    I* to = memory.array<I>(at, static_cast<int64_t>(from.size()), warplens_writes);
    if (to == nullptr) return false;
    for (size_t i = 0; i < from.size(); ++i) to[i] = static_cast<I>(from[i] + base);
    return true;
  });
}

bool all_below(const Memory& memory, const std::vector<int64_t>& indices, int64_t extent, const char* what) {
  for (size_t i = 0; i < indices.size(); ++i)
    if (indices[i] < 0 || indices[i] >= extent)
      return memory.refuse("Entry " + std::to_string(i) + " of a sparse operand has the " + what + " " +
                           std::to_string(indices[i]) + " (counted from 0), but there are " +
                           std::to_string(extent) + ". Check the indices and their base.");
  return true;
}

std::vector<int64_t> beginnings(const std::vector<int64_t>& rows, int64_t extent) {
  std::vector<int64_t> begin(static_cast<size_t>(extent + 1));
  for (const int64_t row : rows) ++begin[static_cast<size_t>(row + 1)];
  for (size_t i = 1; i < begin.size(); ++i) begin[i] += begin[i - 1];
  return begin;
}

bool expand(const Memory& memory, const std::vector<int64_t>& begin, int64_t count,
            std::vector<int64_t>& to) {
  to.resize(static_cast<size_t>(count));
  int64_t at = 0;
  for (size_t row = 0; row + 1 < begin.size(); ++row) {
    if (begin[row] != at || begin[row + 1] < at || begin[row + 1] > count)
      return memory.refuse("The offsets of a sparse matrix of " + std::to_string(count) +
                           " entries say that row " + std::to_string(row) + " has the entries from " +
                           std::to_string(begin[row]) + " to " + std::to_string(begin[row + 1]) +
                           " (counted from 0; in CSC, a column). Check the " +
                           "offsets, their base, and the number of entries.");
    for (; at < begin[row + 1]; ++at) to[static_cast<size_t>(at)] = static_cast<int64_t>(row);
  }
  if (at == count) return true;
  return memory.refuse("The offsets of a sparse matrix end at entry " + std::to_string(at) + ", but it has " +
                       std::to_string(count) + " entries.");
}

bool load_places(const Memory& memory, const cusparseSpMatDescr& matrix, int in_batch, Places& to) {
  const void* first = moved(matrix.first, in_batch * matrix.first_stride * bytes_of_index(matrix.first_type));
  const void* second = moved(matrix.second, in_batch * matrix.stride * bytes_of_index(matrix.second_type));
  if (!load_indices(memory, second, matrix.count, matrix.second_type, matrix.base, to.columns)) return false;
  const bool by_columns = matrix.format == CUSPARSE_FORMAT_CSC;
  if (matrix.format == CUSPARSE_FORMAT_COO) {
    if (!load_indices(memory, first, matrix.count, matrix.first_type, matrix.base, to.rows)) return false;
  } else {
    std::vector<int64_t> begin;
    const int64_t extent = by_columns ? matrix.columns : matrix.rows;
    if (!load_indices(memory, first, extent + 1, matrix.first_type, matrix.base, begin) ||
        !expand(memory, begin, matrix.count, to.rows))
      return false;
  }
  if (by_columns) std::swap(to.rows, to.columns);
  return all_below(memory, to.rows, matrix.rows, "row") &&
         all_below(memory, to.columns, matrix.columns, "column");
}

}  // namespace warplens::sparse

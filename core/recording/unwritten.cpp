#include "core/recording/unwritten.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "core/base/figures.h"

namespace warplens::recording {

namespace {

bool is_kernels(uint8_t note) { return (note & written_by_kernel) != 0; }

uint64_t threads_in_x(const ArrayWriter& writer) { return uint64_t{writer.grid.x} * writer.block.x; }
uint64_t threads_in_y(const ArrayWriter& writer) { return uint64_t{writer.grid.y} * writer.block.y; }

std::string range_text(const char* one, uint64_t first, uint64_t end) {
  return first + 1 == end ? fmt::format("{} {}", one, thousands(first))
                          : fmt::format("{}s {} to {}", one, thousands(first), thousands(end - 1));
}

// "3 blocks of 256 threads cover 768; (n + 255) / 256 covers all."
std::string cover_text(uint64_t blocks, uint64_t threads, uint64_t each, const char* size) {
  const uint64_t block = threads * each;
  const std::string cover = fmt::format(
      "{} block{} of {} thread{}{} cover{} {}", thousands(blocks), blocks == 1 ? "" : "s", thousands(threads),
      threads == 1 ? "" : "s", each == 1 ? std::string() : fmt::format(", with {} elements each,", each),
      blocks == 1 ? "s" : "", thousands(blocks * block));
  return block == 1 ? cover + "; launch a thread for each element."
                    : fmt::format("{}; ({} + {}) / {} covers all.", cover, size, block - 1, block);
}

class Search {
 public:
  explicit Search(const UnwrittenQuery& query) : m_query(query) {
    const uint64_t bytes = query.element_bytes != 0 ? query.element_bytes : bytes_of_a_thread();
    m_known = bytes != 0;
    m_element = std::max(uint64_t{1}, bytes);
  }

  std::optional<UnwrittenText> run() {
    count();
    if (m_unwritten == bytes()) return nothing_written();
    if (m_query.writer != nullptr && m_query.begin == 0) {
      if (auto plane = edge_of_plane()) return plane;
      if (auto row = edge_of_row()) return row;
    }
    if (m_unwritten == 0 || !m_query.tell_all) return std::nullopt;
    return UnwrittenText{fmt::format("{} {}, the first at byte {} of the array.", some(m_unwritten),
                                     never(m_unwritten, true), thousands(m_first)),
                         "If the program uses them, write them first, or clear the array with cudaMemset."};
  }

 private:
  uint64_t bytes() const { return m_query.width * m_query.rows; }

  // The bytes from the start on that kernels have written, if there are no others. 0: there are.
  uint64_t written_part() const {
    if (m_query.rows != 1 || m_query.begin != 0) return 0;
    const auto notes = m_query.written.first(m_query.width);
    const auto end = std::ranges::find_if_not(notes, is_kernels);
    return std::any_of(end, notes.end(), is_kernels) ? 0 : static_cast<uint64_t>(end - notes.begin());
  }

  // If each thread has written 2, 4, 8 or 16 bytes, that is an element.
  uint64_t bytes_of_a_thread() const {
    if (m_query.writer == nullptr) return 0;
    const uint64_t threads = m_query.writer->grid.count() * m_query.writer->block.count();
    const uint64_t each = written_part() / threads;
    return each * threads == written_part() && each <= 16 && std::has_single_bit(each) &&
                   m_query.width % each == 0
               ? each
               : 0;
  }

  void count() {
    for (uint64_t row = 0; row < m_query.rows; ++row) {
      const uint64_t at = m_query.begin + row * m_query.pitch;
      const auto notes = m_query.written.subspan(at, m_query.width);
      const auto missing = static_cast<uint64_t>(std::ranges::count(notes, 0));
      if (missing != 0 && m_unwritten == 0)
        m_first = at + static_cast<uint64_t>(std::ranges::find(notes, 0) - notes.begin());
      m_unwritten += missing;
    }
  }

  std::string copied() const {
    return fmt::format("{} {} that {}", thousands(bytes() / m_element), m_known ? "elements" : "bytes",
                       m_query.line != 0 ? fmt::format("line {} copies back", m_query.line)
                                         : std::string("a copy brings back"));
  }
  std::string some(uint64_t of_bytes) const {
    return fmt::format("{} of the {}", thousands(of_bytes / m_element), copied());
  }
  std::string never(uint64_t of_bytes, bool by_anything) const {
    return fmt::format("{} {}", of_bytes == m_element ? "was" : "were",
                       by_anything ? "never written" : "written by no kernel");
  }
  bool was_told(uint64_t number) const { return std::ranges::count(m_query.writer->numbers, number) != 0; }

  UnwrittenText nothing_written() const {
    return {
        fmt::format("None of the {} was ever written.", copied()),
        m_query.was_given
            ? "A kernel was given this array and stored nothing in it: check its index test, as in if (i < "
              "n), the grid, and which array it writes to."
            : "No kernel was given this array before the copy: check which array the kernel writes to, and "
              "which one is copied."};
  }

  // The kernel has written a part from the start on, of as many elements as the launch had threads.
  std::optional<UnwrittenText> edge_of_row() const {
    const uint64_t done = written_part();
    if (done == 0 || done == m_query.width || done % m_element != 0) return std::nullopt;
    const auto rest = m_query.written.subspan(done, m_query.width - done);
    const bool untouched = std::ranges::count(rest, 0) == std::ssize(rest);
    const ArrayWriter& writer = *m_query.writer;
    const uint64_t all = m_query.width / m_element, covered = done / m_element;
    const std::string what =
        fmt::format("{} {}: {}.", some(m_query.width - done), never(m_query.width - done, untouched),
                    range_text(m_known ? "element" : "byte", covered, all));
    const uint64_t block = writer.block.count(), blocks = writer.grid.count();
    if (covered % (block * blocks) == 0) {
      // Where the rest was cleared, a program may mean what it does, unless it rounded the blocks down.
      const uint64_t each = covered / (block * blocks);
      if (!untouched && !(all - covered < block * each && was_told(all))) return std::nullopt;
      return UnwrittenText{what, cover_text(blocks, block, each, "n")};
    }
    if (untouched && covered == blocks)
      return UnwrittenText{what,
                           fmt::format("Each of the {} blocks writes one element: launch as many blocks as "
                                       "the array has elements, or make it smaller.",
                                       thousands(blocks))};
    return std::nullopt;
  }

  // The same for rows and columns of a picture or matrix, where a number of blocks was rounded down.
  std::optional<UnwrittenText> edge_of_plane() const {
    const ArrayWriter& writer = *m_query.writer;
    if (threads_in_y(writer) == 1 || writer.grid.z * writer.block.z != 1) return std::nullopt;
    if (m_query.rows > 1) return edge_of({m_query.width / m_element, m_query.rows, m_query.pitch});
    const uint64_t all = m_query.width / m_element;
    for (const uint64_t width : writer.numbers) {
      if (width <= 1 || width >= all || all % width != 0) continue;
      if (auto text = edge_of({width, all / width, width * m_element})) return text;
    }
    return std::nullopt;
  }

  struct Plane {
    uint64_t width, height, pitch;  // in elements; in bytes
  };
  std::optional<UnwrittenText> edge_of(const Plane& plane) const {
    const ArrayWriter& writer = *m_query.writer;
    const uint64_t x = threads_in_x(writer), y = threads_in_y(writer);
    const bool narrow = x < plane.width, low = y < plane.height;
    if ((!narrow && !low) || (narrow && plane.width - x >= writer.block.x) ||
        (low && plane.height - y >= writer.block.y))
      return std::nullopt;
    bool untouched = true;
    for (uint64_t row = 0; row < plane.height; ++row) {
      const auto notes = m_query.written.subspan(row * plane.pitch, plane.width * m_element);
      const auto done = row < y ? std::min<size_t>(notes.size(), x * m_element) : size_t{0};
      if (!std::ranges::all_of(notes.first(done), is_kernels) ||
          std::ranges::any_of(notes.subspan(done), is_kernels))
        return std::nullopt;
      untouched = untouched && std::ranges::count(notes.subspan(done), 0) == std::ssize(notes.subspan(done));
    }
    if (!untouched && !was_told(plane.width)) return std::nullopt;
    std::string which, cover;
    if (narrow) {
      which = range_text("column", x, plane.width);
      cover = "In x, " + cover_text(writer.grid.x, writer.block.x, 1, "width");
    }
    if (low) {
      which += (narrow ? " and " : "") + range_text("row", y, plane.height);
      cover += (narrow ? " In y, " : "In y, ") + cover_text(writer.grid.y, writer.block.y, 1, "height");
    }
    const uint64_t missing =
        plane.width * plane.height - std::min(x, plane.width) * std::min(y, plane.height);
    return UnwrittenText{
        fmt::format("{} {}: {}.", some(missing * m_element), never(missing * m_element, untouched), which),
        cover};
  }

  const UnwrittenQuery& m_query;
  bool m_known = false;                                  // whether m_element is the size of an element
  uint64_t m_element = 1, m_unwritten = 0, m_first = 0;  // in bytes
};

}  // namespace

std::optional<UnwrittenText> unwritten_text(const UnwrittenQuery& query) {
  if (query.width == 0 || query.rows == 0) return std::nullopt;
  return Search(query).run();
}

}  // namespace warplens::recording

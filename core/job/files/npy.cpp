#include "core/job/files/npy.h"

#include <fmt/format.h>

namespace warplens {

namespace {

// NumPy's name of a type in this format: byte order, kind and size.
std::string descr(DType dtype) {
  const char kind = is_float(dtype) ? 'f' : numpy_name(dtype).starts_with('u') ? 'u' : 'i';
  const uint64_t size = bytes_of(dtype);
  return fmt::format("{}{}{}", size == 1 ? '|' : '<', kind, size);
}

}  // namespace

// https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html: the head is padded with spaces, so
// that the elements begin at a multiple of 64 bytes.
std::string npy_head(DType dtype, std::span<const uint64_t> shape) {
  constexpr size_t magic_bytes = 10, alignment = 64;
  std::string sizes;
  for (const uint64_t size : shape) sizes += fmt::format("{},", size);
  std::string text =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", descr(dtype), sizes);
  while ((magic_bytes + text.size() + 1) % alignment != 0) text += ' ';
  text += '\n';
  std::string head("\x93NUMPY\x01\x00", 8);
  head += static_cast<char>(text.size() & 0xff);
  head += static_cast<char>(text.size() >> 8);
  return head + text;
}

}  // namespace warplens

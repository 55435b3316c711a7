#include "core/base/dtype.h"

#include <array>

namespace warplens {

namespace {

struct Row {
  DType type;
  uint32_t bytes;
  std::string_view short_name, numpy_name;
};

constexpr std::array<Row, 11> rows{{{DType::u8, 1, "u8", "uint8"},
                                    {DType::i8, 1, "i8", "int8"},
                                    {DType::u16, 2, "u16", "uint16"},
                                    {DType::i16, 2, "i16", "int16"},
                                    {DType::u32, 4, "u32", "uint32"},
                                    {DType::i32, 4, "i32", "int32"},
                                    {DType::u64, 8, "u64", "uint64"},
                                    {DType::i64, 8, "i64", "int64"},
                                    {DType::f16, 2, "f16", "float16"},
                                    {DType::f32, 4, "f32", "float32"},
                                    {DType::f64, 8, "f64", "float64"}}};

const Row& row(DType type) { return rows[static_cast<size_t>(type)]; }

}  // namespace

uint32_t bytes_of(DType type) { return row(type).bytes; }
std::string_view numpy_name(DType type) { return row(type).numpy_name; }
std::string_view short_name(DType type) { return row(type).short_name; }

std::optional<DType> dtype_from_numpy(std::string_view name) {
  for (const Row& r : rows)
    if (r.numpy_name == name) return r.type;
  return std::nullopt;
}

std::optional<DType> dtype_from_short(std::string_view name) {
  for (const Row& r : rows)
    if (r.short_name == name) return r.type;
  return std::nullopt;
}

}  // namespace warplens

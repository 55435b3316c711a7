// Element types of buffers and scalars, by their NumPy names.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace warplens {

enum class DType : uint8_t { u8, i8, u16, i16, u32, i32, u64, i64, f16, f32, f64 };

uint32_t bytes_of(DType type);
std::string_view numpy_name(DType type);                       // "float32"
std::optional<DType> dtype_from_numpy(std::string_view name);  // "float32" → f32
std::optional<DType> dtype_from_short(std::string_view name);  // "f32" → f32, as launch files name scalars
std::string_view short_name(DType type);

constexpr bool is_float(DType type) { return type == DType::f16 || type == DType::f32 || type == DType::f64; }
constexpr bool is_signed_integer(DType type) {
  return type == DType::i8 || type == DType::i16 || type == DType::i32 || type == DType::i64;
}

}  // namespace warplens

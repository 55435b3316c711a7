#include "cuda/stand_in/libraries/nccl/reduction.h"

#include <cmath>
#include <cstring>
#include <type_traits>

#include "cuda/stand_in/libraries/shared/element.h"

namespace warplens::nccl {

namespace {

using libraries::Bfloat16;
using libraries::Half;
using libraries::rounded;

struct TypeRow {
  const char* name;
  size_t bytes;
};
constexpr TypeRow types[] = {{"int8", 1},   {"uint8", 1},   {"int32", 4},   {"uint32", 4},  {"int64", 8},
                             {"uint64", 8}, {"float16", 2}, {"float32", 4}, {"float64", 8}, {"bfloat16", 2}};
static_assert(sizeof types / sizeof types[0] == ncclBfloat16 + 1);

// f(T{}) with the type of the elements.
template <class F>
auto with_type(ncclDataType_t type, F f) {
  switch (type) {
    case ncclInt8:
      return f(int8_t{});
    case ncclUint8:
      return f(uint8_t{});
    case ncclInt32:
      return f(int32_t{});
    case ncclUint32:
      return f(uint32_t{});
    case ncclInt64:
      return f(int64_t{});
    case ncclUint64:
      return f(uint64_t{});
    case ncclFloat16:
      return f(Half{});
    case ncclBfloat16:
      return f(Bfloat16{});
    case ncclFloat64:
      return f(double{});
    default:
      return f(float{});
  }
}

// The type that is computed with: integers wrap, and 16-bit floats are rounded after each operation.
template <class T>
auto computed(T value) {
  if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, Bfloat16>) {
    return static_cast<float>(value);
  } else if constexpr (std::is_integral_v<T>) {
    return static_cast<uint64_t>(value);
  } else {
    return value;
  }
}

template <class T>
T lesser(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    return a < b ? a : b;
  } else {
    return rounded<T>(std::fmin(computed(a), computed(b)));
  }
}
template <class T>
T greater(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    return a > b ? a : b;
  } else {
    return rounded<T>(std::fmax(computed(a), computed(b)));
  }
}

template <class T, class F>
void change_each(Bytes& elements, F f) {
  for (size_t at = 0; at < elements.size(); at += sizeof(T)) {
    T value;
    std::memcpy(&value, elements.data() + at, sizeof value);
    value = f(value, at);
    std::memcpy(elements.data() + at, &value, sizeof value);
  }
}

template <class T>
T load(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

template <class T, class F>
void combine_each(Bytes& into, const Bytes& next, F f) {
  change_each<T>(into, [&](T value, size_t at) { return f(value, load<T>(next.data() + at)); });
}

}  // namespace

const char* name_of(ncclDataType_t type) {
  return type >= 0 && type <= ncclBfloat16 ? types[type].name : nullptr;
}
const char* name_of(ncclRedOp_t op) {
  constexpr const char* names[] = {"sum", "product", "maximum", "minimum", "average"};
  return op < ncclNumOps ? names[op] : "sum of products";
}
size_t size_of(ncclDataType_t type) { return types[type].bytes; }
bool is_floating(ncclDataType_t type) {
  return type == ncclFloat16 || type == ncclFloat32 || type == ncclFloat64 || type == ncclBfloat16;
}

void combine(ncclDataType_t type, ncclRedOp_t op, Bytes& into, const Bytes& next) {
  with_type(type, [&]<class T>(T) {
    switch (op) {
      case ncclProd:
        return combine_each<T>(into, next, [](T a, T b) { return rounded<T>(computed(a) * computed(b)); });
      case ncclMax:
        return combine_each<T>(into, next, greater<T>);
      case ncclMin:
        return combine_each<T>(into, next, lesser<T>);
      default:
        return combine_each<T>(into, next, [](T a, T b) { return rounded<T>(computed(a) + computed(b)); });
    }
  });
}

void multiply(ncclDataType_t type, Bytes& elements, const std::byte* factor) {
  with_type(type, [&]<class T>(T) {
    const auto by = computed(load<T>(factor));
    change_each<T>(elements, [by](T value, size_t) { return rounded<T>(computed(value) * by); });
  });
}

Bytes share_of_average(ncclDataType_t type, size_t ranks) {
  Bytes made(size_of(type));
  with_type(type, [&]<class T>(T) {
    const T share = rounded<T>(1.0 / static_cast<double>(ranks));
    std::memcpy(made.data(), &share, sizeof share);
  });
  return made;
}

void divide(ncclDataType_t type, Bytes& sums, size_t ranks) {
  with_type(type, [&]<class T>(T) {
    if constexpr (std::is_integral_v<T>)
      change_each<T>(sums,
                     [by = static_cast<T>(ranks)](T value, size_t) { return static_cast<T>(value / by); });
  });
}

}  // namespace warplens::nccl

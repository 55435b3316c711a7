// The value of an expression: a whole number of 64 bits, a double, or true or false, as in C++.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>

namespace warplens::expression {

// What has no type has no value: it is not known, or undefined in C.
enum class Type : uint8_t { none, boolean, whole, large, real };

class Value {
 public:
  Value() = default;  // Value{} has no value
  constexpr Value(double value) : m_type(Type::real), m_real(value) {}
  // Large numbers are those above INT64_MAX. All others are of one type, so that they compare with negative
  // ones as one expects.
  template <std::integral T>
  constexpr Value(T value)
      : m_type(std::same_as<T, bool>                             ? Type::boolean
               : value > 0 && static_cast<uint64_t>(value) >> 63 ? Type::large
                                                                 : Type::whole),
        m_whole(static_cast<int64_t>(value)) {}
  template <class T>
  constexpr Value(const std::optional<T>& value) : Value(value ? Value(*value) : Value{}) {}

  constexpr Type type() const { return m_type; }
  constexpr bool is_known() const { return m_type != Type::none; }
  constexpr bool is_real() const { return m_type == Type::real; }

  // Of what is not real: the number, whose sign bit is a part of it if it is large.
  constexpr int64_t whole() const { return m_whole; }
  constexpr uint64_t bits() const { return static_cast<uint64_t>(m_whole); }
  // As a double, whatever it is; 0 without a value.
  constexpr double number() const {
    if (m_type == Type::real) return m_real;
    return m_type == Type::large ? static_cast<double>(bits()) : static_cast<double>(m_whole);
  }
  // As C takes a condition. Without a value it does not hold.
  constexpr bool holds() const { return m_type == Type::real ? m_real != 0 : m_whole != 0; }

  // The same value of the same type: 1 is not 1.0.
  friend constexpr bool operator==(Value a, Value b) {
    return a.m_type == b.m_type && (a.is_real() ? a.m_real == b.m_real : a.m_whole == b.m_whole);
  }

 private:
  Type m_type;
  union {
    int64_t m_whole;
    double m_real;
  };
};

// -1, 0 or 1, for two values that are not real.
constexpr int order(Value a, Value b) {
  if ((a.type() == Type::large) != (b.type() == Type::large)) return a.type() == Type::large ? 1 : -1;
  return a.whole() < b.whole() ? -1 : a.whole() > b.whole() ? 1 : 0;
}

// As C writes it: "-7", "0.5", "1.0". "?" without a value.
std::string text_of(Value value);

}  // namespace warplens::expression

// The members of a structure, described once: `fields(value)` gives them with their names, and all code that
// copies, sends or prints the structure uses it. If `fields` leaves out a member, that code does not compile.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace warplens {

template <class T>
struct Field {
  constexpr Field(std::string_view its_name, T& its_value) : name(its_name), value(its_value) {}
  std::string_view name;
  T& value;
};

// T or const T, so that one description serves reading and writing.
template <class T, class Of>
concept Is = std::same_as<std::remove_const_t<T>, Of>;

namespace fields_detail {

struct Anything {
  template <class T>
  operator T() const;  // never called, only used in unevaluated expressions
};

// The number of values that initialise the aggregate: one for each of its members.
template <class T, class... Some>
consteval size_t members() {
  if constexpr (requires { T{Some{}..., Anything{}}; })
    return members<T, Some..., Anything>();
  else
    return sizeof...(Some);
}

template <auto value>
constexpr bool is_named() {
  // The compiler writes "= warplens::DType::f32" for an enumerator, and "= (warplens::DType)99" for a number
  // that is not one.
  const std::string_view text = __PRETTY_FUNCTION__;
  return text.substr(text.rfind("value = ") + 8)[0] != '(';
}

template <class E, size_t number = 0>
consteval size_t enumerators() {
  if constexpr (is_named<static_cast<E>(number)>())
    return enumerators<E, number + 1>();
  else
    return number;
}

}  // namespace fields_detail

template <class T>
concept Described = std::is_aggregate_v<std::remove_const_t<T>> && requires(T& value) {
  fields(value);
};

template <Described T, class Visit>
constexpr void each_field(T& value, Visit visit) {
  std::apply(
      [&](auto... field) {
        static_assert(sizeof...(field) == fields_detail::members<std::remove_const_t<T>>(),
                      "fields() leaves out a member of this structure");
        (visit(field.name, field.value), ...);
      },
      fields(value));
}

// Visits the same members of two structures in pairs.
template <Described T, class Visit>
constexpr void each_pair(T& a, const T& b, Visit visit) {
  const auto pair = [&]<size_t... I>(std::index_sequence<I...>) {
    const auto of_a = fields(a);
    const auto of_b = fields(b);
    static_assert(sizeof...(I) == fields_detail::members<T>(), "fields() leaves out a member");
    (visit(std::get<I>(of_a).value, std::get<I>(of_b).value), ...);
  };
  pair(std::make_index_sequence<std::tuple_size_v<decltype(fields(a))>>());
}

// Whether the number is one of the enumerators, which count from 0 without gaps.
template <class E>
requires std::is_enum_v<E>
constexpr bool is_enumerator(E value) {
  const auto number = static_cast<std::underlying_type_t<E>>(value);
  return std::cmp_greater_equal(number, 0) && std::cmp_less(number, fields_detail::enumerators<E>());
}

}  // namespace warplens

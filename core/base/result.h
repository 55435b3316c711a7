// Result<T> holds a value or an Error. Every function that can fail returns one; core never throws because of
// bad user input.
#pragma once

#include <string>
#include <utility>
#include <variant>

namespace warplens {

// The kind of a failure. It decides the exit status of the command line: 2 for bad_input and refused, 3 for
// missing, 1 for the others.
enum class ErrorKind { bad_input, refused, missing, failed, cancelled };

// One sentence (or a few): what happened, where, what to do.
struct Error {
  ErrorKind kind = ErrorKind::failed;
  std::string message;
};

inline Error bad_input(std::string message) { return {ErrorKind::bad_input, std::move(message)}; }
inline Error missing(std::string message) { return {ErrorKind::missing, std::move(message)}; }
inline Error failed(std::string message) { return {ErrorKind::failed, std::move(message)}; }

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : m_state(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : m_state(std::in_place_index<1>, std::move(error)) {}

  explicit operator bool() const { return m_state.index() == 0; }
  bool ok() const { return m_state.index() == 0; }
  // The value of a Result that is not used any more can be moved from: f(*std::move(result)).
  T& value() & { return std::get<0>(m_state); }
  const T& value() const& { return std::get<0>(m_state); }
  T&& value() && { return std::get<0>(std::move(m_state)); }
  const T&& value() const&& { return std::get<0>(std::move(m_state)); }
  const Error& error() const { return std::get<1>(m_state); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  const T&& operator*() const&& { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

 private:
  std::variant<T, Error> m_state;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : m_error(std::move(error)), m_ok(false) {}

  explicit operator bool() const { return m_ok; }
  bool ok() const { return m_ok; }
  const Error& error() const { return m_error; }

 private:
  Error m_error;
  bool m_ok = true;
};

}  // namespace warplens

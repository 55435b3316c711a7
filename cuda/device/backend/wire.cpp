#include "cuda/device/backend/wire.h"

#include <array>
#include <cstring>
#include <memory>
#include <optional>
#include <type_traits>
#include <variant>
#include <vector>

#include "core/launch/fields.h"

namespace warplens::cuda {

namespace {

// The descriptions of core/launch/fields.h serve writing and reading.
class Writer {
 public:
  static constexpr bool reads = false;
  std::string bytes;

  template <class T>
  void plain(const T& value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void raw(const void* data, size_t size) { bytes.append(static_cast<const char*>(data), size); }
  static bool enter() { return true; }
  static void leave() {}
  static void spoil() {}
};

class Reader {
 public:
  static constexpr bool reads = true;
  explicit Reader(std::string_view bytes) : m_rest(bytes) {}

  template <class T>
  void plain(T& value) {
    raw(&value, sizeof value);
  }
  void raw(void* data, size_t size) {
    if (size > m_rest.size()) {
      m_good = false;
      m_rest = {};
      return;
    }
    if (size != 0) std::memcpy(data, m_rest.data(), size);
    m_rest.remove_prefix(size);
  }
  // The number of elements that follow, of at least this many bytes each.
  size_t count(size_t least) {
    uint64_t number = 0;
    plain(number);
    if (number > m_rest.size() / least) m_good = false;
    return m_good ? static_cast<size_t>(number) : 0;
  }
  void spoil() { m_good = false; }
  // Follows a pointer; leave() goes back. False if the pointers are nested too deep.
  bool enter() {
    if (++m_depth > 4) spoil();
    return m_good;
  }
  void leave() { --m_depth; }
  bool good() const { return m_good; }
  bool done() const { return m_good && m_rest.empty(); }

 private:
  std::string_view m_rest;
  bool m_good = true;
  int m_depth = 0;
};

template <class T, template <class...> class Of>
constexpr bool is_a = false;
template <template <class...> class Of, class... Some>
constexpr bool is_a<Of<Some...>, Of> = true;

// Both const and not, so that one function serves both directions.
template <class A, class T>
void visit(A& a, T& value);

// A variant as its index and the alternative.
template <size_t I = 0, class T>
void emplace_alternative(T& variant, size_t index) {
  if constexpr (I < std::variant_size_v<T>) {
    if (index == I)
      variant.template emplace<I>();
    else
      emplace_alternative<I + 1>(variant, index);
  }
}

template <class A, class T>
void visit_variant(A& a, T& variant) {
  auto index = static_cast<uint8_t>(variant.index());
  a.plain(index);
  if constexpr (A::reads) {
    if (index >= std::variant_size_v<T>) return a.spoil();
    emplace_alternative(variant, index);
  }
  std::visit([&](auto& chosen) { visit(a, chosen); }, variant);
}

// Elements that are numbers lie as they are; the others follow each other.
template <class A, class T>
void visit_list(A& a, T& values) {
  using Element = typename T::value_type;
  constexpr bool as_they_are = std::is_arithmetic_v<Element> || std::is_same_v<Element, std::byte>;
  uint64_t size = values.size();
  if constexpr (A::reads) {
    values.clear();
    size = a.count(as_they_are ? sizeof(Element) : 1);
    if constexpr (as_they_are) values.resize(size);
  } else {
    a.plain(size);
  }
  if constexpr (as_they_are) {
    a.raw(values.data(), size * sizeof(Element));
  } else if constexpr (A::reads) {
    for (size_t i = 0; i < size && a.good(); ++i) visit(a, values.emplace_back());
  } else {
    for (auto& value : values) visit(a, value);
  }
}

template <class A, class T>
void visit_maybe(A& a, T& optional) {
  bool there = static_cast<bool>(optional);
  visit(a, there);
  if (!there) return;
  if constexpr (A::reads) optional.emplace();
  visit(a, *optional);
}

// The pointer's value, or that it is null. An incident may point to a second one, but to no more.
template <class A, class T>
void visit_shared(A& a, T& pointer) {
  bool there = pointer != nullptr;
  visit(a, there);
  if (!there || !a.enter()) return;
  if constexpr (A::reads) {
    std::remove_const_t<typename T::element_type> value;
    visit(a, value);
    pointer = std::make_shared<typename T::element_type>(std::move(value));
  } else {
    visit(a, *pointer);
  }
  a.leave();
}

template <class A, class T>
void visit(A& a, T& value) {
  using Plain = std::remove_const_t<T>;
  if constexpr (std::is_same_v<Plain, bool>) {
    uint8_t byte = value ? 1 : 0;
    a.plain(byte);
    if constexpr (A::reads) value = byte != 0;
  } else if constexpr (std::is_enum_v<Plain>) {
    a.plain(value);
    if (!is_enumerator(value)) a.spoil();
  } else if constexpr (std::is_arithmetic_v<Plain>) {
    a.plain(value);
  } else if constexpr (std::is_same_v<Plain, std::string> || is_a<Plain, std::vector>) {
    visit_list(a, value);
  } else if constexpr (is_a<Plain, std::optional>) {
    visit_maybe(a, value);
  } else if constexpr (is_a<Plain, std::shared_ptr>) {
    visit_shared(a, value);
  } else if constexpr (is_a<Plain, std::variant>) {
    visit_variant(a, value);
  } else if constexpr (requires { std::tuple_size<Plain>::value; }) {
    for (auto& element : value) visit(a, element);  // std::array
  } else if constexpr (std::is_same_v<Plain, LaunchRequest> || std::is_same_v<Plain, RunResult>) {
    each_group(value, [&](auto& group) { visit(a, group); });
  } else {
    each_field(value, [&](std::string_view, auto& member) { visit(a, member); });
  }
}

Error garbled() { return failed("What came from the GPU's process cannot be read."); }

// What a backend answers: a value, or its error.
template <class T>
std::string encode_result(const Result<T>& result) {
  Writer writer;
  const bool good = result.ok();
  visit(writer, good);
  if (good)
    visit(writer, *result);
  else
    visit(writer, result.error());
  return std::move(writer.bytes);
}

template <class T>
Result<T> decode_as(std::string_view bytes) {
  Reader reader(bytes);
  bool good = false;
  visit(reader, good);
  if (good) {
    T value;
    visit(reader, value);
    if (!reader.done()) return garbled();
    return value;
  }
  Error error;
  visit(reader, error);
  if (!reader.done()) return garbled();
  return error;
}

// A value on its way to the process, which answers with a Result.
template <class T>
std::string encode_value(const T& value) {
  Writer writer;
  visit(writer, value);
  return std::move(writer.bytes);
}

template <class T>
Result<T> decode_value(std::string_view bytes) {
  Reader reader(bytes);
  T value;
  visit(reader, value);
  if (!reader.done()) return garbled();
  return value;
}

}  // namespace

std::string encode(const LaunchRequest& request) { return encode_value(request); }
Result<LaunchRequest> decode_request(std::string_view bytes) { return decode_value<LaunchRequest>(bytes); }

std::string encode(const LibraryWork& work) { return encode_value(work); }
Result<LibraryWork> decode_work(std::string_view bytes) { return decode_value<LibraryWork>(bytes); }

std::string encode(const Result<RunResult>& result) { return encode_result(result); }
Result<RunResult> decode_result(std::string_view bytes) { return decode_as<RunResult>(bytes); }

std::string encode(const Result<LibraryRun>& run) { return encode_result(run); }
Result<LibraryRun> decode_times(std::string_view bytes) { return decode_as<LibraryRun>(bytes); }

}  // namespace warplens::cuda

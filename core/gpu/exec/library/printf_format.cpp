#include "core/gpu/exec/library/printf_format.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <vector>

namespace warplens::exec {

namespace {

// The limit of a field's width; a kernel can ask for two thousand million.
constexpr int widest = 1 << 16;

struct Conversion {
  std::string flags;  // with the leading %
  int width = -1, precision = -1;
  std::string_view length;
  char letter = 0;
};

class Formatter {
 public:
  Formatter(std::string_view format, const PrintfArguments& arguments)
      : m_format(format), m_arguments(arguments) {}

  PrintfResult run() {
    while (m_at < m_format.size() && m_result.readable) {
      const size_t percent = std::min(m_format.find('%', m_at), m_format.size());
      m_result.text += m_format.substr(m_at, percent - m_at);
      m_at = percent;
      if (percent == m_format.size()) break;
      conversion();
    }
    return std::move(m_result);
  }

 private:
  char peek() const { return m_at < m_format.size() ? m_format[m_at] : '\0'; }

  uint64_t next(uint32_t bytes) {
    m_offset = (m_offset + bytes - 1) / bytes * bytes;
    uint64_t value = 0;
    if (!m_arguments.read(m_offset, bytes, value)) m_result.readable = false;
    m_offset += bytes;
    ++m_result.parsed;
    return value;
  }

  // Digits, or * for an argument. -1 if there is neither.
  int number() {
    if (peek() == '*') {
      ++m_at;
      return std::clamp(static_cast<int>(static_cast<uint32_t>(next(4))), -widest, widest);
    }
    if (peek() < '0' || peek() > '9') return -1;
    int value = 0;
    for (; peek() >= '0' && peek() <= '9'; ++m_at) value = std::min(value * 10 + (peek() - '0'), widest);
    return value;
  }

  void conversion() {
    const size_t start = m_at++;
    if (peek() == '%') {
      ++m_at;
      m_result.text += '%';
      return;
    }
    Conversion c;
    c.flags = "%";
    while (peek() != '\0' && std::string_view("-+ #0").find(peek()) != std::string_view::npos)
      c.flags += m_format[m_at++];
    const bool has_width = peek() == '*' || (peek() >= '0' && peek() <= '9');
    if (has_width) c.width = number();
    if (has_width && c.width < 0) {  // a negative argument means left-aligned
      c.flags += '-';
      c.width = -c.width;
    }
    if (peek() == '.') {
      ++m_at;
      const bool from_argument = peek() == '*';
      c.precision = number();
      if (c.precision < 0 && !from_argument) c.precision = 0;  // "%.f"
    }
    const size_t length = m_at;
    while (peek() != '\0' && std::string_view("hl").find(peek()) != std::string_view::npos) ++m_at;
    c.length = m_format.substr(length, m_at - length);
    c.letter = peek();
    if (m_at < m_format.size()) ++m_at;
    if (!convert(c)) m_result.text += m_format.substr(start, m_at - start);
  }

  // False for a conversion that CUDA does not know, %zu for example. CUDA prints it unchanged and takes no
  // argument. (An H200 also gets %hhd and %.*f wrong: it prints bytes that happen to be in its buffer. Here
  // their output is as in C.)
  bool convert(const Conversion& c) {
    switch (c.letter) {
      case 'd':
      case 'i':
        put(c, "lld", signed_value(c));
        return true;
      case 'o':
      case 'u':
      case 'x':
      case 'X':
        put(c, std::string("ll") + c.letter, unsigned_value(c));
        return true;
      case 'c':
        put(c, "c", static_cast<int>(static_cast<unsigned char>(next(4))));
        return true;
      case 'e':
      case 'E':
      case 'f':
      case 'F':
      case 'g':
      case 'G':
      case 'a':
      case 'A':
        put(c, std::string(1, c.letter), std::bit_cast<double>(next(8)));
        return true;
      case 'p':
        put(c, "p", reinterpret_cast<void*>(static_cast<uintptr_t>(next(8))));
        return true;
      case 's':
        string(c);
        return true;
      default:
        return false;
    }
  }

  static bool is_long(const Conversion& c) { return !c.length.empty() && c.length[0] != 'h'; }

  long long signed_value(const Conversion& c) {
    if (is_long(c)) return static_cast<long long>(next(8));
    const auto value = static_cast<int32_t>(static_cast<uint32_t>(next(4)));
    if (c.length == "hh") return static_cast<int8_t>(value);
    return c.length == "h" ? static_cast<int16_t>(value) : value;
  }
  unsigned long long unsigned_value(const Conversion& c) {
    if (is_long(c)) return next(8);
    const auto value = static_cast<uint32_t>(next(4));
    if (c.length == "hh") return static_cast<uint8_t>(value);
    return c.length == "h" ? static_cast<uint16_t>(value) : value;
  }

  void string(const Conversion& c) {
    const uint64_t address = next(8);
    std::string text = "(null)";
    if (!m_result.readable) return;
    if (address != 0 && !m_arguments.read_string(address, text)) {
      m_result.readable = false;
      m_result.bad_address = address;
      return;
    }
    put(c, "s", text.c_str());
  }

  template <class T>
  void put(const Conversion& c, const std::string& letter, T value) {
    if (!m_result.readable) return;
    std::string spec = c.flags;
    if (c.width >= 0) spec += std::to_string(c.width);
    if (c.precision >= 0) spec += "." + std::to_string(c.precision);
    spec += letter;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat-security"
    const int length = std::snprintf(nullptr, 0, spec.c_str(), value);
    if (length < 0) return;
    std::vector<char> room(static_cast<size_t>(length) + 1);
    std::snprintf(room.data(), room.size(), spec.c_str(), value);
#pragma GCC diagnostic pop
    m_result.text.append(room.data(), static_cast<size_t>(length));
  }

  std::string_view m_format;
  const PrintfArguments& m_arguments;
  size_t m_at = 0;
  uint64_t m_offset = 0;
  PrintfResult m_result;
};

}  // namespace

PrintfResult format_printf(std::string_view format, const PrintfArguments& arguments) {
  return Formatter(format, arguments).run();
}

}  // namespace warplens::exec

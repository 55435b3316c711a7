#include "core/ptx/debug/sections.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "core/ptx/lexer/lexer.h"

namespace warplens::debug {

namespace {

using ptx::Token;
using ptx::TokenKind;

// Reads the directives between the braces of one section.
class SectionReader {
 public:
  SectionReader(std::string_view text, std::string_view module_name)
      : m_lexer(text), m_module_name(module_name) {}

  Result<Sections> run() {
    advance();
    while (m_token.kind != TokenKind::end) {
      if (m_token.kind == TokenKind::bad) return wrong(std::string(m_lexer.error()));
      if (!m_token.is_word(".section")) {
        advance();
        continue;
      }
      advance();
      m_name = m_token.text;
      advance();
      if (!m_token.is('{')) return wrong("'{' is missing after .section");
      advance();
      if (const Result<void> done = body(); !done) return done.error();
    }
    resolve();
    return std::move(m_sections);
  }

 private:
  struct Difference {  // a number that is the distance of two labels
    std::string_view section, minus;
    Symbol symbol;
  };
  struct Label {
    std::string_view section;
    uint64_t offset = 0;
  };

  void advance() { m_token = m_lexer.next(); }
  Error wrong(const std::string& why) const {
    return bad_input(
        fmt::format("{}:{}: The debug information cannot be read: {}.", m_module_name, m_token.line, why));
  }

  Result<void> body() {
    // Sections of other names are skipped; a name may come twice.
    const bool wanted = m_name.starts_with(".debug_");
    Section& section = wanted ? m_sections[m_name] : m_ignored;
    while (!m_token.is('}')) {
      if (m_token.kind == TokenKind::end || m_token.kind == TokenKind::bad)
        return wrong(fmt::format("the section {} has no '}}'", m_name));
      if (!wanted) {
        advance();
        continue;
      }
      Result<void> done;
      if (m_token.kind == TokenKind::identifier) {
        m_labels[m_token.text] = {m_name, section.bytes.size()};
        advance();
        if (!m_token.is(':')) return wrong("':' is missing after a label");
        advance();
      } else if (m_token.kind == TokenKind::dot_word) {
        done = data(section);
      } else {
        return wrong(fmt::format("'{}' is neither a label nor .b8, .b16, .b32 or .b64", m_token.text));
      }
      if (!done) return done;
    }
    advance();
    return {};
  }

  Result<void> data(Section& section) {
    const uint32_t bytes = m_token.text == ".b8"    ? 1
                           : m_token.text == ".b16" ? 2
                           : m_token.text == ".b32" ? 4
                           : m_token.text == ".b64" ? 8
                                                    : 0;
    if (bytes == 0) return wrong(fmt::format("'{}' is not .b8, .b16, .b32 or .b64", m_token.text));
    if (section.lines.empty() || section.lines.back().line != m_token.line)
      section.lines.push_back({static_cast<uint32_t>(section.bytes.size()), m_token.line});
    do {
      advance();
      if (Result<void> done = value(section, bytes); !done) return done;
    } while (m_token.is(','));
    return {};
  }

  // A number, or SYMBOL, SYMBOL+number, SYMBOL-SYMBOL.
  Result<void> value(Section& section, uint32_t bytes) {
    Symbol symbol{.at = static_cast<uint32_t>(section.bytes.size()), .bytes = static_cast<uint8_t>(bytes)};
    uint64_t plain = 0;
    std::string_view minus;
    bool negative = false;
    if (m_token.is('-') || m_token.is('+')) {
      negative = m_token.is('-');
      advance();
    }
    for (;;) {
      if (m_token.kind == TokenKind::number) {
        const Result<uint64_t> read = number(m_token.text);
        if (!read) return read.error();
        plain += negative ? 0 - *read : *read;
      } else if (m_token.kind == TokenKind::identifier || m_token.kind == TokenKind::dot_word) {
        (negative ? minus : symbol.name) = m_token.text;
      } else {
        return wrong(fmt::format("'{}' is not a value", m_token.text));
      }
      advance();
      if (!m_token.is('+') && !m_token.is('-')) break;
      negative = m_token.is('-');
      advance();
    }
    if (symbol.name.empty()) {
      for (uint32_t i = 0; i < bytes; ++i) section.bytes += static_cast<char>(plain >> (8 * i) & 0xff);
      return {};
    }
    symbol.addend = static_cast<int64_t>(plain);
    section.bytes.append(bytes, '\0');
    if (minus.empty()) {
      section.symbols.push_back(symbol);
    } else {
      m_differences.push_back({m_name, minus, symbol});
    }
    return {};
  }

  Result<uint64_t> number(std::string_view text) const {
    const bool hex = text.starts_with("0x") || text.starts_with("0X");
    if (hex) text.remove_prefix(2);
    while (text.ends_with('U') || text.ends_with('u')) text.remove_suffix(1);
    uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, hex ? 16 : 10);
    if (error != std::errc() || end != text.data() + text.size())
      return wrong(fmt::format("'{}' is not a number of 64 bits", m_token.text));
    return value;
  }

  void store(Section& section, const Symbol& symbol, uint64_t value) const {
    for (uint32_t i = 0; i < symbol.bytes; ++i)
      section.bytes[symbol.at + i] = static_cast<char>(value >> (8 * i) & 0xff);
  }

  std::optional<uint64_t> offset_of(std::string_view name) const {
    if (m_sections.contains(name)) return 0;
    const auto label = m_labels.find(name);
    if (label == m_labels.end()) return std::nullopt;
    return label->second.offset;
  }

  // Turns names of sections and labels in sections into offsets. The difference of two code labels becomes
  // just the first label: DWARF measures it from the start of the unit.
  void resolve() {
    for (const Difference& difference : m_differences) {
      Section& section = m_sections[difference.section];
      const std::optional<uint64_t> from = offset_of(difference.minus),
                                    to = offset_of(difference.symbol.name);
      if (from && to) {
        store(section, difference.symbol, *to - *from + static_cast<uint64_t>(difference.symbol.addend));
      } else {
        section.symbols.push_back(difference.symbol);
      }
    }
    for (auto& [name, section] : m_sections) {
      std::ranges::sort(section.symbols, {}, &Symbol::at);
      Section& own = section;
      std::erase_if(section.symbols, [&](const Symbol& symbol) {
        const std::optional<uint64_t> offset = offset_of(symbol.name);
        if (offset) store(own, symbol, *offset + static_cast<uint64_t>(symbol.addend));
        return offset.has_value();
      });
    }
  }

  ptx::Lexer m_lexer;
  Token m_token;
  std::string_view m_module_name, m_name;
  Sections m_sections;
  Section m_ignored;
  std::map<std::string_view, Label> m_labels;
  std::vector<Difference> m_differences;
};

}  // namespace

const Symbol* Section::symbol_at(uint64_t offset) const {
  const auto found = std::ranges::lower_bound(symbols, offset, {}, &Symbol::at);
  return found != symbols.end() && found->at == offset ? &*found : nullptr;
}

uint32_t Section::line_at(uint64_t offset) const {
  const auto after = std::ranges::upper_bound(lines, offset, {}, &Line::at);
  return after == lines.begin() ? 0 : std::prev(after)->line;
}

Result<Sections> read_sections(const ptx::Module& module) {
  // Most texts have no debug sections, and some are large.
  if (module.text == nullptr || module.text->find(".debug_info") == std::string::npos) return Sections{};
  return SectionReader(*module.text, module.name).run();
}

Cursor::Cursor(const Section& section, uint64_t begin, uint64_t end)
    : m_section(section), m_at(begin), m_end(std::min<uint64_t>(end, section.bytes.size())) {
  m_bad = begin > m_end;
}

bool Cursor::has(uint64_t bytes) {
  if (!m_bad && bytes <= m_end - m_at) return true;
  m_bad = true;
  return false;
}

void Cursor::skip(uint64_t bytes) {
  if (has(bytes)) m_at += bytes;
}

uint8_t Cursor::byte() { return has(1) ? static_cast<uint8_t>(m_section.bytes[m_at++]) : uint8_t{0}; }

uint64_t Cursor::number(uint32_t bytes) {
  if (!has(bytes)) return 0;
  uint64_t value = 0;
  for (uint32_t i = 0; i < bytes; ++i) value |= uint64_t{byte()} << (8 * i);
  return value;
}

int64_t Cursor::signed_number(uint32_t bytes) {
  const uint32_t unused = 64 - 8 * bytes;
  return static_cast<int64_t>(number(bytes) << unused) >> unused;
}

uint64_t Cursor::number(uint32_t bytes, const Symbol*& symbol) {
  symbol = m_section.symbol_at(m_at);
  if (symbol != nullptr && symbol->bytes != bytes) symbol = nullptr;
  return number(bytes);
}

uint64_t Cursor::uleb() {
  uint64_t value = 0;
  for (uint32_t shift = 0;; shift += 7) {
    const uint8_t next = byte();
    if (shift < 64) value |= uint64_t{next & 0x7fu} << shift;
    if (next < 0x80) return value;
  }
}

int64_t Cursor::sleb() {
  uint64_t value = 0;
  for (uint32_t shift = 0;;) {
    const uint8_t next = byte();
    if (shift < 64) value |= uint64_t{next & 0x7fu} << shift;
    shift += 7;
    if (next >= 0x80) continue;
    if ((next & 0x40) != 0 && shift < 64) value |= ~uint64_t{0} << shift;
    return static_cast<int64_t>(value);
  }
}

std::string_view Cursor::text() {
  const size_t end = m_section.bytes.find('\0', m_at);
  if (m_bad || end == std::string::npos || end >= m_end) {
    m_bad = true;
    return {};
  }
  const std::string_view text = std::string_view(m_section.bytes).substr(m_at, end - m_at);
  m_at = end + 1;
  return text;
}

std::string Cursor::name() {
  constexpr size_t longest = 64;
  std::string lowest_first;
  uint32_t bits = 0, count = 0;
  for (bool more = true; more;) {
    const uint8_t next = byte();
    more = next >= 0x80;
    bits |= (next & 0x7fu) << count;
    count += 7;
    if (count >= 8) {
      if (lowest_first.size() < longest) lowest_first += static_cast<char>(bits & 0xff);
      bits >>= 8;
      count -= 8;
    }
  }
  if (bits != 0) lowest_first += static_cast<char>(bits);
  while (!lowest_first.empty() && lowest_first.back() == '\0') lowest_first.pop_back();
  const auto is_letter = [](char c) { return c > ' ' && c < 127; };
  if (!std::ranges::all_of(lowest_first, is_letter)) return {};
  return {lowest_first.rbegin(), lowest_first.rend()};
}

}  // namespace warplens::debug

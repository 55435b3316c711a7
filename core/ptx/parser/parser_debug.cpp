// Parses the debug directives .file, .loc and .section (PTX ISA 11.5).
#include <fmt/format.h>

#include "core/ptx/parser/parser.h"

namespace warplens::ptx {

namespace {

// The characters between the quotes, escapes resolved (\\, \", octal).
std::string unquote(std::string_view text) {
  std::string result;
  text = text.substr(1, text.size() - 2);
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      result += text[i];
      continue;
    }
    ++i;
    if (text[i] < '0' || text[i] > '7') {
      result += text[i] == 'n' ? '\n' : text[i] == 't' ? '\t' : text[i];
      continue;
    }
    uint32_t value = 0;
    size_t end = i;
    while (end < text.size() && end < i + 3 && text[end] >= '0' && text[end] <= '7') {
      value = value * 8 + static_cast<uint32_t>(text[end++] - '0');
    }
    result += static_cast<char>(static_cast<uint8_t>(value));
    i = end - 1;
  }
  return result;
}

}  // namespace

// .file 1 "kernel.cu"[, time, size]
bool Parser::file() {
  advance();
  uint64_t number = 0;
  const Token at = m_token;
  if (!unsigned_constant(number, "The number of a .file")) return false;
  if (number > UINT32_MAX) return fail(at, "The number of a .file must fit into 32 bits.");
  if (m_token.kind != TokenKind::string) return fail_here("the name of the file, in quotes");
  if (m_module.find_file(static_cast<uint32_t>(number)) == nullptr) {
    m_module.files.push_back({static_cast<uint32_t>(number), unquote(m_token.text)});
  }
  advance();
  uint64_t ignored = 0;
  while (accept(',')) {
    if (!unsigned_constant(ignored, "The time or size of a .file")) return false;
  }
  return true;
}

// .loc 1 10 3[, function_name label[+offset], inlined_at 1 20 5]
bool Parser::location() {
  advance();
  Location place;
  if (!place_numbers(place, ".loc")) return false;
  StringUse name;
  const auto key = std::tuple(place.file, place.line, place.column);
  if (m_token.is(',')) {
    if (!location_attributes(place, name)) return false;
  } else {  // the same place again is the same location
    const auto known = m_places.find(key);
    if (known != m_places.end() && m_module.locations[known->second].inlined_at == 0) {
      m_location = known->second;
      return true;
    }
  }
  m_location = static_cast<uint32_t>(m_module.locations.size());
  m_module.locations.push_back(place);
  m_places[key] = m_location;
  name.location = m_location;
  if (!name.label.empty()) m_string_uses.push_back(name);
  return true;
}

// file line column
bool Parser::place_numbers(Location& place, std::string_view directive) {
  for (uint32_t* const part : {&place.file, &place.line, &place.column}) {
    const Token at = m_token;
    uint64_t number = 0;
    if (!unsigned_constant(number, fmt::format("A part of {}", directive))) return false;
    if (number > UINT32_MAX) return fail(at, fmt::format("A part of {} must fit into 32 bits.", directive));
    *part = static_cast<uint32_t>(number);
  }
  return true;
}

bool Parser::location_attributes(Location& place, StringUse& string) {
  while (accept(',')) {
    Token name;
    if (!expect_name("function_name or inlined_at", name)) return false;
    if (name.text == "function_name") {
      Token label_name;
      if (!expect_name("a label of .debug_str", label_name)) return false;
      string.label = place.function = label_name.text;
      if (accept('+') && !unsigned_constant(string.offset, "The offset of function_name")) return false;
    } else if (name.text == "inlined_at") {
      Location caller;
      if (!place_numbers(caller, "inlined_at")) return false;
      const auto key = std::tuple(caller.file, caller.line, caller.column);
      const auto [entry, added] = m_places.emplace(key, static_cast<uint32_t>(m_module.locations.size()));
      if (added) m_module.locations.push_back(caller);  // no .loc named it before
      place.inlined_at = entry->second;
    } else {
      return fail(name,
                  fmt::format("'{}' is no attribute of .loc; write function_name or inlined_at.", name.text));
    }
  }
  return true;
}

// .section .debug_info { … }: skipped, apart from the strings that .loc names.
bool Parser::section() {
  advance();
  const Token name = m_token;
  if (name.kind != TokenKind::dot_word && name.kind != TokenKind::identifier) {
    return fail_here("the name of the section");
  }
  advance();
  if (!m_token.is('{')) return fail_here("'{' after .section");
  if (name.text == ".debug_str") return debug_strings();
  skip_braces();
  return true;
}

bool Parser::debug_strings() {
  advance();
  while (!m_token.is('}') && m_token.kind != TokenKind::end) {
    if (m_token.kind == TokenKind::identifier) {
      m_string_labels.emplace(m_token.text, m_string_bytes.size());
      advance();
      if (!expect(':', "after a label of .debug_str")) return false;
    } else if (accept_word(".b8")) {
      do {
        uint64_t byte = 0;
        if (!unsigned_constant(byte, "A byte of .debug_str")) return false;
        m_string_bytes += static_cast<char>(static_cast<uint8_t>(byte));
      } while (accept(','));
    } else {
      return fail_here(".b8 or a label in .debug_str");
    }
  }
  return expect('}', "at the end of .debug_str");
}

void Parser::name_inlined_functions() {
  auto strings = std::make_shared<std::vector<std::string>>();
  std::unordered_map<uint64_t, size_t> known;  // offset in .debug_str → index in strings
  std::vector<std::pair<uint32_t, size_t>> named;
  for (const StringUse& use : m_string_uses) {
    const auto label = m_string_labels.find(use.label);
    if (label == m_string_labels.end() || use.location >= m_module.locations.size()) continue;
    const uint64_t offset = label->second + use.offset;
    if (offset >= m_string_bytes.size()) continue;
    const auto [entry, added] = known.emplace(offset, strings->size());
    if (added) strings->emplace_back(m_string_bytes.c_str() + offset);
    named.emplace_back(use.location, entry->second);
  }
  for (const auto& [location_index, string] : named) {
    m_module.locations[location_index].function = (*strings)[string];
  }
  m_module.strings = std::move(strings);
}

}  // namespace warplens::ptx

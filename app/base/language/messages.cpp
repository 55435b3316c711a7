#include "app/base/language/messages.h"

#include <fmt/format.h>

#include <cstdint>
#include <optional>

#include "core/base/text_line.h"

namespace warplens {
namespace {

constexpr uint32_t magic = 0x950412de;

std::optional<uint32_t> word_at(std::string_view bytes, uint64_t at) {
  if (at + 4 > bytes.size()) return {};
  uint32_t word = 0;
  for (size_t i = 4; i-- > 0;) word = word << 8 | static_cast<unsigned char>(bytes[at + i]);
  return word;
}

// The text whose length and offset stand here.
std::optional<std::string_view> text_at(std::string_view bytes, uint64_t at) {
  const std::optional<uint32_t> length = word_at(bytes, at), offset = word_at(bytes, at + 4);
  if (!length || !offset || uint64_t{*offset} + *length > bytes.size()) return {};
  return bytes.substr(*offset, *length);
}

// A key is "context\4english\0plural", a value has one text for each form of the language. Of those for
// several, the last is taken.
Message message_of(std::string_view key, std::string_view value) {
  Message message;
  if (const size_t mark = key.find('\4'); mark != key.npos) {
    message.context = key.substr(0, mark);
    key.remove_prefix(mark + 1);
  }
  message.english = key.substr(0, key.find('\0'));
  message.plural = key.substr(key.rfind('\0') + 1);
  message.translated = value.substr(0, value.find('\0'));
  message.translated_plural = value.substr(value.rfind('\0') + 1);
  return message;
}

}  // namespace

Result<std::vector<Message>> read_messages(std::string_view bytes, const std::string& name) {
  const std::optional<uint32_t> count = word_at(bytes, 8), keys = word_at(bytes, 12),
                                values = word_at(bytes, 16);
  if (word_at(bytes, 0) != magic || !values ||
      *word_at(bytes, 4) >> 16 > 1)  // later formats have other numbers
    return bad_input(name + ": this is no table of msgfmt --endianness=little.");
  std::vector<Message> messages;
  for (uint64_t i = 0; i < *count; ++i) {
    const std::optional<std::string_view> key = text_at(bytes, *keys + 8 * i),
                                          value = text_at(bytes, *values + 8 * i);
    if (!key || !value)
      return bad_input(fmt::format("{}: text {} of {} lies outside of the table.", name, i + 1, *count));
    messages.push_back(message_of(*key, *value));
  }
  return messages;
}

std::string_view header_value(std::string_view header, std::string_view name) {
  for (std::string_view line : lines_of_text(header))
    if (line.starts_with(name) && line.substr(name.size()).starts_with(": "))
      return line.substr(name.size() + 2);
  return {};
}

}  // namespace warplens

// A table of translations as gettext's msgfmt writes it ("The Format of GNU MO Files" in its manual), with
// numbers in little-endian order.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace warplens {

// An entry of the table. `plural` and its translation are the texts for several, as in "{n} blocks"; without
// such a form they are the same as the others. The header is the translation of the empty text.
struct Message {
  std::string_view context, english, plural, translated, translated_plural;
};

// Views into the bytes. An error says where the table is wrong.
Result<std::vector<Message>> read_messages(std::string_view bytes, const std::string& name);

// The value of the header's line "Name: value". Empty if there is no such line.
std::string_view header_value(std::string_view header, std::string_view name);

}  // namespace warplens

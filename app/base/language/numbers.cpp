#include "app/base/language/numbers.h"

#include "core/base/text.h"

namespace warplens {
namespace {

// Whether the digits stand in groups of three: "114,688", "1,024.5".
bool is_grouped(std::string_view number) {
  number = number.substr(0, number.find('.'));
  if (number.size() < 4) return false;
  for (size_t at = 0; at < number.size(); ++at)
    if ((number[at] == ',') != ((number.size() - at) % 4 == 0)) return false;
  return true;
}

// Whether it is one of several that are listed without spaces, as the positions in (100,200,0).
bool is_listed(char before, char after) {
  constexpr std::string_view opens = "([{<,", closes = ")]}>,";
  return opens.find(before) != opens.npos && closes.find(after) != closes.npos;
}

}  // namespace

size_t number_length(std::string_view text, size_t at) {
  size_t end = at;
  while (end < text.size() && (is_digit(text[end]) || (end > at && (text[end] == ',' || text[end] == '.') &&
                                                       end + 1 < text.size() && is_digit(text[end + 1]))))
    ++end;
  return end - at;
}

std::string_view next_number(std::string_view text, size_t from) {
  for (size_t at = from; at < text.size(); ++at)
    if (is_digit(text[at]) && (at == 0 || (!is_letter(text[at - 1]) && !is_digit(text[at - 1]))))
      return text.substr(at, number_length(text, at));
  return {};
}

std::string with_thousands(std::string_view text, std::string_view sign) {
  if (sign.empty()) return std::string(text);
  std::string result;
  size_t done = 0;
  for (std::string_view number = next_number(text, 0); !number.empty(); number = next_number(text, done)) {
    const auto begin = static_cast<size_t>(number.data() - text.data());
    const size_t end = begin + number.size();
    const bool listed = is_listed(begin == 0 ? ' ' : text[begin - 1], end == text.size() ? ' ' : text[end]);
    result += text.substr(done, begin - done);
    result +=
        !listed && is_grouped(number) ? replace_all(std::string(number), ",", sign) : std::string(number);
    done = end;
  }
  return result.append(text.substr(done));
}

}  // namespace warplens

#include "core/base/json/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "core/base/text.h"

namespace warplens {

namespace {

constexpr size_t longest_reason = 300;

// "[json.exception.parse_error.101] parse error at line 2, column 5: …; last read: '…'". The quoted text may
// be as long as the file.
std::string reason_of(const Json::exception& exception) {
  std::string reason = exception.what();
  if (const size_t end = reason.find("] "); end != std::string::npos) reason.erase(0, end + 2);
  std::replace(reason.begin(), reason.end(), '\n', ' ');
  if (reason.size() <= longest_reason) return reason;
  return std::string(head_of(reason, longest_reason)) + "…";
}

// Checks only the nesting. Returning false ends the parse.
class DepthWatch final : public nlohmann::json_sax<Json> {
 public:
  bool too_deep() const { return m_too_deep; }

  bool start_object(size_t) override { return open(); }
  bool start_array(size_t) override { return open(); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(int64_t) override { return true; }
  bool number_unsigned(uint64_t) override { return true; }
  bool number_float(double, const std::string&) override { return true; }
  bool string(std::string&) override { return true; }
  bool binary(Json::binary_t&) override { return true; }
  bool key(std::string&) override { return true; }
  bool parse_error(size_t, const std::string&, const Json::exception&) override { return false; }

 private:
  bool open() {
    m_too_deep = m_depth == max_json_depth;
    ++m_depth;
    return !m_too_deep;
  }
  bool close() {
    --m_depth;
    return true;
  }

  int m_depth = 0;
  bool m_too_deep = false;
};

}  // namespace

Result<Json> parse_json(std::string_view text, std::string_view file) {
  constexpr bool with_exceptions = true, whole = true, comments = true;
  // A text that may be too deep is parsed twice, so that a deeply nested value is never built. nlohmann's
  // callbacks would need one pass, but for each object they walk through all of the enclosing object.
  DepthWatch watch;
  if (std::ranges::count_if(text, [](char c) { return c == '{' || c == '['; }) > max_json_depth)
    Json::sax_parse(text, &watch, Json::input_format_t::json, whole, comments);
  if (watch.too_deep())
    return bad_input(fmt::format(
        "{}: lists and objects are nested more than {} deep, which is more than is read: flatten them", file,
        max_json_depth));
  // nlohmann gives the line and column of a syntax error only in an exception.
  try {
    return Json::parse(text, nullptr, with_exceptions, comments);
  } catch (const Json::exception& exception) {
    return bad_input(fmt::format("{}: not valid JSON: {}", file, reason_of(exception)));
  }
}

}  // namespace warplens

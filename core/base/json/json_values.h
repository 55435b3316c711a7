// Values as the reports write them.
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <type_traits>

#include "core/base/dim3.h"
#include "core/base/json/json.h"

namespace warplens::json_values {

// NaN and infinities become null, since JSON cannot express them.
inline ReportJson number(double value) {
  return std::isfinite(value) ? ReportJson(value) : ReportJson(nullptr);
}

template <class T>
ReportJson or_null(const std::optional<T>& value) {
  if (!value) return nullptr;
  if constexpr (std::is_floating_point_v<T>) return number(*value);
  return ReportJson(*value);
}
inline ReportJson or_null(const std::string& text) {
  return text.empty() ? ReportJson(nullptr) : ReportJson(text);
}

inline ReportJson triple(Dim3 value) { return ReportJson::array({value.x, value.y, value.z}); }
inline ReportJson triple(const std::optional<Dim3>& value) {
  return value ? triple(*value) : ReportJson(nullptr);
}

// The text of a value. Bytes that are not UTF-8 are replaced.
template <class Json>
std::string one_line(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}
inline std::string one_line(const ReportJson& json) { return one_line<ReportJson>(json); }
template <class Json>
std::string indented(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}
inline std::string indented(const ReportJson& json) { return indented<ReportJson>(json); }

}  // namespace warplens::json_values

// Values as the reports write them.
#pragma once

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <type_traits>

#include "core/base/dim3.h"

namespace warplens::json_values {

using Json = nlohmann::ordered_json;

// JSON has neither NaN nor infinities: null.
inline Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

template <class T>
Json or_null(const std::optional<T>& value) {
  if (!value) return nullptr;
  if constexpr (std::is_floating_point_v<T>) return number(*value);
  return Json(*value);
}
inline Json or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

inline Json triple(Dim3 value) { return Json::array({value.x, value.y, value.z}); }
inline Json triple(const std::optional<Dim3>& value) { return value ? triple(*value) : Json(nullptr); }

}  // namespace warplens::json_values

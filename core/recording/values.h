// Values of JSON from other programs: a member that is absent, or of another type, gives an empty value.
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "core/base/dim3.h"
#include "core/base/json/json.h"

namespace warplens::recording {

inline const Json* value(const Json& json, const char* name) {
  if (!json.is_object()) return nullptr;
  const auto at = json.find(name);
  return at == json.end() ? nullptr : &*at;
}
inline uint64_t number(const Json& json, const char* name) {
  const Json* at = value(json, name);
  return at == nullptr || !at->is_number_unsigned() ? 0 : at->get<uint64_t>();
}
inline std::optional<double> maybe(const Json& json, const char* name) {
  const Json* at = value(json, name);
  if (at == nullptr || !at->is_number()) return std::nullopt;
  const auto real = at->get<double>();
  return std::isfinite(real) ? std::optional(real) : std::nullopt;
}
inline double real(const Json& json, const char* name) { return maybe(json, name).value_or(0); }
inline std::string text(const Json& json, const char* name) {
  const Json* at = value(json, name);
  return at == nullptr || !at->is_string() ? std::string() : at->get<std::string>();
}
inline bool truth(const Json& json, const char* name) {
  const Json* at = value(json, name);
  return at != nullptr && at->is_boolean() && at->get<bool>();
}
inline std::vector<std::string> texts(const Json& json, const char* name) {
  std::vector<std::string> found;
  const Json* at = value(json, name);
  if (at == nullptr || !at->is_array()) return found;
  for (const Json& one : *at)
    if (one.is_string()) found.push_back(one.get<std::string>());
  return found;
}
// 0 × 0 × 0 if it is not an extent.
inline Dim3 extent(const Json& json, const char* name) {
  const Json* at = value(json, name);
  if (at == nullptr || !at->is_array() || at->size() != 3) return {0, 0, 0};
  uint32_t sizes[3];
  for (size_t i = 0; i < 3; ++i) {
    if (!(*at)[i].is_number_unsigned() || (*at)[i].get<uint64_t>() > UINT32_MAX) return {0, 0, 0};
    sizes[i] = static_cast<uint32_t>((*at)[i].get<uint64_t>());
  }
  return {sizes[0], sizes[1], sizes[2]};
}

}  // namespace warplens::recording

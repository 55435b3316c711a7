// Reads JSON that people write: comments allowed, every problem named with its file and path
// ("launch.json: buffers[1].bytes: must not be negative"). The first problem sticks; getters after it give
// defaults, so that readers need no check at every step.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/dim3.h"
#include "core/base/dtype.h"
#include "core/base/json/json.h"
#include "core/base/result.h"

namespace warplens {

// The root must outlive its nodes.
struct JsonNode {
  const Json* value = nullptr;  // null: not there
  std::string path;             // "buffers[1].bytes"
  explicit operator bool() const { return value != nullptr; }
};

class JsonReader {
 public:
  explicit JsonReader(std::string file) : m_file(std::move(file)) {}

  bool ok() const { return !m_error; }
  const Error& error() const { return *m_error; }
  const std::vector<std::string>& warnings() const { return m_warnings; }

  void fail(const JsonNode& node, std::string_view message);

  // A member of an object; a node without a value where it is not there (a required one fails).
  JsonNode member(const JsonNode& object, const char* name);
  JsonNode required(const JsonNode& object, const char* name);
  JsonNode element(const JsonNode& array, size_t index);
  size_t array_size(const JsonNode& array);  // 0 where it is not there; fails where it is no array

  // Unknown keys are kept as warnings: files of a newer version should still run.
  void expect_keys(const JsonNode& object, std::initializer_list<std::string_view> known);

  std::string text(const JsonNode& node);
  bool boolean(const JsonNode& node, bool otherwise);
  uint64_t unsigned_integer(const JsonNode& node, uint64_t maximum);
  double real(const JsonNode& node);  // also "nan", "inf", "-inf"
  Dim3 dim3(const JsonNode& node);    // [x], [x, y], [x, y, z] or x
  DType dtype(const JsonNode& node);
  // The value of a scalar of this type as its bits; out of range fails.
  uint64_t scalar_bits(const JsonNode& node, DType type);

 private:
  int64_t signed_integer(const JsonNode& node, int64_t minimum, int64_t maximum);

  std::string m_file;
  std::optional<Error> m_error;
  std::vector<std::string> m_warnings;
};

}  // namespace warplens

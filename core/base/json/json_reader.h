// Reads JSON that people write. Comments are allowed, and every problem is reported with its file and path
// ("launch.json: buffers[1].bytes: must not be negative"). The reader keeps the first problem; getters that
// are called after it return defaults. So the callers need not check after every step.
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
  const Json* value = nullptr;  // null if the value is absent
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

  // A member of an object. If it is absent, member() returns a node without a value and required() fails.
  JsonNode member(const JsonNode& object, const char* name);
  JsonNode required(const JsonNode& object, const char* name);
  JsonNode element(const JsonNode& array, size_t index);
  size_t array_size(const JsonNode& array);  // 0 if it is absent; fails if it is not an array

  // Unknown keys become warnings, so that files of a newer version still run.
  void expect_keys(const JsonNode& object, std::initializer_list<std::string_view> known);

  // The root of a file of this program, whose marker has the version of its format.
  void expect_version(const JsonNode& root, const char* marker, uint64_t newest);

  std::string text(const JsonNode& node);
  bool boolean(const JsonNode& node, bool otherwise);
  uint64_t unsigned_integer(const JsonNode& node, uint64_t maximum);
  double real(const JsonNode& node);  // also "nan", "inf", "-inf"
  Dim3 dim3(const JsonNode& node);    // [x], [x, y], [x, y, z] or x
  DType dtype(const JsonNode& node);
  // The bits of a scalar of this type. Fails if the value is out of range.
  uint64_t scalar_bits(const JsonNode& node, DType type);

 private:
  int64_t signed_integer(const JsonNode& node, int64_t minimum, int64_t maximum);

  std::string m_file;
  std::optional<Error> m_error;
  std::vector<std::string> m_warnings;
};

}  // namespace warplens

// The parts of a description's reader that stand in files of their own.
#pragma once

#include <fmt/format.h>

#include <string>
#include <utility>

#include "core/base/json/json_reader.h"
#include "core/kernels/catalogue.h"
#include "core/kernels/expression.h"

namespace warplens {

// One of a few words, or `otherwise` where the key is absent.
template <class Value, size_t count>
Value word_of(JsonReader& reader, const JsonNode& node, const std::pair<const char*, Value> (&words)[count],
              Value otherwise) {
  if (!node) return otherwise;
  const std::string text = reader.text(node);
  std::string known;
  for (const auto& [word, value] : words) {
    if (text == word) return value;
    known += (known.empty() ? "" : ", ") + std::string(word);
  }
  if (reader.ok()) reader.fail(node, fmt::format("is \"{}\"; known are {}", text, known));
  return otherwise;
}

// An expression; a plain number is one.
std::string expression_text(JsonReader& reader, const JsonNode& node);

// "arguments", "settings" and "buffers".
enum class ArgumentKind : uint8_t { argument, setting, buffer };
std::vector<KernelArgument> read_arguments(JsonReader& reader, const JsonNode& list, ArgumentKind kind);

// "problem": one to three expressions; axes that are not given are 1.
std::array<std::string, 3> read_problem(JsonReader& reader, const JsonNode& node);

// "steps" and "constants". Names must be the description's own, so its arguments, settings and buffers are
// read before.
void read_steps(JsonReader& reader, const JsonNode& list, KernelDescription& kernel);
void read_constants(JsonReader& reader, const JsonNode& list, KernelDescription& kernel);

// Names must be the kernel's own, and every expression must have a value when they are all 1.
void check_expressions(JsonReader& reader, const KernelDescription& kernel);

}  // namespace warplens

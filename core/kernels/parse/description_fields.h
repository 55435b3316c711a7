// The parts of the reader of kernel descriptions, each in a file of its own.
#pragma once

#include <fmt/format.h>

#include <string>
#include <utility>

#include "core/base/json/json_reader.h"
#include "core/kernels/catalogue.h"
#include "core/kernels/formula.h"

namespace warplens {

// Reads one of a few words, or gives `otherwise` if the key is absent.
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

// Reads an expression, which may be a plain number.
std::string expression_text(JsonReader& reader, const JsonNode& node);

// "arguments", "settings" and "buffers".
enum class ArgumentKind : uint8_t { argument, setting, buffer };
std::vector<KernelArgument> read_arguments(JsonReader& reader, const JsonNode& list, ArgumentKind kind);

// "problem": one to three expressions; axes that are not given are 1.
std::array<std::string, 3> read_problem(JsonReader& reader, const JsonNode& node);

// "steps" and "constants". They may name only the description's arguments, settings and buffers, so read
// those first.
void read_steps(JsonReader& reader, const JsonNode& list, KernelDescription& kernel);
void read_constants(JsonReader& reader, const JsonNode& list, KernelDescription& kernel);

// Expressions may use only the kernel's own names.
void check_expressions(JsonReader& reader, const KernelDescription& kernel);

}  // namespace warplens

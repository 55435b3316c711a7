// Reads "arguments", "settings" and "buffers" of a kernel's description.
#include <algorithm>
#include <cmath>

#include "core/kernels/parse/description_fields.h"

namespace warplens {

namespace {

constexpr std::pair<const char*, Fill> fills[] = {{"zero", Fill::zero},
                                                  {"index", Fill::index},
                                                  {"random", Fill::random},
                                                  {"image", Fill::image},
                                                  {"formula", Fill::formula}};
constexpr std::pair<const char*, Control> controls[] = {
    {"none", Control::none},     {"slider", Control::slider}, {"log_slider", Control::log_slider},
    {"number", Control::number}, {"seed", Control::seed},     {"image", Control::image}};

void read_fill(JsonReader& reader, const JsonNode& node, KernelArgument& argument) {
  argument.fill = word_of(reader, reader.member(node, "fill"), fills, Fill::zero);
  const Control usual = argument.fill == Fill::image    ? Control::image
                        : argument.fill == Fill::random ? Control::seed
                                                        : Control::none;
  argument.control = word_of(reader, reader.member(node, "control"), controls, usual);
  if (JsonNode low = reader.member(node, "low")) argument.fill_low = reader.real(low);
  if (JsonNode high = reader.member(node, "high")) argument.fill_high = reader.real(high);
  if (!(argument.fill_low < argument.fill_high)) reader.fail(node, "low must be less than high");
  argument.formula = expression_text(reader, reader.member(node, "formula"));
  if ((argument.fill == Fill::formula) == argument.formula.empty())
    reader.fail(node, "\"fill\": \"formula\" and \"formula\" go together");
}

constexpr std::pair<const char*, bool> filters[] = {{"point", false}, {"linear", true}};
constexpr std::pair<const char*, bool> reads[] = {{"element", false}, {"float", true}};
constexpr std::pair<const char*, TextureAddress> addresses[] = {{"clamp", TextureAddress::clamp},
                                                                {"wrap", TextureAddress::wrap},
                                                                {"mirror", TextureAddress::mirror},
                                                                {"border", TextureAddress::border}};

// A plane of texels that the kernel reads through a texture object.
void read_texture(JsonReader& reader, const JsonNode& node, KernelArgument& argument) {
  TextureSpec spec;
  spec.type = argument.dtype;
  spec.address.fill(word_of(reader, reader.member(node, "address"), addresses, TextureAddress::clamp));
  spec.linear = word_of(reader, reader.member(node, "filter"), filters, false);
  spec.normalized_read = word_of(reader, reader.member(node, "read"), reads, false);
  spec.normalized = reader.boolean(reader.member(node, "normalized"), false);
  const bool is_float = spec.type == DType::f16 || spec.type == DType::f32;
  if (bytes_of(spec.type) > 4) reader.fail(node, "texels have at most 32 bits a channel");
  if (spec.normalized_read && (is_float || bytes_of(spec.type) > 2))
    reader.fail(node, "\"read\": \"float\" is for integers of 8 and 16 bits");
  if (spec.linear && !is_float && !spec.normalized_read)
    reader.fail(node, "\"filter\": \"linear\" needs floats, or \"read\": \"float\"");
  argument.texture = spec;
}

void read_buffer(JsonReader& reader, const JsonNode& node, KernelArgument& argument) {
  const JsonNode texture = reader.member(node, "texture");
  if (texture) {
    reader.expect_keys(node, {"name", "title", "texture", "fill", "low", "high", "formula", "width", "height",
                              "channels", "control", "address", "filter", "read", "normalized"});
  } else {
    reader.expect_keys(node, {"name", "title", "buffer", "fill", "low", "high", "formula", "output", "width",
                              "height", "channels", "control"});
  }
  argument.is_buffer = true;
  argument.dtype = reader.dtype(texture ? texture : reader.member(node, "buffer"));
  if (texture) read_texture(reader, node, argument);
  read_fill(reader, node, argument);
  argument.output = reader.boolean(reader.member(node, "output"), false);
  argument.width = expression_text(reader, reader.required(node, "width"));
  argument.height = expression_text(reader, reader.member(node, "height"));
  argument.channels = expression_text(reader, reader.member(node, "channels"));
}

void read_scalar(JsonReader& reader, const JsonNode& node, KernelArgument& argument) {
  argument.dtype = reader.dtype(reader.member(node, "scalar"));
  argument.expression = expression_text(reader, reader.member(node, "expression"));
  if (!argument.expression.empty()) {
    reader.expect_keys(node, {"name", "title", "scalar", "expression"});
    return;
  }
  reader.expect_keys(node, {"name", "title", "scalar", "control", "value", "minimum", "maximum"});
  argument.control = word_of(reader, reader.member(node, "control"), controls, Control::number);
  argument.value = reader.real(reader.required(node, "value"));
  argument.minimum = reader.real(reader.required(node, "minimum"));
  argument.maximum = reader.real(reader.required(node, "maximum"));
  if (!std::isfinite(argument.minimum) || !std::isfinite(argument.maximum) ||
      !(argument.minimum <= argument.value) || !(argument.value <= argument.maximum))
    reader.fail(node, "value must lie from minimum to maximum, and both must be finite");
  if (argument.control == Control::log_slider && argument.minimum < 0)
    reader.fail(node, "a log_slider needs a minimum of at least 0");
}

const char* needs(ArgumentKind kind) {
  switch (kind) {
    case ArgumentKind::argument:
      return "needs one of \"buffer\", \"texture\" and \"scalar\" with a type";
    case ArgumentKind::setting:
      return "needs \"scalar\" with a type";
    case ArgumentKind::buffer:
      return "needs \"buffer\" with a type";
  }
  return "";
}

KernelArgument read_argument(JsonReader& reader, const JsonNode& node, ArgumentKind kind) {
  KernelArgument argument;
  argument.name = reader.text(reader.required(node, "name"));
  argument.title = reader.text(reader.required(node, "title"));
  const bool texture = static_cast<bool>(reader.member(node, "texture"));
  const bool buffer = texture || static_cast<bool>(reader.member(node, "buffer"));
  const bool scalar = static_cast<bool>(reader.member(node, "scalar"));
  if (buffer == scalar || (buffer && kind == ArgumentKind::setting) ||
      (scalar && kind == ArgumentKind::buffer) || (texture && kind != ArgumentKind::argument))
    reader.fail(node, needs(kind));
  else if (buffer)
    read_buffer(reader, node, argument);
  else
    read_scalar(reader, node, argument);
  return argument;
}

}  // namespace

std::string expression_text(JsonReader& reader, const JsonNode& node) {
  if (node && node.value->is_number()) return node.value->dump();
  return reader.text(node);
}

std::vector<KernelArgument> read_arguments(JsonReader& reader, const JsonNode& list, ArgumentKind kind) {
  std::vector<KernelArgument> arguments;
  for (size_t i = 0; i < reader.array_size(list); ++i)
    arguments.push_back(read_argument(reader, reader.element(list, i), kind));
  return arguments;
}

}  // namespace warplens

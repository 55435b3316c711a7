#include "core/job/files/launch_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/launch/steps.h"

namespace warplens {

namespace {

constexpr size_t max_steps = 100'000;
constexpr size_t max_arguments = 1024;
constexpr size_t max_struct_bytes = 32'764;  // CUDA C++ Programming Guide, kernel parameters

Argument read_argument(JsonReader& reader, const JsonNode& node, const LaunchRequest& request);

std::string buffer_names(const LaunchRequest& request) {
  std::string names;
  for (const BufferSpec& buffer : request.buffers) {
    if (names.size() > 200) return names + ", …";
    names += (names.empty() ? "" : ", ") + buffer.name;
  }
  return names.empty() ? "there are none" : "there are " + names;
}

Argument read_buffer_argument(JsonReader& reader, const JsonNode& node, const LaunchRequest& request) {
  reader.expect_keys(node, {"buffer", "offset"});
  BufferArgument argument;
  argument.buffer = read_buffer_name(reader, reader.member(node, "buffer"), request);
  if (!reader.ok()) return argument;
  argument.offset =
      reader.unsigned_integer(reader.member(node, "offset"), request.buffers[argument.buffer].bytes);
  return argument;
}

// Bytes as hexadecimal digits, two for each byte.
Bytes read_hex(JsonReader& reader, const JsonNode& node) {
  const std::string text = reader.text(node);
  const auto digit = [](char c) { return std::string_view("0123456789abcdef").find(c); };
  Bytes bytes;
  for (size_t i = 0; i + 1 < text.size(); i += 2) {
    const size_t high = digit(text[i]), low = digit(text[i + 1]);
    if (high == std::string::npos || low == std::string::npos) break;
    bytes.push_back(static_cast<std::byte>(high * 16 + low));
  }
  if (bytes.size() * 2 != text.size())
    reader.fail(node, R"(must be pairs of the digits 0-9 and a-f, such as "00ff")");
  return bytes;
}

// The fields in order, each at the next multiple of its size, as in C++. "bytes" are not aligned.
Argument read_struct(JsonReader& reader, const JsonNode& node, const LaunchRequest& request) {
  StructArgument given;
  const auto append = [&](const void* data, size_t size) {
    given.bytes.resize((given.bytes.size() + size - 1) / size * size);
    const auto* first = static_cast<const std::byte*>(data);
    given.bytes.insert(given.bytes.end(), first, first + size);
  };
  const JsonNode fields = reader.member(node, "struct");
  const size_t count = reader.array_size(fields);
  for (size_t i = 0; i < count && reader.ok(); ++i) {
    const JsonNode field = reader.element(fields, i);
    if (const JsonNode hex = reader.member(field, "bytes")) {
      const Bytes bytes = read_hex(reader, hex);
      given.bytes.insert(given.bytes.end(), bytes.begin(), bytes.end());
      continue;
    }
    if (field && field.value->is_object() && field.value->contains("struct")) {
      reader.fail(field, "is a structure in a structure; write its fields one by one");
      break;
    }
    const Argument part = read_argument(reader, field, request);
    if (const auto* scalar = std::get_if<ScalarArgument>(&part)) {
      append(&scalar->bits, bytes_of(scalar->type));
    } else if (std::holds_alternative<TextureArgument>(part)) {
      reader.fail(field, "is a texture in a structure; pass it as an argument of its own");
    } else {
      const auto& buffer = std::get<BufferArgument>(part);
      const uint64_t zero = 0;
      append(&zero, sizeof(zero));
      given.pointers.push_back({static_cast<uint32_t>(given.bytes.size() - 8), buffer});
    }
    if (given.bytes.size() > max_struct_bytes)
      reader.fail(fields, fmt::format("is larger than {} bytes, what all parameters together may have",
                                      max_struct_bytes));
  }
  return given;
}

Argument read_argument(JsonReader& reader, const JsonNode& node, const LaunchRequest& request) {
  if (!node || !node.value->is_object()) {
    reader.fail(node, R"(must be an object such as {"buffer":"x"} or {"i32":10})");
    return ScalarArgument{};
  }
  if (node.value->contains("buffer")) return read_buffer_argument(reader, node, request);
  if (node.value->contains("texture")) {
    reader.expect_keys(node, {"texture"});
    return read_texture(reader, reader.member(node, "texture"), request);
  }
  if (node.value->contains("surface")) {
    reader.expect_keys(node, {"surface"});
    TextureArgument surface = read_texture(reader, reader.member(node, "surface"), request);
    surface.spec.surface = true;
    return surface;
  }
  if (node.value->contains("struct")) return read_struct(reader, node, request);
  for (const auto& [key, value] : node.value->items()) {
    const std::optional<DType> type = dtype_from_short(key);
    if (!type) continue;
    const JsonNode scalar = reader.member(node, key.c_str());
    reader.expect_keys(node, {key});
    return ScalarArgument{*type, reader.scalar_bits(scalar, *type)};
  }
  reader.fail(node, "must be a buffer or a scalar: i8, u8, i16, u16, i32, u32, i64, u64, f16, f32 or f64");
  return ScalarArgument{};
}

template <class StepOfBuffer>
bool read_buffer_step(JsonReader& reader, const JsonNode& node, const char* key, LaunchRequest& request) {
  const JsonNode member = reader.member(node, key);
  if (!member) return false;
  reader.expect_keys(node, {key});
  request.steps.emplace_back(StepOfBuffer{read_buffer_name(reader, member, request)});
  return true;
}

void read_step(JsonReader& reader, const JsonNode& node, LaunchRequest& request) {
  if (const JsonNode launch = reader.member(node, "launch")) {
    reader.expect_keys(node, {"launch"});
    reader.expect_keys(launch, {"entry", "grid", "block", "shared_bytes", "cooperative", "args"});
    LaunchStep step = read_launch(reader, launch, request);
    request.steps.emplace_back(std::move(step));
    return;
  }
  const bool known = read_buffer_step<CopyInStep>(reader, node, "copy_in", request) ||
                     read_buffer_step<CopyOutStep>(reader, node, "copy_out", request) ||
                     read_buffer_step<AllocateStep>(reader, node, "allocate", request) ||
                     read_buffer_step<FreeStep>(reader, node, "free", request);
  if (!known) reader.fail(node, "must have one of launch, copy_in, copy_out, allocate and free");
}

template <class StepOfBuffer>
bool has_step(const LaunchRequest& request, uint32_t buffer) {
  return std::ranges::any_of(request.steps, [&](const Step& step) {
    const auto* found = std::get_if<StepOfBuffer>(&step);
    return found != nullptr && found->buffer == buffer;
  });
}

// A buffer that no step allocates lives from before the first step to after the last.
void surround(LaunchRequest& request) {
  std::vector<Step> before, after;
  for (uint32_t i = 0; i < request.buffers.size(); ++i) {
    if (has_step<AllocateStep>(request, i)) continue;
    before.emplace_back(AllocateStep{i});
    if (!has_step<CopyInStep>(request, i)) before.emplace_back(CopyInStep{i});
    if (request.buffers[i].output && !has_step<CopyOutStep>(request, i)) after.emplace_back(CopyOutStep{i});
    if (!has_step<FreeStep>(request, i)) after.emplace_back(FreeStep{i});
  }
  request.steps.insert(request.steps.begin(), before.begin(), before.end());
  request.steps.insert(request.steps.end(), after.begin(), after.end());
}

void read_list(JsonReader& reader, const JsonNode& steps, LaunchRequest& request) {
  const size_t count = reader.array_size(steps);
  if (count > max_steps)
    reader.fail(steps, fmt::format("has {} steps; at most {} are read", count, max_steps));
  for (size_t i = 0; i < count && reader.ok(); ++i) read_step(reader, reader.element(steps, i), request);
  if (!reader.ok()) return;
  if (first_launch(request) == nullptr) reader.fail(steps, "has no launch, so nothing would run");
  for (const Step& step : request.steps)
    if (const auto* copy = std::get_if<CopyOutStep>(&step)) request.buffers[copy->buffer].output = true;
}

}  // namespace

uint32_t read_buffer_name(JsonReader& reader, const JsonNode& node, const LaunchRequest& request) {
  const std::string name = reader.text(node);
  for (uint32_t i = 0; i < request.buffers.size(); ++i)
    if (request.buffers[i].name == name) return i;
  reader.fail(node, fmt::format("no buffer has the name \"{}\"; {}", name, buffer_names(request)));
  return 0;
}

namespace {

void check_cube(JsonReader& reader, const JsonNode& shape, const TextureSpec& spec) {
  if (!is_cube(spec.shape)) return;
  const bool one = spec.shape == TextureShape::cube;
  if (spec.width != spec.height || spec.depth % 6 != 0 || (one && spec.depth != 6))
    reader.fail(shape, "needs square faces, and \"layers\": six for each cube");
}

void read_texture_shape(JsonReader& reader, const JsonNode& node, TextureSpec& spec) {
  constexpr std::pair<std::string_view, TextureShape> shapes[] = {
      {"linear", TextureShape::linear},
      {"1d", TextureShape::one},
      {"2d", TextureShape::two},
      {"3d", TextureShape::three},
      {"1d_layered", TextureShape::layers_of_one},
      {"2d_layered", TextureShape::layers_of_two},
      {"cube", TextureShape::cube},
      {"cube_layered", TextureShape::layers_of_cubes}};
  const auto size = [&](const char* key) {
    const JsonNode member = reader.member(node, key);
    return member ? static_cast<uint32_t>(reader.unsigned_integer(member, 1u << 28)) : 1u;
  };
  spec.width = static_cast<uint32_t>(reader.unsigned_integer(reader.required(node, "width"), 1u << 28));
  spec.height = size("height");
  const JsonNode layers = reader.member(node, "layers");
  spec.depth = layers ? size("layers") : size("depth");
  const JsonNode channels = reader.member(node, "channels");
  if (channels) spec.channels = static_cast<uint32_t>(reader.unsigned_integer(channels, 4));
  if (reader.ok() && spec.channels != 1 && spec.channels != 2 && spec.channels != 4)
    reader.fail(channels, "must be 1, 2 or 4");
  // Without "shape", the given sizes decide the number of dimensions.
  const bool flat = !reader.member(node, "height");
  spec.shape = layers ? flat ? TextureShape::layers_of_one : TextureShape::layers_of_two
               : reader.member(node, "depth") ? TextureShape::three
               : flat                         ? TextureShape::one
                                              : TextureShape::two;
  const JsonNode shape = reader.member(node, "shape");
  if (!shape) return;
  const std::string name = reader.text(shape);
  const auto found = std::ranges::find(shapes, name, &std::pair<std::string_view, TextureShape>::first);
  if (found == std::end(shapes)) {
    reader.fail(shape, "must be linear, 1d, 2d, 3d, 1d_layered, 2d_layered, cube or cube_layered");
  } else {
    spec.shape = found->second;
    check_cube(reader, shape, spec);
  }
}

// The levels of a mipmap, and the gaps between rows.
void read_texture_memory(JsonReader& reader, const JsonNode& node, TextureSpec& spec) {
  if (const JsonNode levels = reader.member(node, "levels")) {
    spec.levels = static_cast<uint32_t>(reader.unsigned_integer(levels, 30));
    const uint32_t largest = std::max({spec.width, spec.height, spec.depth_of(0)});
    if (reader.ok() && (spec.levels == 0 || (largest >> (spec.levels - 1)) == 0))
      reader.fail(levels, "has more levels than the texture can be halved, or none");
  }
  if (const JsonNode bias = reader.member(node, "level_bias"))
    spec.level_bias = static_cast<float>(reader.real(bias));
  if (const JsonNode least = reader.member(node, "min_level"))
    spec.min_level = static_cast<float>(reader.real(least));
  if (const JsonNode most = reader.member(node, "max_level"))
    spec.max_level = static_cast<float>(reader.real(most));
  const JsonNode pitch = reader.member(node, "pitch");
  if (!pitch) return;
  spec.pitch = static_cast<uint32_t>(reader.unsigned_integer(pitch, 1u << 30));
  if (reader.ok() && (spec.shape != TextureShape::two || spec.levels != 1 || spec.pitch < spec.row_bytes(0) ||
                      spec.pitch < spec.width * spec.texel_bytes()))
    reader.fail(pitch, "is for a texture of two dimensions, and no less than the bytes of a row");
}

void read_texture_address(JsonReader& reader, const JsonNode& node, TextureSpec& spec) {
  const JsonNode address = reader.member(node, "address");
  if (!address) return;
  const bool several = address.value->is_array();
  for (uint32_t d = 0; d < 3 && reader.ok(); ++d) {
    if (several && d >= reader.array_size(address)) break;
    const JsonNode mode = several ? reader.element(address, d) : address;
    const auto found = texture_address_from(reader.text(mode));
    if (!found) return reader.fail(mode, "must be wrap, clamp, mirror or border");
    spec.address[d] = *found;
  }
}

}  // namespace

TextureArgument read_texture(JsonReader& reader, const JsonNode& node, const LaunchRequest& request) {
  reader.expect_keys(node, {"buffer", "dtype", "width", "height", "depth", "layers", "channels", "shape",
                            "address", "filter", "normalized", "read", "levels", "level_filter", "level_bias",
                            "min_level", "max_level", "pitch"});
  TextureArgument argument;
  argument.buffer = read_buffer_name(reader, reader.required(node, "buffer"), request);
  if (!reader.ok()) return argument;
  TextureSpec& spec = argument.spec;
  const JsonNode dtype = reader.member(node, "dtype");
  spec.type = dtype ? reader.dtype(dtype) : request.buffers[argument.buffer].dtype;
  if (reader.ok() && bytes_of(spec.type) > 4)
    reader.fail(dtype ? dtype : node, "texels have at most 32 bits a channel");
  read_texture_shape(reader, node, spec);
  if (!reader.ok()) return argument;
  read_texture_memory(reader, node, spec);
  read_texture_address(reader, node, spec);
  const auto one_of = [&](const char* key, std::string_view no, std::string_view yes) {
    const JsonNode member = reader.member(node, key);
    const std::string word = member ? reader.text(member) : std::string(no);
    if (reader.ok() && word != no && word != yes)
      reader.fail(member, fmt::format("must be {} or {}", no, yes));
    return word == yes;
  };
  spec.linear = one_of("filter", "point", "linear");
  spec.linear_levels = one_of("level_filter", "point", "linear");
  spec.normalized_read = one_of("read", "element", "float");
  spec.normalized = reader.boolean(reader.member(node, "normalized"), false);
  const bool whole = spec.type != DType::f32 && spec.type != DType::f16;
  const bool wide = bytes_of(spec.type) == 4;
  if (reader.ok() && spec.normalized_read && (!whole || wide))
    reader.fail(reader.member(node, "read"), "float is for integers of 8 and 16 bits");
  if (reader.ok() && (spec.linear || spec.linear_levels) && whole && !spec.normalized_read)
    reader.fail(reader.member(node, "filter"), "linear needs floats, or \"read\": \"float\"");
  const uint64_t bytes = request.buffers[argument.buffer].bytes;
  if (reader.ok() && (spec.width == 0 || spec.bytes() > bytes))
    reader.fail(node, fmt::format("{} × {} × {} texels of {} bytes do not fit the buffer's {} bytes",
                                  spec.width, spec.height, spec.depth, spec.texel_bytes(), bytes));
  return argument;
}

LaunchStep read_launch(JsonReader& reader, const JsonNode& node, const LaunchRequest& request) {
  LaunchStep step;
  step.entry = reader.text(reader.member(node, "entry"));
  step.grid = reader.dim3(reader.required(node, "grid"));
  step.block = reader.dim3(reader.required(node, "block"));
  step.shared_dynamic_bytes =
      static_cast<uint32_t>(reader.unsigned_integer(reader.member(node, "shared_bytes"), UINT32_MAX));
  step.cooperative = reader.boolean(reader.member(node, "cooperative"), false);
  const JsonNode arguments = reader.member(node, "args");
  const size_t count = reader.array_size(arguments);
  if (count > max_arguments)
    reader.fail(arguments, fmt::format("has {} arguments; at most {} are read", count, max_arguments));
  for (size_t i = 0; i < count && reader.ok(); ++i)
    step.arguments.push_back(read_argument(reader, reader.element(arguments, i), request));
  return step;
}

void read_steps(JsonReader& reader, const JsonNode& root, LaunchRequest& request) {
  const JsonNode steps = reader.member(root, "steps");
  if (steps) {
    for (const char* key : {"entry", "grid", "block", "shared_bytes", "cooperative", "args"})
      if (const JsonNode other = reader.member(root, key))
        reader.fail(other, "cannot be used together with \"steps\"; put it into a launch step");
    read_list(reader, steps, request);
  } else {
    LaunchStep launch = read_launch(reader, root, request);
    request.steps.emplace_back(std::move(launch));
  }
  const bool any_output = std::ranges::any_of(request.buffers, &BufferSpec::output);
  if (!any_output)
    for (BufferSpec& buffer : request.buffers) buffer.output = true;
  surround(request);
}

}  // namespace warplens

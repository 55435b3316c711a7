#include "core/job/files/launch_file.h"

#include <fmt/format.h>

#include <filesystem>

#include "core/base/figures.h"
#include "core/base/json/json_reader.h"
#include "core/base/system/files.h"
#include "core/job/files/launch_steps.h"

namespace warplens {

namespace {

constexpr uint64_t max_text_bytes = uint64_t{64} << 20;
constexpr size_t max_buffers = 10'000;

// The state that all parts of the reader share.
struct Reading {
  JsonReader reader;
  std::string folder;
  uint64_t bytes = 0;  // of all buffers so far
};

std::string resolved(const Reading& reading, const std::string& path) {
  const std::filesystem::path given(path);
  return given.is_absolute() ? path : (std::filesystem::path(reading.folder) / given).string();
}

std::string file_name(const std::string& path) { return std::filesystem::path(path).filename().string(); }

std::string read_text_of(Reading& reading, const JsonNode& node) {
  const std::string path = reading.reader.text(node);
  if (!reading.reader.ok()) return "";
  Result<std::string> text = read_text(resolved(reading, path), max_text_bytes);
  if (text) return std::move(text).value();
  reading.reader.fail(node, text.error().message);
  return "";
}

std::shared_ptr<const Bytes> read_bytes_of(Reading& reading, const JsonNode& node) {
  const std::string path = reading.reader.text(node);
  if (!reading.reader.ok()) return nullptr;
  Result<Bytes> bytes = read_bytes(resolved(reading, path), max_launch_file_bytes);
  if (bytes) return std::make_shared<const Bytes>(std::move(bytes).value());
  reading.reader.fail(node, bytes.error().message);
  return nullptr;
}

void read_module(Reading& reading, const JsonNode& root, LaunchFile& file) {
  JsonReader& reader = reading.reader;
  const JsonNode ptx = reader.member(root, "ptx"), source = reader.member(root, "source"),
                 kernel = reader.member(root, "kernel");
  const int given = int(bool(ptx)) + int(bool(source)) + int(bool(kernel));
  if (given != 1) {
    reader.fail(root, given == 0 ? R"(needs one of "ptx", "source" and "kernel": what to run)"
                                 : R"(has several of "ptx", "source" and "kernel"; keep one)");
    return;
  }
  auto module = std::make_shared<ModuleText>();
  if (kernel) {
    file.kernel = reader.text(kernel);
    file.request.kernel = file.kernel;
    return;
  }
  const JsonNode& node = ptx ? ptx : source;
  (ptx ? module->ptx : module->source) = read_text_of(reading, node);
  (ptx ? module->ptx_name : module->source_name) = file_name(reader.text(node));
  file.request.kernel = file_name(reader.text(node));
  file.request.module = std::move(module);
}

// "bytes" and the size of the file must be equal; without a file, "bytes" is required.
void read_buffer_size(Reading& reading, const JsonNode& node, BufferSpec& buffer) {
  JsonReader& reader = reading.reader;
  const JsonNode bytes = reader.member(node, "bytes");
  if (bytes) buffer.bytes = reader.unsigned_integer(bytes, max_launch_file_bytes);
  const JsonNode file = reader.member(node, "file");
  if (!file && !bytes) reader.fail(bytes, "is missing; a buffer without a file needs its size");
  if (file && reader.ok()) buffer.initial = read_bytes_of(reading, file);
  if (buffer.initial) {
    if (!bytes) buffer.bytes = buffer.initial->size();
    if (buffer.bytes != buffer.initial->size())
      reader.fail(bytes, fmt::format("is {}, but {} has {} bytes", buffer.bytes, reader.text(file),
                                     buffer.initial->size()));
  }
  reading.bytes += buffer.bytes;
  if (reader.ok() && reading.bytes > max_launch_file_bytes)
    reader.fail(
        bytes, fmt::format("all buffers together are larger than {}", byte_size_text(max_launch_file_bytes)));
}

void read_buffer(Reading& reading, const JsonNode& node, LaunchRequest& request) {
  JsonReader& reader = reading.reader;
  reader.expect_keys(node, {"name", "file", "bytes", "dtype", "output", "width", "height", "channels"});
  BufferSpec buffer;
  const JsonNode name = reader.required(node, "name");
  buffer.name = reader.text(name);
  if (reader.ok() && buffer.name.empty()) reader.fail(name, "must not be empty");
  for (const BufferSpec& other : request.buffers)
    if (other.name == buffer.name) reader.fail(name, fmt::format("\"{}\" names two buffers", buffer.name));
  const JsonNode dtype = reader.member(node, "dtype");
  buffer.dtype = reader.dtype(dtype);
  buffer.output = reader.boolean(reader.member(node, "output"), false);
  read_buffer_size(reading, node, buffer);
  if (!reader.ok()) return;
  const uint32_t size = bytes_of(buffer.dtype);
  if (buffer.bytes % size != 0)
    reader.fail(node, fmt::format("{} bytes are no whole number of {} elements of {} bytes", buffer.bytes,
                                  numpy_name(buffer.dtype), size));
  const uint64_t elements = buffer.bytes / size;
  const JsonNode width = reader.member(node, "width"), height = reader.member(node, "height"),
                 channels = reader.member(node, "channels");
  buffer.width = static_cast<uint32_t>(width ? reader.unsigned_integer(width, UINT32_MAX)
                                             : std::min<uint64_t>(elements, UINT32_MAX));
  if (height) buffer.height = static_cast<uint32_t>(reader.unsigned_integer(height, UINT32_MAX));
  if (channels) buffer.channels = static_cast<uint32_t>(reader.unsigned_integer(channels, 4));
  if (reader.ok() && width && Dim3{buffer.width, buffer.height, buffer.channels}.count() != elements)
    reader.fail(width, fmt::format("{} × {} × {} elements are not the {} of the buffer", buffer.width,
                                   buffer.height, buffer.channels, elements));
  request.buffers.push_back(std::move(buffer));
}

void read_global(Reading& reading, const JsonNode& node, LaunchRequest& request) {
  JsonReader& reader = reading.reader;
  reader.expect_keys(node, {"symbol", "file", "bytes", "dtype", "texture"});
  if (const JsonNode texture = reader.member(node, "texture")) {
    TextureBinding binding{reader.text(reader.required(node, "symbol")),
                           read_texture(reader, texture, request)};
    request.textures.push_back(std::move(binding));
    return;
  }
  GlobalInit global;
  global.symbol = reader.text(reader.required(node, "symbol"));
  const JsonNode file = reader.required(node, "file");
  if (!reader.ok()) return;
  if (const auto bytes = read_bytes_of(reading, file)) global.bytes = *bytes;
  const JsonNode size = reader.member(node, "bytes");
  if (size && reader.unsigned_integer(size, max_launch_file_bytes) != global.bytes.size())
    reader.fail(size, fmt::format("but {} has {} bytes", reader.text(file), global.bytes.size()));
  request.globals.push_back(std::move(global));
}

void read_expectation(Reading& reading, const JsonNode& node, LaunchFile& file) {
  JsonReader& reader = reading.reader;
  reader.expect_keys(node, {"buffer", "file", "dtype", "rtol"});
  Expectation expectation;
  expectation.buffer = reader.text(reader.required(node, "buffer"));
  const JsonNode path = reader.required(node, "file");
  const uint32_t index = read_buffer_name(reader, reader.member(node, "buffer"), file.request);
  if (!reader.ok()) return;
  BufferSpec& buffer = file.request.buffers[index];
  const JsonNode dtype = reader.member(node, "dtype");
  expectation.dtype = dtype ? reader.dtype(dtype) : buffer.dtype;
  const JsonNode rtol = reader.member(node, "rtol");
  if (rtol) expectation.rtol = reader.real(rtol);
  if (reader.ok() && !(expectation.rtol >= 0 && expectation.rtol < 1e300))
    reader.fail(rtol, "must be 0 (bit for bit) or a positive number");
  expectation.bytes = read_bytes_of(reading, path);
  if (!reader.ok()) return;
  if (expectation.bytes->size() != buffer.bytes)
    reader.fail(path, fmt::format("{} has {} bytes, but the buffer {} has {}", reader.text(path),
                                  expectation.bytes->size(), buffer.name, buffer.bytes));
  if (expectation.bytes->size() % bytes_of(expectation.dtype) != 0)
    reader.fail(path, fmt::format("{} bytes are no whole number of {} elements", expectation.bytes->size(),
                                  numpy_name(expectation.dtype)));
  buffer.output = true;
  file.expectations.push_back(std::move(expectation));
}

// A texture may name a file instead of a buffer. Such a file becomes a buffer of its own.
void give_texture_files_buffers(Json& root) {
  if (!root.is_object() || (root.contains("buffers") && !root["buffers"].is_array())) return;
  const auto visit = [&](Json& list, const std::string& where) {
    if (!list.is_array()) return;
    for (size_t i = 0; i < list.size(); ++i) {
      if (!list[i].is_object() || !list[i].contains("texture")) continue;
      Json& texture = list[i]["texture"];
      if (!texture.is_object() || !texture.contains("file") || texture.contains("buffer")) continue;
      const std::string name = fmt::format("texture of {}[{}]", where, i);
      Json buffer{{"name", name}, {"file", texture["file"]}};
      if (texture.contains("dtype")) buffer["dtype"] = texture["dtype"];
      root["buffers"].push_back(std::move(buffer));
      texture.erase("file");
      texture["buffer"] = name;
    }
  };
  if (root.contains("args")) visit(root["args"], "args");
  if (root.contains("globals")) visit(root["globals"], "globals");
  if (!root.contains("steps") || !root["steps"].is_array()) return;
  for (size_t i = 0; i < root["steps"].size(); ++i) {
    Json& step = root["steps"][i];
    if (!step.is_object() || !step.contains("launch") || !step["launch"].is_object()) continue;
    if (step["launch"].contains("args")) visit(step["launch"]["args"], fmt::format("steps[{}].args", i));
  }
}

template <class ReadOne>
void read_all(JsonReader& reader, const JsonNode& list, ReadOne read_one) {
  const size_t count = reader.array_size(list);
  if (count > max_buffers)
    reader.fail(list, fmt::format("has {} entries; at most {} are read", count, max_buffers));
  for (size_t i = 0; i < count && reader.ok(); ++i) read_one(reader.element(list, i));
}

}  // namespace

Result<LaunchFile> parse_launch_file(std::string_view text, const std::string& name,
                                     const std::string& folder) {
  Result<Json> json = parse_json(text, name);
  if (!json) return json.error();
  give_texture_files_buffers(*json);
  Reading reading{JsonReader(name), folder, 0};
  JsonReader& reader = reading.reader;
  const JsonNode root{&*json, ""};
  LaunchFile file;
  reader.expect_keys(root, {"ptx", "source", "kernel", "entry", "grid", "block", "shared_bytes",
                            "cooperative", "steps", "buffers", "globals", "args", "expect"});
  if (!json->is_object()) reader.fail(root, "must be one JSON object {…}");
  if (reader.ok()) read_module(reading, root, file);
  if (reader.ok())
    read_all(reader, reader.member(root, "buffers"),
             [&](const JsonNode& node) { read_buffer(reading, node, file.request); });
  if (reader.ok())
    read_all(reader, reader.member(root, "globals"),
             [&](const JsonNode& node) { read_global(reading, node, file.request); });
  if (reader.ok())
    read_all(reader, reader.member(root, "expect"),
             [&](const JsonNode& node) { read_expectation(reading, node, file); });
  if (reader.ok()) read_steps(reader, root, file.request);
  if (!reader.ok()) return reader.error();
  file.warnings = reader.warnings();
  return file;
}

Result<LaunchFile> read_launch_file(const std::string& path) {
  const Result<std::string> text = read_text(path, max_text_bytes);
  if (!text) return text.error();
  return parse_launch_file(*text, file_name(path), std::filesystem::path(path).parent_path().string());
}

}  // namespace warplens

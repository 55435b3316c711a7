#include "app/cli/shared/output.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <ostream>

#include "core/base/system/files.h"
#include "core/base/text.h"
#include "core/image/image.h"
#include "core/job/report/report.h"

namespace warplens {

namespace {

enum class WrittenAs { picture, raw, unknown };

WrittenAs kind_of(const std::string& path) {
  const std::string ending = lower_case(std::filesystem::path(path).extension().string());
  if (std::ranges::find(saved_picture_endings(), ending) != saved_picture_endings().end())
    return WrittenAs::picture;
  return ending == ".bin" || ending == ".raw" ? WrittenAs::raw : WrittenAs::unknown;
}

const BufferSpec* first_output(const LaunchRequest& request) {
  const auto found = std::ranges::find(request.buffers, true, &BufferSpec::output);
  return found == request.buffers.end() ? nullptr : &*found;
}

bool can_be_picture(const BufferSpec& buffer) {
  const bool channels = buffer.channels == 1 || buffer.channels == 3 || buffer.channels == 4;
  return buffer.dtype == DType::u8 && channels && buffer.width != 0 && buffer.height != 0 &&
         Dim3{buffer.width, buffer.height, buffer.channels}.count() == buffer.bytes;
}

Error named(const char* option, const Error& error) {
  return {error.kind, fmt::format("{} {}", option, error.message)};
}

Result<void> save_picture(const BufferSpec& buffer, const Bytes& bytes, const std::string& path) {
  Image image;
  image.width = buffer.width;
  image.height = buffer.height;
  image.channels = buffer.channels;
  image.pixels.resize(bytes.size());
  std::memcpy(image.pixels.data(), bytes.data(), bytes.size());
  return write_with(path, [&](const std::string& temporary) { return save_image(image, temporary); });
}

}  // namespace

Result<void> check_output(const LaunchRequest& request, const std::string& path) {
  if (path.empty()) return {};
  const WrittenAs kind = kind_of(path);
  if (kind == WrittenAs::unknown)
    return bad_input(
        fmt::format("--out {}: the ending says how to write it: .png, .jpg, .bmp or .tga for a picture, "
                    ".bin for raw bytes",
                    path));
  const BufferSpec* buffer = first_output(request);
  if (buffer == nullptr)
    return bad_input(fmt::format("--out {}: {} has no output to write", path, request.kernel));
  if (kind == WrittenAs::picture && !can_be_picture(*buffer))
    return bad_input(
        fmt::format("--out {}: the output {} is no picture but {} {} elements; write it as raw bytes with "
                    "the ending .bin",
                    path, buffer->name, buffer->bytes / bytes_of(buffer->dtype), numpy_name(buffer->dtype)));
  if (const Result<void> writable = check_writable(path); !writable) return named("--out", writable.error());
  return {};
}

Result<void> check_report(const std::string& path) {
  if (path.empty() || path == "-") return {};
  if (const Result<void> writable = check_writable(path); !writable) return named("--json", writable.error());
  return {};
}

Result<void> save_output(const RunResult& result, const std::string& path) {
  const BufferSpec* wanted = first_output(*result.request);
  for (const OutputBuffer& output : result.outputs) {
    const BufferSpec& buffer = result.request->buffers[output.index];
    if (&buffer != wanted || !output.bytes) continue;
    const Result<void> saved = kind_of(path) == WrittenAs::picture ? save_picture(buffer, *output.bytes, path)
                                                                   : write_bytes(path, *output.bytes);
    if (!saved) return named("--out", saved.error());
    return {};
  }
  return failed(fmt::format("--out {}: the run handed no output back, so nothing was written", path));
}

void print_report(const RunResult& result, const std::string& json, Cli& cli) {
  if (json == "-") {
    cli.out << report_json(result);
    return;
  }
  cli.out << report_text(result);
  if (const Result<void> written = save_report(result, json); !written) cli.fail(written.error());
}

Result<void> save_report(const RunResult& result, const std::string& path) {
  if (path.empty()) return {};
  const Result<void> written = write_text(path, report_json(result));
  return written ? written : named("--json", written.error());
}

}  // namespace warplens

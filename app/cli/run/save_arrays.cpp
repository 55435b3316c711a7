#include "app/cli/run/save_arrays.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <vector>

#include "core/base/system/files.h"
#include "core/job/files/npy.h"

namespace warplens {

namespace {

namespace fs = std::filesystem;

// A launch file may call its buffers anything; a file's name leads nowhere else.
std::string file_name(std::string name) {
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_' && c != '-') c = '_';
  return name.empty() ? "output" : name;
}

std::vector<uint64_t> shape_of(const BufferSpec& buffer) {
  const uint64_t elements = buffer.bytes / bytes_of(buffer.dtype);
  const uint64_t width = buffer.width, height = buffer.height, channels = buffer.channels;
  if (width * height * channels != elements) return {elements};
  if (channels > 1) return {height, width, channels};
  if (height > 1) return {height, width};
  return {elements};
}

Result<void> save_array(const BufferSpec& buffer, const Bytes& bytes, const fs::path& path) {
  const std::string head = npy_head(buffer.dtype, shape_of(buffer));
  std::vector<std::byte> file;
  file.reserve(head.size() + bytes.size());
  for (const char c : head) file.push_back(static_cast<std::byte>(c));
  file.insert(file.end(), bytes.begin(), bytes.end());
  return write_bytes(path.string(), file);
}

Error of_option(const std::string& folder, const std::string& message) {
  return bad_input(fmt::format("--outputs {}: {}", folder, message));
}

}  // namespace

Result<void> check_arrays_folder(const std::string& folder) {
  if (folder.empty()) return {};
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return of_option(folder, fmt::format("the folder cannot be made: {}", error.message()));
  if (!fs::is_directory(folder, error)) return of_option(folder, "this is a file; name a folder");
  if (const Result<void> writable = check_writable((fs::path(folder) / "output.npy").string()); !writable)
    return of_option(folder, writable.error().message);
  return {};
}

Result<void> save_arrays(const RunResult& result, const std::string& folder) {
  std::vector<std::string> taken;
  for (const OutputBuffer& output : result.outputs) {
    const BufferSpec& buffer = result.request->buffers[output.index];
    if (!output.bytes) continue;
    const std::string name = file_name(buffer.name);
    std::string free = name;
    for (size_t next = 2; std::find(taken.begin(), taken.end(), free) != taken.end(); ++next)
      free = fmt::format("{}_{}", name, next);
    taken.push_back(free);
    const Result<void> saved = save_array(buffer, *output.bytes, fs::path(folder) / (free + ".npy"));
    if (!saved) return of_option(folder, saved.error().message);
  }
  if (taken.empty()) return failed(fmt::format("--outputs {}: the run handed no output back", folder));
  return {};
}

}  // namespace warplens

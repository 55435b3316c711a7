#include "core/base/system/files.h"

#include <fmt/format.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <thread>

#include "core/base/figures.h"

namespace warplens {

namespace {

namespace fs = std::filesystem;

std::string reason(int error) {
  return error == 0 ? std::string("the reason is not known") : std::generic_category().message(error);
}

template <class Container>
Result<Container> read_whole(const std::string& path, uint64_t limit) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found)
    return bad_input(fmt::format("{}: there is no such file", path));
  if (status.type() == fs::file_type::directory)
    return bad_input(fmt::format("{}: this is a folder, a file is needed", path));
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) return bad_input(fmt::format("{}: cannot be read: {}", path, reason(errno)));
  // Read in pieces: pipes have no size, and a size may change while it is read.
  Container content;
  constexpr size_t piece = size_t{1} << 20;
  while (file) {
    const size_t before = content.size();
    if (before > limit)
      return bad_input(fmt::format("{}: larger than {}, which is the most that is read here", path,
                                   byte_size_text(limit)));
    content.resize(before + piece);
    file.read(reinterpret_cast<char*>(content.data()) + before, static_cast<std::streamsize>(piece));
    content.resize(before + static_cast<size_t>(file.gcount()));
  }
  if (file.bad()) return bad_input(fmt::format("{}: cannot be read to its end: {}", path, reason(errno)));
  if (content.size() > limit)
    return bad_input(
        fmt::format("{}: larger than {}, which is the most that is read here", path, byte_size_text(limit)));
  return content;
}

bool is_special(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  return fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status);
}

// The file to which a symbolic link points, since that file is replaced and not the link. Other paths stay
// the same.
fs::path behind_links(const std::string& path) {
  std::error_code error;
  const fs::path target = fs::is_symlink(path, error) ? fs::weakly_canonical(path, error) : fs::path(path);
  return error || target.empty() ? fs::path(path) : target;
}

fs::path temporary_beside(const fs::path& target) {
  // Two runs, or two threads of one, may write the same file. std::random_device is not used: in a library it
  // requires a newer C library than the rest does.
  static std::atomic<uint64_t> count{0};
  const auto now = static_cast<uint64_t>(std::chrono::system_clock::now().time_since_epoch().count());
  const auto who = static_cast<uint64_t>(std::hash<std::thread::id>()(std::this_thread::get_id()));
  fs::path name = target.stem();
  name += fmt::format(".part-{:x}-{:x}", now ^ (who << 16), count++);
  name += target.extension();
  return target.parent_path() / name;
}

}  // namespace

Result<std::vector<std::byte>> read_bytes(const std::string& path, uint64_t limit) {
  return read_whole<std::vector<std::byte>>(path, limit);
}

Result<std::string> read_text(const std::string& path, uint64_t limit) {
  return read_whole<std::string>(path, limit);
}

Result<void> check_writable(const std::string& path) {
  if (path.empty()) return bad_input("The name of the output file is empty; give a path");
  std::error_code error;
  if (fs::is_directory(path, error))
    return bad_input(fmt::format("{}: cannot be written: this is a folder; give a file name in it", path));
  const fs::path target = behind_links(path);
  const fs::path folder = target.parent_path().empty() ? fs::path(".") : target.parent_path();
  if (!fs::is_directory(folder, error))
    return bad_input(fmt::format("{}: cannot be written: there is no folder {}; create it or choose another",
                                 path, folder.string()));
  errno = 0;
  if (fs::exists(target, error)) {
    if (std::ofstream file(target, std::ios::binary | std::ios::app); !file)
      return bad_input(fmt::format("{}: cannot be written: {}", path, reason(errno)));
    if (is_special(target)) return {};
  }
  const fs::path probe = temporary_beside(target);
  errno = 0;
  if (std::ofstream file(probe, std::ios::binary | std::ios::app); !file)
    return bad_input(fmt::format("{}: cannot be written: {}", path, reason(errno)));
  fs::remove(probe, error);
  return {};
}

Result<void> write_with(const std::string& path,
                        const std::function<Result<void>(const std::string&)>& write) {
  const fs::path target = behind_links(path);
  if (is_special(target)) return write(target.string());
  const fs::path temporary = temporary_beside(target);
  std::error_code error;
  if (Result<void> written = write(temporary.string()); !written) {
    fs::remove(temporary, error);
    return written;
  }
  // A script that may be run stays one.
  if (const fs::file_status before = fs::status(target, error); !error && fs::exists(before))
    fs::permissions(temporary, before.permissions(), error);
  fs::rename(temporary, target, error);
  if (!error) return {};
  const std::string message = error.message();
  fs::remove(temporary, error);
  return bad_input(fmt::format("{}: cannot be written: {}", path, message));
}

Result<void> write_bytes(const std::string& path, std::span<const std::byte> bytes) {
  return write_with(path, [&](const std::string& temporary) -> Result<void> {
    errno = 0;
    std::ofstream file(temporary, std::ios::binary | std::ios::trunc);
    file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    file.close();
    if (!file) return bad_input(fmt::format("{}: cannot be written: {}", path, reason(errno)));
    return {};
  });
}

Result<void> write_text(const std::string& path, std::string_view text) {
  return write_bytes(path, std::as_bytes(std::span(text)));
}

}  // namespace warplens

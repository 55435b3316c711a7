#include "core/system/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "core/base/system/files.h"

namespace warplens {

namespace {

constexpr mode_t for_this_user = 0600;

}  // namespace

int append_to(const std::string& path) {
  return ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, for_this_user);
}

int make_new(const std::string& path) {
  return ::open(path.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, for_this_user);
}

void close_file(int file) {
  if (file >= 0) ::close(file);
}

std::optional<uint64_t> size_of(int file) {
  struct stat is {};
  if (file < 0 || ::fstat(file, &is) != 0) return std::nullopt;
  return static_cast<uint64_t>(is.st_size);
}

bool write_at_once(int file, std::string_view text) {
  return ::write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

bool write_all(int file, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t wrote = ::write(file, bytes.data(), bytes.size());
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) return false;
    bytes = bytes.subspan(static_cast<size_t>(wrote));
  }
  return true;
}

Result<void> write_durably(const std::string& path, std::string_view text) {
  const auto write = [&](const std::string& temporary) -> Result<void> {
    const int file = ::open(temporary.c_str(), O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, for_this_user);
    bool done = file >= 0 && write_all(file, std::as_bytes(std::span(text))) && ::fsync(file) == 0;
    const int error = errno;
    done = (file < 0 || ::close(file) == 0) && done;
    if (!done) return bad_input(fmt::format("{}: cannot be written: {}", path, std::strerror(error)));
    return {};
  };
  if (Result<void> written = write_with(path, write); !written) return written;
  // The folder's entry too. Not every file system can do that for a folder; then there is nothing more to do.
  const std::string folder = std::filesystem::path(path).parent_path().string();
  if (const int entry = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
      entry >= 0) {
    (void)::fsync(entry);
    ::close(entry);
  }
  return {};
}

FileLock lock_or_make(const std::string& path) {
  const int file = ::open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC | O_NOFOLLOW, for_this_user);
  if (file < 0) return {};
  if (::flock(file, LOCK_EX | LOCK_NB) == 0) return {LockOutcome::ours, file};
  const bool other = errno == EWOULDBLOCK;
  ::close(file);
  return {other ? LockOutcome::of_another : LockOutcome::impossible, no_file};
}

int lock_file(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  if (file < 0) return no_file;
  if (::flock(file, LOCK_EX | LOCK_NB) == 0) return file;
  ::close(file);
  return no_file;
}

bool may_execute(const std::string& path) { return ::access(path.c_str(), X_OK) == 0; }

bool is_own_folder(const std::string& path) {
  struct stat is {};
  return ::lstat(path.c_str(), &is) == 0 && S_ISDIR(is.st_mode) && is.st_uid == ::geteuid();
}

// Such a file needs no cleanup.
Result<std::string> file_in_memory(const std::string& name, std::string_view bytes) {
  const int file = ::memfd_create(name.c_str(), MFD_CLOEXEC);
  if (file >= 0 && write_all(file, std::as_bytes(std::span(bytes))))
    return fmt::format("/proc/self/fd/{}", file);
  const Error error = missing(fmt::format("{} cannot be a file in memory: {}.", name, std::strerror(errno)));
  close_file(file);
  return error;
}

}  // namespace warplens

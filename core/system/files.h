// Open files, permissions and locks. For whole files, use standard C++: core/base/system/files.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace warplens {

// An open file is a number. Programs that are started do not inherit it.
constexpr int no_file = -1;

// Opens a file for appending, with access only for this user; creates it if it is missing. no_file if it
// cannot be written.
int append_to(const std::string& path);
// Like append_to(), but the file must not exist yet.
int make_new(const std::string& path);
void close_file(int file);
std::optional<uint64_t> size_of(int file);
// Writes in a single call, so that lines of several threads and processes stay whole. False if not everything
// was written.
bool write_at_once(int file, std::string_view text);
// False if the disk is full; then the file may end anywhere in the text.
bool write_all(int file, std::span<const std::byte> bytes);

// Writes a whole file. After a crash of the program or the machine, it is either as before or as this text.
Result<void> write_durably(const std::string& path, std::string_view text);

// Opens a file, makes it if it is missing, and locks it until it is closed or the process ends.
enum class LockOutcome : uint8_t { ours, of_another, impossible };
struct FileLock {
  LockOutcome outcome = LockOutcome::impossible;
  int file = no_file;
};
FileLock lock_or_make(const std::string& path);

// Opens and locks an existing file that is not a link, until it is closed or the process ends. no_file if it
// does not exist, or if another process has locked it.
int lock_file(const std::string& path);

bool may_execute(const std::string& path);
bool is_own_folder(const std::string& path);  // not a link, and owned by this user

// A path under which libraries that can only read files find these bytes, until the process ends. The error
// is of kind missing if the system does not support such files.
Result<std::string> file_in_memory(const std::string& name, std::string_view bytes);

}  // namespace warplens

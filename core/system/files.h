// Open files, rights and locks. Whole files are read and written in standard C++: core/base/system/files.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace warplens {

// An open file is a number, which programs that are started do not get.
constexpr int no_file = -1;

// Opens a file of this user alone for writing behind what is in it; it is made where it is missing. no_file:
// it cannot be written.
int append_to(const std::string& path);
// The same, but of a file that was not there before.
int make_new(const std::string& path);
void close_file(int file);
std::optional<uint64_t> size_of(int file);
// In one call, so that lines of several threads and processes stay whole. False where not all was written.
bool write_at_once(int file, std::string_view text);
// False where the disk is full, and what was written ends somewhere.
bool write_all(int file, std::span<const std::byte> bytes);

// Opens and locks a file that is there and no link, until it is closed or the process ends. no_file: it is
// not there, or another process has it.
int lock_file(const std::string& path);

bool may_execute(const std::string& path);
bool is_own_folder(const std::string& path);  // no link, and this user's

// A path under which libraries that read files only find these bytes, until the process ends. Kind missing
// where the system has no such files.
Result<std::string> file_in_memory(const std::string& name, std::string_view bytes);

}  // namespace warplens

#include "core/system/files.h"

#include "core/base/system/files.h"

namespace warplens {

int append_to(const std::string&) { return no_file; }
int make_new(const std::string&) { return no_file; }
void close_file(int) {}
std::optional<uint64_t> size_of(int) { return std::nullopt; }
bool write_at_once(int, std::string_view) { return false; }
bool write_all(int, std::span<const std::byte>) { return false; }
int lock_file(const std::string&) { return no_file; }
Result<void> write_durably(const std::string& path, std::string_view text) { return write_text(path, text); }
FileLock lock_or_make(const std::string&) { return {}; }
bool may_execute(const std::string&) { return false; }
bool is_own_folder(const std::string&) { return false; }

Result<std::string> file_in_memory(const std::string& name, std::string_view) {
  return missing(name + " cannot be a file in memory: this build has none.");
}

}  // namespace warplens

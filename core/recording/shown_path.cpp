#include "core/recording/shown_path.h"

#include <filesystem>
#include <system_error>

namespace warplens::recording {

std::string shown_path(std::string_view file) {
  static const std::filesystem::path start = [] {
    std::error_code error;
    return std::filesystem::current_path(error);
  }();
  std::string whole(file);
  if (start.empty() || !whole.starts_with('/')) return whole;
  std::string relative = std::filesystem::path(whole).lexically_relative(start).string();
  return relative.empty() || relative.size() >= whole.size() ? whole : relative;
}

}  // namespace warplens::recording

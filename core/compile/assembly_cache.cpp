#include "core/compile/assembly_cache.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <span>
#include <vector>

#include "core/base/system/files.h"
#include "core/system/places.h"

namespace warplens {

namespace {

namespace fs = std::filesystem;

// One file: this, the sizes of the three texts and a sum over all that follows it, then the texts.
struct Head {
  char magic[8] = {'W', 'L', 'A', 'S', 'M', '0', '0', '1'};
  uint64_t key = 0, cubin = 0, log = 0, sum = 0;
};

// FNV-1a, eight bytes at a time where possible. It detects damage; attacks on this folder are not expected.
uint64_t sum_of(std::string_view bytes, uint64_t sum = 0xcbf29ce484222325) {
  constexpr uint64_t prime = 0x100000001b3;
  for (; bytes.size() >= sizeof(uint64_t); bytes.remove_prefix(sizeof(uint64_t))) {
    uint64_t word = 0;
    std::memcpy(&word, bytes.data(), sizeof word);
    sum = (sum ^ word) * prime;
    sum ^= sum >> 29;  // so that high bits influence low ones
  }
  for (const char byte : bytes) sum = (sum ^ static_cast<unsigned char>(byte)) * prime;
  return sum;
}

fs::path file_of(const fs::path& folder, std::string_view key) {
  return folder / fmt::format("{:016x}{:016x}.cubin", sum_of(key), sum_of(key, key.size()));
}

struct KeptFile {
  fs::path path;
  fs::file_time_type used;
  uint64_t bytes = 0;
};

std::vector<KeptFile> files_of(const fs::path& folder) {
  std::vector<KeptFile> files;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    std::error_code gone;  // another process may remove a listed file
    KeptFile file{at->path(), at->last_write_time(gone), at->file_size(gone)};
    if (!gone) files.push_back(std::move(file));
  }
  return files;
}

void remove_oldest(const fs::path& folder, AssemblyCacheLimits limits) {
  std::vector<KeptFile> files = files_of(folder);
  uint64_t bytes = 0;
  for (const KeptFile& file : files) bytes += file.bytes;
  if (files.size() <= limits.files && bytes <= limits.bytes) return;
  std::sort(files.begin(), files.end(), [](const KeptFile& a, const KeptFile& b) { return a.used < b.used; });
  // More files than necessary are removed at once, so that not every later file removes one.
  size_t left = files.size();
  for (const KeptFile& file : files) {
    if (left <= limits.files - limits.files / 8 && bytes <= limits.bytes - limits.bytes / 8) return;
    std::error_code ignored;
    fs::remove(file.path, ignored);
    bytes -= file.bytes;
    --left;
  }
}

}  // namespace

fs::path assembly_cache_folder() {
  const fs::path cache = cache_folder();
  return cache.empty() ? cache : cache / "assembled";
}

std::optional<Assembled> find_assembled(const fs::path& folder, std::string_view key) {
  if (folder.empty()) return std::nullopt;
  const fs::path path = file_of(folder, key);
  const Result<std::string> bytes = read_text(path.string(), AssemblyCacheLimits{}.bytes);
  Head head;
  if (!bytes || bytes->size() < sizeof head) return std::nullopt;
  std::memcpy(&head, bytes->data(), sizeof head);
  std::string_view rest = std::string_view(*bytes).substr(sizeof head);
  if (std::memcmp(head.magic, Head{}.magic, sizeof head.magic) != 0 || head.key != key.size() ||
      head.cubin > rest.size() || head.log > rest.size() || head.key > rest.size() ||
      head.key + head.cubin + head.log != rest.size() || head.sum != sum_of(rest) ||
      rest.substr(0, key.size()) != key)
    return std::nullopt;
  std::error_code ignored;  // the most recently used file is removed last
  fs::last_write_time(path, fs::file_time_type::clock::now(), ignored);
  rest.remove_prefix(key.size());
  return Assembled{std::string(rest.substr(0, head.cubin)), std::string(rest.substr(head.cubin))};
}

void keep_assembled(const fs::path& folder, std::string_view key, const Assembled& assembled,
                    AssemblyCacheLimits limits) {
  if (folder.empty()) return;
  const std::string rest = std::string(key) + assembled.cubin + assembled.log;
  if (rest.size() + sizeof(Head) > limits.bytes / 8) return;
  Head head;
  head.key = key.size();
  head.cubin = assembled.cubin.size();
  head.log = assembled.log.size();
  head.sum = sum_of(rest);
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return;
  const std::string bytes = std::string(reinterpret_cast<const char*>(&head), sizeof head) + rest;
  // The file gets its name only when it is complete (files.h), so other processes see all of it or nothing.
  if (write_text(file_of(folder, key).string(), bytes)) remove_oldest(folder, limits);
}

}  // namespace warplens

// Downloads NVIDIA's compiler and assembler and the sample photographs with pip into the user's cache, and
// lists what can be downloaded. tools/fetch, which is part of the program, does the work.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "core/base/result.h"

namespace warplens {

// A part as tools/fetch/parts.json describes it.
struct FetchPart {
  std::string name, version, title, licence, gives;
  uint64_t megabytes = 0;  // to download
  bool here = false;       // it is in the cache
};

// All parts. An error means a broken build.
Result<std::vector<FetchPart>> fetch_parts(const std::filesystem::path& cache);

// The script and the files that it reads, in a folder that this object owns and removes.
class FetchScript {
 public:
  static Result<FetchScript> unpack();
  FetchScript(FetchScript&& other) noexcept : m_folder(std::exchange(other.m_folder, {})) {}
  FetchScript& operator=(FetchScript&&) = delete;
  ~FetchScript();
  // The command that fetches a part. It prints lines "N of M" in megabytes.
  std::vector<std::string> command(const FetchPart& part, const std::filesystem::path& cache) const;

 private:
  explicit FetchScript(std::filesystem::path folder) : m_folder(std::move(folder)) {}
  std::filesystem::path m_folder;
};

// Runs such a command and reports the megabytes downloaded so far. An error has the command's last message,
// or is of kind cancelled. Files that were downloaded stay, and are not fetched again.
Result<void> run_fetch(const std::vector<std::string>& command, const std::function<void(uint64_t)>& told,
                       std::stop_token stop);

}  // namespace warplens

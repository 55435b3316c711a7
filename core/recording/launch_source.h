// Where a launched kernel comes from: file and lines, out of its PTX, and their text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/ptx/tree.h"
#include "core/recording/recording.h"

namespace warplens::recording {

struct LaunchSource {
  std::string file;              // as the compiler wrote it
  uint32_t first = 0, last = 0;  // lines of the kernel, from 1
};
// "blur.py:14"; the folder is left out.
std::string text_of(const LaunchSource& source);

// The lines of a kernel, without those of functions that were inlined. Empty where its text has none.
std::optional<LaunchSource> lines_of(const ptx::Module& module, const ptx::Function& function);
// Empty where its text has no lines (compile with lineinfo), or the launch was not recorded.
std::optional<LaunchSource> source_of(const Recording& recording, const Event& launch);

struct SourceText {
  uint32_t first = 0;              // number of the first line
  std::vector<std::string> lines;  // empty: `why_not` says why
  std::string why_not;
};
// All lines of a file, as it is today. Where it is not at its place, as on another machine, the file of its
// name beside the recording; without one, `recording` is empty.
SourceText read_lines(const std::string& file, const std::string& recording = {});
// The kernel's lines with its `def` or signature above, as the file has them today; at most 200.
SourceText read_source(const LaunchSource& source, const std::string& recording = {});

}  // namespace warplens::recording

// Where a launched kernel is in the source: the file and lines from its PTX, and their text.
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
// "blur.py:14"; without the folder.
std::string text_of(const LaunchSource& source);

// The lines of a kernel, without those of inlined functions. Empty if its PTX has no line information.
std::optional<LaunchSource> lines_of(const ptx::Module& module, const ptx::Function& function);
// Empty if its PTX has no lines (compile with lineinfo), or if the launch was not recorded.
std::optional<LaunchSource> source_of(const Recording& recording, const Event& launch);

struct SourceText {
  uint32_t first = 0;              // number of the first line
  std::vector<std::string> lines;  // if empty, `why_not` has the reason
  std::string why_not;
};
// All lines of the file as it is now. If it is not at its path, for example on another machine, the file with
// the same name next to the recording is read. `recording` is the path of that recording; empty if there is
// none.
SourceText read_lines(const std::string& file, const std::string& recording = {});
SourceText lines_of_text(std::string_view text);
// The kernel's lines with its `def` or signature above, as they are in the file now; at most 200.
SourceText read_source(const LaunchSource& source, const std::string& recording = {});

}  // namespace warplens::recording

// A run as one page of HTML, for a mail, an issue or a hand-in: what the report says, and the pictures of the
// views. Nothing outside of the file is needed to read it, and it has no scripts.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/views/document.h"
#include "core/recording/recording.h"

namespace warplens {

// `report` is text as the command line prints it: its first lines, then sections whose headings begin a line.
// Everything is escaped. Errors: a picture cannot be drawn.
Result<std::string> run_page(std::string_view title, std::string_view report,
                             const std::vector<RunPicture>& pictures);

// The page of a kernel's run, whose pictures need a run that recorded writers and blocks.
Result<void> save_run_page(const Job& job, const RunResult& result, const std::string& path);
// The page of a program: its summary, its launches and their time line.
Result<void> save_program_page(const recording::Recording& recording, std::string_view name,
                               std::string_view summary, const std::string& path);

}  // namespace warplens

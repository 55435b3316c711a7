// What a run leaves behind: its report, and its result as a picture or as raw bytes.
#pragma once

#include <string>

#include "app/cli/cli.h"
#include "core/launch/run_result.h"

namespace warplens {

// Before the run: can this path be written, and is the output of this request what the ending says? The name
// of the option begins the message.
Result<void> check_output(const LaunchRequest& request, const std::string& path);
Result<void> check_report(const std::string& path);

// The first output buffer: .png, .jpg, .bmp and .tga as a picture, .bin and .raw as raw little-endian bytes.
Result<void> save_output(const RunResult& result, const std::string& path);

// `json`: "-" prints the JSON report alone to cli.out, a path writes it there beside the page for people,
// empty prints the page.
void print_report(const RunResult& result, const std::string& json, Cli& cli);

}  // namespace warplens

// Writes the report of a run, and its result as a picture or as raw bytes.
#pragma once

#include <string>

#include "app/cli/shared/cli.h"
#include "core/launch/run_result.h"

namespace warplens {

// Checks before the run that the path can be written, and that its ending fits the output of the request.
// The message begins with the name of the option.
Result<void> check_output(const LaunchRequest& request, const std::string& path);
Result<void> check_report(const std::string& path);

// Saves the first output buffer: .png, .jpg, .bmp and .tga as a picture, .bin and .raw as raw little-endian
// bytes.
Result<void> save_output(const RunResult& result, const std::string& path);

// If `json` is empty, prints the page for people. If it is "-", prints only the JSON report to cli.out. If
// it is a path, prints the page and writes the JSON report to that file.
void print_report(const RunResult& result, const std::string& json, Cli& cli);

// Writes the JSON report to a file; nothing if the path is empty.
Result<void> save_report(const RunResult& result, const std::string& path);

}  // namespace warplens

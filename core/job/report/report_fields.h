// Parts of the report that other commands print too, under the same names.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "core/base/json/json.h"
#include "core/device/device.h"
#include "core/device/occupancy.h"
#include "core/launch/run_result.h"

namespace warplens {

ReportJson device_json(const Device& device);
ReportJson resources_json(const std::optional<Resources>& resources);
ReportJson occupancy_json(const std::optional<Occupancy>& occupancy);
// A column of a table for people: `width` letters wide, and followed by a blank if the text is longer. fmt
// counts bytes, and µ and × have two.
std::string padded(const std::string& text, size_t width, bool right = true);
// The compiler that made the PTX, as compiler_of() returns it.
std::string compiler_of(const RunResult& result);
// The text of the JSON, indented by two spaces, with U+FFFD for bytes that are not UTF-8.
std::string json_text(const ReportJson& json);

}  // namespace warplens

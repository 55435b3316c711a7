// Parts of the report that other commands print too, under the same names.
#pragma once

#include <optional>

#include "core/base/json/json.h"
#include "core/device/device.h"
#include "core/device/occupancy.h"

namespace warplens {

ReportJson device_json(const Device& device);
ReportJson resources_json(const std::optional<Resources>& resources);
ReportJson occupancy_json(const std::optional<Occupancy>& occupancy);
// The text of the JSON, indented by two spaces, with U+FFFD for bytes that are not UTF-8.
std::string json_text(const ReportJson& json);

}  // namespace warplens

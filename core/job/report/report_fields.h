// Parts of the report that other commands print too, under the same names.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "core/base/json/json.h"
#include "core/base/provenance.h"
#include "core/base/text.h"
#include "core/device/device.h"
#include "core/device/occupancy.h"
#include "core/launch/run_result.h"

namespace warplens {

ReportJson device_json(const Device& device);
ReportJson resources_json(const std::optional<Resources>& resources);
ReportJson occupancy_json(const std::optional<Occupancy>& occupancy);
// The compiler that made the PTX, as compiler_of() returns it.
std::string compiler_of(const RunResult& result);
// "  global loads            1,024 requests  [counted]"
std::string row(const std::string& label, const std::string& value, Provenance source);

}  // namespace warplens

// Parts of the report that other commands print too, under the same names.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>

#include "core/device/device.h"
#include "core/device/occupancy.h"

namespace warplens {

nlohmann::ordered_json device_json(const Device& device);
nlohmann::ordered_json resources_json(const std::optional<Resources>& resources);
nlohmann::ordered_json occupancy_json(const std::optional<Occupancy>& occupancy);
// As the report is written: two spaces, and U+FFFD for what is not UTF-8.
std::string json_text(const nlohmann::ordered_json& json);

}  // namespace warplens

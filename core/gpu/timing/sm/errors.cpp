#include "core/gpu/timing/sm/errors.h"

#include <fmt/format.h>

#include "core/base/json/json.h"
#include "core/base/system/embedded.h"

namespace warplens::sm {

std::optional<double> Errors::of_metric(std::string_view name) const {
  const auto found = metrics.find(name);
  return found == metrics.end() ? std::nullopt : std::optional(found->second);
}

Result<Errors> parse_errors(std::string_view json, std::string_view file) {
  const Result<Json> parsed = parse_json(json, file);
  if (!parsed) return parsed.error();
  try {
    Errors errors;
    errors.device = parsed->at("device").get<std::string>();
    errors.launches = parsed->at("launches").get<uint32_t>();
    errors.largest_stall_equal = parsed->at("largest_stall_equal").get<uint32_t>();
    errors.cycles = parsed->at("cycles").get<double>();
    for (const auto& [name, error] : parsed->at("metrics").items())
      errors.metrics[name] = error.get<double>();
    if (errors.launches == 0) return bad_input(fmt::format("{}: launches is at least 1", file));
    return errors;
  } catch (const Json::exception& exception) {
    return bad_input(fmt::format("{}: {}", file, exception.what()));
  }
}

const Errors& measured_errors() {
  // The tests read the file and report its mistakes.
  static const Errors built_in = [] {
    constexpr const char* file = "timing/sm_errors.json";
    Result<Errors> read = parse_errors(find_embedded(file), file);
    return read ? std::move(read).value() : Errors();
  }();
  return built_in;
}

}  // namespace warplens::sm

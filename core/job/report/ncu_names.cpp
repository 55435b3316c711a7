#include "core/job/report/ncu_names.h"

#include <fmt/format.h>

#include <map>

#include "core/base/figures.h"
#include "core/base/json/json.h"
#include "core/base/system/embedded.h"
#include "core/launch/fields.h"

namespace warplens {
namespace {

constexpr const char* file = "counters/ncu_names.json";

std::vector<NcuName> read_names() {
  const Result<Json> json = parse_json(find_embedded(file), file);
  std::vector<NcuName> names;
  if (!json || !json->contains("counters")) return names;
  for (const Json& row : (*json)["counters"]) {
    NcuName name;
    name.counter = row.value("counter", "");
    name.metric = row.value("metric", "");
    name.compared = row.value("compared", uint64_t{0});
    name.differ = row.value("differ", uint64_t{0});
    if (row.contains("most_percent") && row["most_percent"].is_number())
      name.most_percent = row["most_percent"].get<uint64_t>();
    name.why = row.value("why", "");
    names.push_back(std::move(name));
  }
  return names;
}

std::string difference_text(const NcuName& name) {
  std::string text = name.why;
  if (name.compared == 0) return text + (text.empty() ? "not compared" : "; not compared");
  if (name.differ == 0) return text + (text.empty() ? "" : "; ") + fmt::format("equal in {}", name.compared);
  return text + fmt::format("; differs in {} of {} launches, by {} % of the larger at most", name.differ,
                            name.compared, name.most_percent.value_or(0));
}

// "not counted" if a counter is not known.
std::map<std::string, std::string> values_of(const std::optional<Counters>& counters) {
  std::map<std::string, std::string> values;
  if (!counters) return values;
  each_field(*counters, [&]<class T>(std::string_view name, const T& value) {
    if constexpr (std::is_same_v<T, uint64_t>)
      values[std::string(name)] = thousands(value);
    else if (value)
      values[std::string(name)] = thousands(*value);
  });
  return values;
}

}  // namespace

const std::vector<NcuName>& ncu_names() {
  static const std::vector<NcuName> names = read_names();
  return names;
}

std::string ncu_table(const std::optional<Counters>& counters) {
  const std::map<std::string, std::string> values = values_of(counters);
  std::string text = "Counters by Nsight Compute's names (ncu --metrics)\n";
  for (const NcuName& name : ncu_names()) {
    const auto value = values.find(name.counter);
    text +=
        fmt::format("  {:<30}{:>15}  {}\n", name.counter, value == values.end() ? "not known" : value->second,
                    name.metric.empty() ? "-" : name.metric);
    text += fmt::format("  {:<30}{:>15}    {}\n", "", "", difference_text(name));
  }
  return text;
}

}  // namespace warplens

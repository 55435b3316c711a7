// Reads a device description. Every number is written as {"value": …, "source": "…"}, so that a view can say
// where it comes from; null is a number that no source states.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/json/json.h"
#include "core/base/text.h"
#include "core/device/capability_text.h"
#include "core/device/device.h"

namespace warplens {
namespace {

// Far above any device, and low enough that no product of them overflows 64 bits.
constexpr double largest_rate = 1e6;           // MHz, GB/s
constexpr uint64_t largest_size = 1ull << 44;  // bytes: 16 TiB
constexpr uint64_t largest_count = 1u << 20;

// Keeps the first error. Later reads then do nothing, so the caller needs to check only once.
class Reader {
 public:
  Reader(const Json& object, std::string_view file, std::string prefix, std::vector<FieldSource>& sources)
      : m_object(object), m_file(file), m_prefix(std::move(prefix)), m_sources(sources) {}

  // The field's value. Null if it is absent or not known, or after an error.
  const Json* value(const char* key) {
    m_known.emplace_back(key);
    const auto at = m_object.find(key);
    if (failed() || at == m_object.end() || at->is_null()) return nullptr;
    if (!at->is_object() || !at->contains("value")) {
      return fail(key, "must be {\"value\": …, \"source\": \"…\"} or null");
    }
    for (const auto& item : at->items()) {
      if (item.key() != "value" && item.key() != "source") {
        return fail(key,
                    fmt::format("has an unknown key \"{}\"; it knows \"value\" and \"source\"", item.key()));
      }
    }
    const Json& number = (*at)["value"];
    if (number.is_null()) return nullptr;
    const auto source = at->find("source");
    if (source == at->end() || !source->is_string() || source->get_ref<const std::string&>().empty()) {
      return fail(key, "needs a \"source\" that states where the number comes from");
    }
    m_sources.push_back({m_prefix + key, source->get<std::string>()});
    return &number;
  }

  template <class T>
  void whole(const char* key, std::optional<T>& out, uint64_t low, uint64_t high) {
    const Json* number = value(key);
    if (!number) return;
    // A negative integer is not unsigned, one above 64 bits is a float.
    if (!number->is_number_unsigned() || number->get<uint64_t>() < low || number->get<uint64_t>() > high) {
      fail(key, fmt::format("must be a whole number from {} to {}", low, high));
      return;
    }
    out = static_cast<T>(number->get<uint64_t>());
  }

  void whole(const char* key, uint32_t& out, uint64_t low, uint64_t high) {
    std::optional<uint32_t> read;
    whole(key, read, low, high);
    if (read) out = *read;
  }

  void rate(const char* key, std::optional<double>& out) {
    const Json* number = value(key);
    if (!number) return;
    const double read = number->is_number() ? number->get<double>() : -1;
    if (!(read > 0) || read > largest_rate) {
      fail(key, fmt::format("must be a number above 0 and up to {}", largest_rate));
      return;
    }
    out = read;
  }

  // Before the call, `out` has the maximum that CUDA allows on any device.
  void extents(const char* key, Dim3& out) {
    const Json* list = value(key);
    if (!list) return;
    const auto fits = [&](size_t axis, uint32_t most) {
      const Json& item = (*list)[axis];
      return item.is_number_unsigned() && item.get<uint64_t>() >= 1 && item.get<uint64_t>() <= most;
    };
    if (!list->is_array() || list->size() != 3 || !fits(0, out.x) || !fits(1, out.y) || !fits(2, out.z)) {
      fail(key, fmt::format("must be [x, y, z], three whole numbers from 1 to {}, {} and {}", out.x, out.y,
                            out.z));
      return;
    }
    out = {(*list)[0].get<uint32_t>(), (*list)[1].get<uint32_t>(), (*list)[2].get<uint32_t>()};
  }

  std::string text(const char* key, bool required) {
    m_known.emplace_back(key);
    const auto at = m_object.find(key);
    if (failed()) return {};
    if (at == m_object.end() && !required) return {};
    if (at == m_object.end() || !at->is_string() || (required && at->get_ref<const std::string&>().empty())) {
      fail(key, required ? "is missing, or no text" : "must be text");
      return {};
    }
    return at->get<std::string>();
  }

  void allow(const char* key) { m_known.emplace_back(key); }

  void refuse_unknown_keys() {
    for (const auto& item : m_object.items()) {
      if (failed()) return;
      if (std::find(m_known.begin(), m_known.end(), item.key()) != m_known.end()) continue;
      fail(item.key(), "is not a field of a device; check its spelling or remove it");
    }
  }

  std::nullptr_t fail(std::string_view key, std::string_view why) {
    if (!failed()) m_error = fmt::format("{}: \"{}{}\" {}.", m_file, m_prefix, key, why);
    return nullptr;
  }
  bool failed() const { return !m_error.empty(); }
  const std::string& error() const { return m_error; }

 private:
  const Json& m_object;
  std::string_view m_file;
  std::string m_prefix;
  std::vector<FieldSource>& m_sources;
  std::vector<std::string> m_known;
  std::string m_error;
};

void read_capability(Reader& reader, ComputeCapability& capability) {
  constexpr const char* key = "compute_capability";
  const Json* value = reader.value(key);
  if (reader.failed()) return;
  const std::string text = value && value->is_string() ? value->get<std::string>() : "";
  if (const auto read = capability_in(text))
    capability = *read;
  else
    reader.fail(key, "must be text like \"8.6\"");
}

void read_limits(Reader& reader, DeviceLimits& limits) {
  reader.whole("max_threads_per_block", limits.max_threads_per_block, 1, 1024);
  reader.extents("max_block", limits.max_block);
  reader.extents("max_grid", limits.max_grid);
  reader.whole("max_warps_per_sm", limits.max_warps_per_sm, 1, 1024);
  reader.whole("max_blocks_per_sm", limits.max_blocks_per_sm, 1, 1024);
  reader.whole("registers_per_sm", limits.registers_per_sm, 1, largest_count);
  reader.whole("registers_per_block", limits.registers_per_block, 1, largest_count);
  reader.whole("max_registers_per_thread", limits.max_registers_per_thread, 1, 255);
  reader.whole("register_allocation_unit", limits.register_allocation_unit, 1, 65536);
  reader.whole("warp_allocation_granularity", limits.warp_allocation_granularity, 1, 64);
  reader.whole("shared_bytes_per_sm", limits.shared_bytes_per_sm, 1, 1u << 30);
  reader.whole("shared_bytes_per_block", limits.shared_bytes_per_block, 1, 1u << 30);
  reader.whole("shared_bytes_per_block_optin", limits.shared_bytes_per_block_optin, 1, 1u << 30);
  reader.whole("shared_reserved_bytes_per_block", limits.shared_reserved_bytes_per_block, 0, 1u << 20);
  reader.whole("shared_allocation_unit", limits.shared_allocation_unit, 1, 65536);
  reader.whole("sub_partitions", limits.sub_partitions, 1, 64);
  reader.refuse_unknown_keys();
}

// Limits that contradict each other. Each contradiction would make occupancy disagree with the launch
// limits.
std::string contradiction_in(const DeviceLimits& limits) {
  if (limits.max_threads_per_block > limits.max_warps_per_sm * warp_lanes) {
    return "\"limits.max_threads_per_block\" is more than the warps of one SM hold";
  }
  if (limits.registers_per_block > limits.registers_per_sm) {
    return "\"limits.registers_per_block\" is more than the registers of one SM";
  }
  if (limits.shared_bytes_per_block > limits.shared_bytes_per_block_optin) {
    return "\"limits.shared_bytes_per_block\" is more than the opt-in limit";
  }
  if (limits.shared_bytes_per_block_optin % limits.shared_allocation_unit != 0 ||
      limits.shared_bytes_per_block_optin + limits.shared_reserved_bytes_per_block >
          limits.shared_bytes_per_sm) {
    return "\"limits.shared_bytes_per_block_optin\" must be a multiple of the allocation unit and fit in one "
           "SM with what is reserved";
  }
  return {};
}

std::string file_stem(std::string_view file) {
  const auto slash = file.find_last_of("/\\");
  if (slash != std::string_view::npos) file.remove_prefix(slash + 1);
  return std::string(file.substr(0, file.rfind('.')));
}

Result<Device> device_from(const Json& root, std::string_view file) {
  Device device;
  device.id = file_stem(file);
  Reader reader(root, file, "", device.sources);
  device.name = reader.text("name", true);
  device.notes = reader.text("notes", false);
  read_capability(reader, device.compute_capability);
  std::optional<uint32_t> sms;
  reader.whole("sms", sms, 1, 4096);
  if (!sms) reader.fail("sms", "is missing; a device cannot run without it");
  reader.rate("boost_clock_mhz", device.boost_clock_mhz);
  reader.rate("memory_clock_mhz", device.memory_clock_mhz);
  reader.rate("memory_bandwidth_gb_s", device.memory_bandwidth_gb_s);
  reader.whole("memory_bytes", device.memory_bytes, 1, largest_size);
  reader.whole("l2_bytes", device.l2_bytes, 1, largest_size);
  reader.whole("l1_bytes_per_sm", device.l1_bytes_per_sm, 1, largest_size);
  reader.whole("fp32_lanes_per_sm", device.fp32_lanes_per_sm, 1, 4096);
  reader.rate("pcie_gb_s", device.pcie_gb_s);
  reader.allow("limits");
  reader.refuse_unknown_keys();
  if (reader.failed()) return bad_input(reader.error());
  device.sms = *sms;

  const auto limits = limits_of(device.compute_capability);
  if (!limits) {
    return bad_input(fmt::format("{}: compute capability {}.{} is not known here; 5.0 to 12.1 are.", file,
                                 device.compute_capability.major, device.compute_capability.minor));
  }
  device.limits = *limits;
  if (const auto at = root.find("limits"); at != root.end()) {
    if (!at->is_object()) return bad_input(fmt::format("{}: \"limits\" must be an object.", file));
    Reader limit_reader(*at, file, "limits.", device.sources);
    read_limits(limit_reader, device.limits);
    if (limit_reader.failed()) return bad_input(limit_reader.error());
  }
  const std::string contradiction = contradiction_in(device.limits);
  if (!contradiction.empty()) return bad_input(fmt::format("{}: {}.", file, contradiction));
  return device;
}

}  // namespace

Result<Device> parse_device(std::string_view text, std::string_view file) {
  const Result<Json> root = parse_json(text, file);
  if (!root) return root.error();
  if (!root->is_object()) return bad_input(fmt::format("{}: a device is a JSON object, {{…}}.", file));
  return device_from(*root, file);
}

std::string_view source_of(const Device& device, std::string_view field) {
  for (const FieldSource& source : device.sources) {
    if (source.field == field) return source.source;
  }
  return {};
}

}  // namespace warplens

#include "cuda/device/devices/live_devices.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "cuda/device/driver/error.h"

namespace warplens::cuda {

namespace {

// The driver's numbers of one device. What it does not know is empty.
class Attributes {
 public:
  Attributes(const Driver& driver, CUdevice device) : m_driver(driver), m_device(device) {}

  std::optional<uint32_t> operator()(CUdevice_attribute attribute) const {
    int value = 0;
    if (m_driver.cuDeviceGetAttribute(&value, attribute, m_device) != CUDA_SUCCESS || value <= 0) return {};
    return static_cast<uint32_t>(value);
  }
  void set(uint32_t& to, CUdevice_attribute attribute) const {
    if (const auto value = (*this)(attribute)) to = *value;
  }

 private:
  const Driver& m_driver;
  CUdevice m_device;
};

void note(Device& device, const char* field, const char* source) {
  device.sources.push_back({field, source});
}

struct LimitRow {
  uint32_t DeviceLimits::*limit;
  CUdevice_attribute attribute;
};
constexpr std::array limit_rows{
    LimitRow{&DeviceLimits::max_threads_per_block, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK},
    LimitRow{&DeviceLimits::max_blocks_per_sm, CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR},
    LimitRow{&DeviceLimits::registers_per_sm, CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR},
    LimitRow{&DeviceLimits::registers_per_block, CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK},
    LimitRow{&DeviceLimits::shared_bytes_per_sm, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR},
    LimitRow{&DeviceLimits::shared_bytes_per_block, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK},
    LimitRow{&DeviceLimits::shared_bytes_per_block_optin,
             CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN},
    LimitRow{&DeviceLimits::shared_reserved_bytes_per_block,
             CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK},
};

// The driver does not report allocation units. For an architecture that this program does not know, those of
// the newest known one are used.
DeviceLimits limits_from(const Attributes& attribute, ComputeCapability capability) {
  DeviceLimits limits = limits_of(capability).value_or(*limits_of({9, 0}));
  for (const LimitRow& row : limit_rows) attribute.set(limits.*row.limit, row.attribute);
  if (const auto threads = attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR))
    limits.max_warps_per_sm = *threads / warp_lanes;
  attribute.set(limits.max_block.x, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X);
  attribute.set(limits.max_block.y, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y);
  attribute.set(limits.max_block.z, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z);
  attribute.set(limits.max_grid.x, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X);
  attribute.set(limits.max_grid.y, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y);
  attribute.set(limits.max_grid.z, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z);
  return limits;
}

void add_clocks(const Attributes& attribute, Device& device) {
  if (const auto khz = attribute(CU_DEVICE_ATTRIBUTE_CLOCK_RATE)) {
    device.boost_clock_mhz = *khz / 1e3;
    note(device, "boost_clock_mhz", "the driver: CU_DEVICE_ATTRIBUTE_CLOCK_RATE");
  }
  const auto khz = attribute(CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE);
  const auto bits = attribute(CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH);
  if (!khz) return;
  device.memory_clock_mhz = *khz / 1e3;
  note(device, "memory_clock_mhz", "the driver: CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE");
  if (!bits) return;
  // Two transfers a clock.
  device.memory_bandwidth_gb_s = 2.0 * *khz * 1e3 * (*bits / 8.0) / 1e9;
  note(device, "memory_bandwidth_gb_s", "the driver: 2 × memory clock × width of the bus");
}

template <class T>
void take_from(Device& device, const Device& file, std::optional<T> Device::*field, const char* name) {
  if (device.*field || !(file.*field)) return;
  device.*field = file.*field;
  device.sources.push_back({name, std::string(source_of(file, name))});
}

template <class T>
bool agree(const std::vector<const Device*>& devices, std::optional<T> Device::*field) {
  return std::ranges::all_of(devices, [&](const Device* d) { return d->*field == devices.front()->*field; });
}

void add_published(Device& device) {
  std::vector<const Device*> alike;
  for (const Device& file : built_in_devices()) {
    if (file.name == device.name) {
      take_from(device, file, &Device::fp32_lanes_per_sm, "fp32_lanes_per_sm");
      take_from(device, file, &Device::l1_bytes_per_sm, "l1_bytes_per_sm");
      take_from(device, file, &Device::pcie_gb_s, "pcie_gb_s");
    }
    if (file.compute_capability == device.compute_capability && file.id != "teaching_gpu")
      alike.push_back(&file);
  }
  if (alike.empty()) return;
  if (agree(alike, &Device::fp32_lanes_per_sm))
    take_from(device, *alike.front(), &Device::fp32_lanes_per_sm, "fp32_lanes_per_sm");
  if (agree(alike, &Device::l1_bytes_per_sm))
    take_from(device, *alike.front(), &Device::l1_bytes_per_sm, "l1_bytes_per_sm");
}

}  // namespace

std::optional<int> ordinal_of(std::string_view id) {
  constexpr std::string_view prefix = "cuda:";
  if (!id.starts_with(prefix)) return std::nullopt;
  const std::string_view digits = id.substr(prefix.size());
  int ordinal = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), ordinal);
  if (error != std::errc() || end != digits.data() + digits.size() || ordinal < 0) return std::nullopt;
  return ordinal;
}

Result<Device> describe_device(const Driver& driver, int ordinal) {
  CUdevice handle = 0;
  if (const CUresult r = driver.cuDeviceGet(&handle, ordinal); r != CUDA_SUCCESS)
    return error_of(driver, r, fmt::format("Opening cuda:{}", ordinal));
  Device device;
  device.id = fmt::format("cuda:{}", ordinal);
  device.is_virtual = false;
  std::array<char, 256> name{};
  if (const CUresult r = driver.cuDeviceGetName(name.data(), static_cast<int>(name.size()), handle);
      r != CUDA_SUCCESS)
    return error_of(driver, r, fmt::format("Asking cuda:{} for its name", ordinal));
  device.name = name.data();

  const Attributes attribute(driver, handle);
  const auto major = attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
  if (!major) return failed(fmt::format("The driver does not say what cuda:{} is.", ordinal));
  device.compute_capability.major = *major;
  attribute.set(device.compute_capability.minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
  attribute.set(device.sms, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  note(device, "sms", "the driver: CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT");
  device.limits = limits_from(attribute, device.compute_capability);
  note(device, "limits", "the driver: cuDeviceGetAttribute");
  add_clocks(attribute, device);
  if (size_t bytes = 0; driver.cuDeviceTotalMem(&bytes, handle) == CUDA_SUCCESS) {
    device.memory_bytes = bytes;
    note(device, "memory_bytes", "the driver: cuDeviceTotalMem");
  }
  if (const auto bytes = attribute(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE)) {
    device.l2_bytes = *bytes;
    note(device, "l2_bytes", "the driver: CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE");
  }
  add_published(device);
  device.notes = fmt::format("A GPU of this machine, as its driver (CUDA {}) describes it.",
                             version_text(driver.version));
  return device;
}

Result<std::vector<Device>> describe_devices(const Driver& driver) {
  int count = 0;
  if (const CUresult r = driver.cuDeviceGetCount(&count); r != CUDA_SUCCESS)
    return error_of(driver, r, "Counting the GPUs");
  std::vector<Device> devices;
  for (int ordinal = 0; ordinal < count; ++ordinal) {
    Result<Device> device = describe_device(driver, ordinal);
    if (!device) return device.error();
    devices.push_back(std::move(*device));
  }
  return devices;
}

}  // namespace warplens::cuda

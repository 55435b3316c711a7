// The devices that ship with the program, and the search by name. They are separate from the parser, so that
// a program without embedded files can still read devices.
#include <algorithm>

#include "core/base/system/embedded.h"
#include "core/base/text.h"
#include "core/device/device.h"

namespace warplens {
namespace {

constexpr std::string_view folder = "devices/";

// The default device comes first, then the teaching GPU, then the others by age, older first.
int rank_of(const Device& device) {
  if (device.id == "rtx_3060") return 0;
  return device.id == "teaching_gpu" ? 1 : 2;
}

bool shown_before(const Device& a, const Device& b) {
  if (rank_of(a) != rank_of(b)) return rank_of(a) < rank_of(b);
  if (a.compute_capability != b.compute_capability) return a.compute_capability < b.compute_capability;
  return a.name < b.name;
}

struct BuiltIn {
  std::vector<Device> devices;
  std::vector<std::string> mistakes;
};

BuiltIn read_built_in() {
  BuiltIn made;
  for (const EmbeddedFile& file : embedded_files()) {
    if (!file.path.starts_with(folder) || !file.path.ends_with(".json")) continue;
    auto device = parse_device(file.bytes, file.path);
    if (device)
      made.devices.push_back(std::move(*device));
    else
      made.mistakes.push_back(device.error().message);
  }
  std::sort(made.devices.begin(), made.devices.end(), shown_before);
  return made;
}

const BuiltIn& built_in() {
  static const BuiltIn read = read_built_in();
  return read;
}

std::string names_of(const std::vector<const Device*>& devices) {
  std::string names;
  for (const Device* device : devices) names += (names.empty() ? "" : ", ") + device->name;
  return names;
}

}  // namespace

const std::vector<Device>& built_in_devices() { return built_in().devices; }
const std::vector<std::string>& device_mistakes() { return built_in().mistakes; }

Result<Device> find_device(std::string_view name) {
  const std::string wanted = lower_case(trimmed(name));
  std::vector<const Device*> all, matches;
  for (const Device& device : built_in_devices()) {
    all.push_back(&device);
    const std::string full = lower_case(device.name);
    if (!wanted.empty() && (full == wanted || device.id == wanted)) return device;
    if (full.find(wanted) != std::string::npos) matches.push_back(&device);
  }
  const std::string shown(trimmed(name).substr(0, 100));
  if (wanted.empty()) return bad_input("No device was named. Choose one of: " + names_of(all) + ".");
  if (matches.size() == 1) return *matches.front();
  if (matches.empty()) {
    return bad_input("No device is called \"" + shown + "\". Choose one of: " + names_of(all) + ".");
  }
  return bad_input("\"" + shown + "\" names several devices: " + names_of(matches) +
                   ". Give more of the name.");
}

}  // namespace warplens

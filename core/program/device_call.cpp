#include "core/program/device_call.h"

namespace warplens::program {

std::optional<DeviceCallShape> device_call(std::string_view name) {
  constexpr std::string_view since_12 = "__cudaCDP2", before = "cuda", by_thread = "_ptsz";
  if (name.starts_with(since_12)) {
    name.remove_prefix(since_12.size());
  } else if (name.starts_with(before)) {
    name.remove_prefix(before.size());
  } else {
    return {};
  }
  if (name.ends_with(by_thread)) name.remove_suffix(by_thread.size());
  constexpr struct {
    std::string_view name;
    DeviceCallShape shape;
  } all[] = {
#define DEVICE_CALL(name, arguments) {#name, {DeviceCall::name, arguments}},
#include "core/program/device_calls.def"
#undef DEVICE_CALL
  };
  for (const auto& one : all)
    if (one.name == name) return one.shape;
  return {};
}

}  // namespace warplens::program

// What to run: kernel, numbers, block and grid, device; and what is known about that launch before it runs.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/device/device.h"
#include "core/device/launch_limits.h"
#include "core/device/occupancy.h"
#include "core/device/real_gpus.h"
#include "core/job/warnings/warnings.h"
#include "core/kernels/catalogue.h"

namespace warplens {

// What is known about the launch before it runs. outlook_of() (outlook.h) makes it whenever the setup
// changes.
struct LaunchOutlook {
  LaunchShape shape;
  std::optional<Dim3> problem;  // threads needed per axis
  std::string error;            // why there is no launch: a wrong expression or a value out of range
  std::optional<Resources> resources;
  std::optional<Occupancy> occupancy;
  std::optional<LaunchRefusal> refusal;
  std::vector<Warning> warnings;
};

// The user's choices. Undo and redo go from one of these to another.
struct Choice {
  KernelSetup setup;
  Device device;
  std::shared_ptr<const KernelDescription> own = nullptr;  // the kernel itself if it is not built in
  uint64_t order = 0;                                      // of warps and blocks
};

struct SetupState {
  const KernelDescription* kernel = nullptr;            // from built_in_kernels(), or `own_kernel`
  std::shared_ptr<const KernelDescription> own_kernel;  // null if a built-in one is chosen
  KernelSetup launch;                                   // numbers, block, grid and picture
  Device device;
  uint64_t order = 0;  // of warps and blocks on a virtual GPU; 0: one after the other
  RealGpus real_gpus;  // of this machine; none until they are found
  // The device to choose as soon as it is found: "cuda:1", or "" for the first one. No value if none is
  // awaited.
  std::optional<std::string> wanted_device;
  std::map<std::string, KernelSetup> remembered;  // last setup of each kernel that was chosen before
  std::map<std::pair<std::string, uint32_t>, Resources> known_resources;  // by kernel and architecture
  LaunchOutlook outlook;

  Choice choice() const { return {launch, device, own_kernel, order}; }
};

// The choices that undo and redo bring back.
struct UndoState {
  std::vector<Choice> done, undone;  // the newest last
  bool gesture_open = false;         // a slider is being dragged; the whole drag is one undo step
  uint64_t gesture = 0;              // counts drags
};
constexpr size_t max_undo = 200;

}  // namespace warplens

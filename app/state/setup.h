// What to run: kernel, numbers, block and grid, device; and what that launch would be.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/state/code.h"
#include "core/device/device.h"
#include "core/device/launch_limits.h"
#include "core/device/occupancy.h"
#include "core/device/real_gpus.h"
#include "core/job/warnings/warnings.h"
#include "core/kernels/catalogue.h"

namespace warplens {

// What the launch would be, known before it runs. Made by outlook_of() (outlook.h) whenever the setup
// changes.
struct LaunchOutlook {
  LaunchShape shape;
  std::optional<Dim3> problem;  // threads needed per axis
  std::string error;            // why there is no launch: an expression or a range
  std::optional<Resources> resources;
  std::optional<Occupancy> occupancy;
  std::optional<LaunchRefusal> refusal;
  std::vector<Warning> warnings;
};

// What the user chose: undo and redo go from one of these to another.
struct Choice {
  KernelSetup setup;
  Device device;
  std::shared_ptr<const KernelDescription> own = nullptr;  // the kernel itself where it is no built-in one
};

struct SetupState {
  const KernelDescription* kernel = nullptr;            // in built_in_kernels(), or `own_kernel`
  std::shared_ptr<const KernelDescription> own_kernel;  // null: a built-in one is chosen
  KernelSetup launch;                                   // numbers, block, grid and picture
  Device device;
  RealGpus real_gpus;  // of this machine; none until they are found
  // Chosen as soon as it is found: "cuda:1", or "" for the first there is. Empty: none is waited for.
  std::optional<std::string> wanted_device;
  std::map<std::string, KernelSetup> remembered;  // last setup of each kernel that was left
  std::map<std::string, CodeState> left_texts;    // edited and not saved when another kernel was chosen
  std::map<std::pair<std::string, uint32_t>, Resources> known_resources;  // by kernel and architecture
  LaunchOutlook outlook;

  Choice choice() const { return {launch, device, own_kernel}; }
};

// The way back and forth through choices.
struct UndoState {
  std::vector<Choice> done, undone;  // the newest last
  bool gesture_open = false;         // a slider is being dragged: its steps are one undo step
  uint64_t gesture = 0;              // counts drags
};
constexpr size_t max_undo = 200;

}  // namespace warplens

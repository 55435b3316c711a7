// A real GPU for tests, or a visible skip with the reason.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>

#include "core/gpu/engine/virtual_gpu.h"
#include "core/job/preflight.h"
#include "core/job/run_job.h"
#include "core/system/places.h"
#include "cuda/device/backend/real_gpus.h"
#include "cuda/device/devices/live_devices.h"
#include "cuda/device/driver/driver.h"

namespace warplens {

class Gpu : public testing::Test {
 protected:
  void SetUp() override {
    auto loaded = cuda::load_driver();
    if (!loaded) GTEST_SKIP() << loaded.error().message;
    driver = std::move(*loaded);
    const auto described = cuda::describe_device(driver, 0);
    if (!described) GTEST_SKIP() << described.error().message;
    device = *described;
  }

  // The launches run in the program that is built together with this one.
  static std::unique_ptr<Backend> remote() {
    const auto folder = program_path().parent_path();
    return cuda::make_real_gpus((folder / "warplens").string());
  }
  static std::unique_ptr<Backend> both() { return make_preflighted(make_virtual_gpu(), remote()); }

  // A request for one launch of a module with one kernel.
  std::shared_ptr<LaunchRequest> request_for(std::string ptx, const std::string& entry) const {
    auto module = std::make_shared<ModuleText>();
    module->ptx = std::move(ptx);
    module->ptx_name = entry + ".ptx";
    auto request = std::make_shared<LaunchRequest>();
    request->kernel = entry;
    request->module = std::move(module);
    request->device = device;
    LaunchStep launch;
    launch.entry = entry;
    launch.grid = {1, 1, 1};
    launch.block = {32, 1, 1};
    request->steps.push_back(std::move(launch));
    return request;
  }

  cuda::Driver driver;
  Device device;
};

}  // namespace warplens

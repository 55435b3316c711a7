// The window on a machine with a GPU whose driver is simulated: the device is found and chosen, runs and live
// pictures use it, and it disappears.
#include <gmock/gmock.h>

#include <unistd.h>
#include <filesystem>

#include "app/views/timing/picture.h"
#include "core/base/system/files.h"
#include "core/gpu/engine/virtual_gpu.h"
#include "core/gpu/live/virtual_live.h"
#include "core/job/files/session_file.h"
#include "core/job/libraries.h"
#include "core/job/preflight.h"
#include "tests/ui/driver.h"

namespace warplens {
namespace THIS_FILE {

struct Machine {
  std::atomic<bool> gone = false, faults = false;
  std::atomic<int> runs = 0, lives = 0;
};

// Computes as the virtual GPU does, and says that it measured.
class PlayedGpu final : public Backend {
 public:
  explicit PlayedGpu(Machine& machine) : m_machine(machine) {}
  Result<RunResult> run(std::shared_ptr<const LaunchRequest> request, std::stop_token stop,
                        Progress* progress) override {
    ++m_machine.runs;
    if (m_machine.gone)
      return failed("The process that runs kernels on the GPU ended by signal 9, while it ran the launch.");
    auto played = std::make_shared<LaunchRequest>(*request);
    played->device.is_virtual = true;
    Result<RunResult> ran = m_gpu->run(played, std::move(stop), progress);
    if (!ran) return ran;
    ran->request = request;
    if (m_machine.faults) {
      ran->status = RunStatus::fault;
      ran->message = "The GPU stopped with cudaErrorIllegalAddress.";
      ran->faults.emplace_back().kind = IncidentKind::out_of_bounds;
      ran->faults.back().message = ran->message;
      return ran;
    }
    DeviceRun& measured = ran->measured.emplace();
    measured.kernel_us = spread_of({50, 51, 52});
    measured.copy_in_us = spread_of({30, 31, 33});
    measured.launch_us = spread_of({4, 4.2, 5});
    measured.copy_out_us = spread_of({12, 12.5, 13});
    ran->time = {};
    ran->time.kernel = 51;
    ran->time.source = Provenance::measured;
    return ran;
  }
  Result<LibraryRun> run_libraries(const Device&, const LibraryWork&, std::stop_token) override {
    LibraryTime time;
    time.library = "cuBLAS";
    time.missing = "cuBLAS is not on this machine, so its row is missing.";
    return LibraryRun{{time}};
  }

 private:
  Machine& m_machine;
  std::unique_ptr<Backend> m_gpu = make_virtual_gpu();
};

class GpuWindow : public WindowTest {
 protected:
  static Device played_device() {
    Device device = *find_device("NVIDIA H200");
    device.id = "cuda:0";
    device.is_virtual = false;
    return device;
  }
  WindowOptions options(const std::string& kernel) {
    WindowOptions options;
    options.kernel = kernel;
    options.make_live = [this](const Device&,
                               std::function<void()> wake) -> Result<std::unique_ptr<LiveEngine>> {
      ++machine.lives;
      return make_virtual_live(std::move(wake));
    };
    return options;
  }
  WorkerCalls engine() {
    return make_worker_calls(make_preflighted(make_virtual_gpu(), std::make_unique<PlayedGpu>(machine)), [] {
      return RealGpus{{played_device()}, ""};
    });
  }
  Machine machine;
};

TEST_F(GpuWindow, ChoosesTheGpuMeasuresAndShowsLivePictures) {
  drive(
      [this](Driver& d) {
        ASSERT_TRUE(d.wait_until([&] { return d.state().setup.device.id == "cuda:0"; }));
        ASSERT_TRUE(d.wait_for_result());
        ASSERT_TRUE(d.state().runs.result->measured);
        EXPECT_GE(machine.runs, 1);
        EXPECT_TRUE(d.state().runs.result->counters) << "the preflight counts";
        d.shell.actions().push(SetLive{true});
        ASSERT_TRUE(d.wait_until([&] { return d.shell.live().frames_shown() > 0; }));
        d.shell.actions().push(PlayLive{true});
        const uint64_t shown = d.shell.live().frames_shown();
        ASSERT_TRUE(d.wait_until([&] { return d.shell.live().frames_shown() > shown + 3; }));
        EXPECT_GT(d.state().setup.launch.values["time"], 0) << "the ripples move";
        d.shell.actions().push(SetLive{false});
        ASSERT_TRUE(d.wait_until([&] { return d.shell.live().engine() == nullptr; }));
        ASSERT_TRUE(d.wait_for_result());
        EXPECT_EQ(machine.lives, 1);
      },
      options("ripple"), engine());
}

TEST_F(GpuWindow, ShowsLibrariesBesideTheKernel) {
  drive(
      [](Driver& d) {
        ASSERT_TRUE(d.wait_until([&] { return d.state().setup.device.id == "cuda:0"; }));
        ASSERT_TRUE(d.wait_for_result());
        ASSERT_GE(d.state().runs.result->libraries.size(), 2u);
        EXPECT_EQ(d.state().runs.result->libraries[0].who, "this kernel");
        d.shell.actions().push(ShowView{View::timing});
        d.ui->Yield(6);
        d.screenshots("timing_libraries");
        d.ui->ItemClick(
            (std::string("//###timing/") + std::string(name_of(TimingVerb::mode)) + "roofline").c_str());
        d.ui->Yield(4);
        d.screenshot("timing_measured_roofline_1920x1080_dark");
      },
      options("matmul_tiled"), engine());
}

TEST_F(GpuWindow, SaysThatTheGpuIsGoneAndGoesOnWithAVirtualOne) {
  drive(
      [this](Driver& d) {
        ASSERT_TRUE(d.wait_until([&] { return d.state().setup.device.id == "cuda:0"; }));
        ASSERT_TRUE(d.wait_for_result());
        const auto before = d.state().runs.result;
        machine.gone = true;
        d.shell.actions().push(SetBlock{{64, 1, 1}});
        const int runs = machine.runs;
        ASSERT_TRUE(d.wait_until([&] { return machine.runs > runs; }));
        d.ui->Yield(20);
        d.screenshot("gpu_gone_1920x1080_dark");
        EXPECT_EQ(d.state().runs.result, before) << "what is known stays";
        d.shell.actions().push(ChooseDevice{find_device("3060")->id});
        ASSERT_TRUE(d.wait_for_result());
        EXPECT_TRUE(d.state().runs.result->request->device.is_virtual);
        EXPECT_EQ(d.state().runs.result->status, RunStatus::ok);
      },
      options("vector_add"), engine());
}

TEST_F(GpuWindow, ShowsAFaultOfTheDeviceAndRunsAgain) {
  machine.faults = true;
  drive(
      [this](Driver& d) {
        ASSERT_TRUE(d.wait_until([&] { return d.state().setup.device.id == "cuda:0"; }));
        ASSERT_TRUE(d.wait_until(
            [&] { return d.state().runs.result && d.state().runs.result->status == RunStatus::fault; }));
        machine.faults = false;
        d.shell.actions().push(SetBlock{{64, 1, 1}});
        ASSERT_TRUE(d.wait_until(
            [&] { return d.state().runs.result && d.state().runs.result->status == RunStatus::ok; }));
        EXPECT_TRUE(d.state().runs.result->measured);
      },
      options("vector_add"), engine());
}

// The state left by a restarted process: the run that may have ended its window is not repeated by itself.
TEST_F(GpuWindow, BeginsAnewOnAVirtualGpu) {
  const auto config =
      std::filesystem::temp_directory_path() / ("warplens_anew_" + std::to_string(::getpid()));
  std::filesystem::create_directories(config);
  Session session;
  session.kernel = "vector_add";
  session.device = "cuda:0";
  session.setup = default_setup(**find_kernel("vector_add"));
  session.setup.block = {64, 1, 1};
  ASSERT_TRUE(
      write_text((config / "drafts-1.json").string(),
                 R"({"warplens_drafts": 1, "ended_well": false, "session": )" + session_text(session) + "}"));
  ASSERT_TRUE(write_text((config / "window.json").string(), "{}"));
  ::setenv("WARPLENS_RESTARTED", "1", 1);
  drive(
      [this](Driver& d) {
        ASSERT_TRUE(d.wait_for_result());
        ASSERT_TRUE(d.wait_until([&] { return !d.state().setup.real_gpus.devices.empty(); }));
        d.ui->Yield(20);
        EXPECT_EQ(d.state().runs.result->shape.block, (Dim3{64, 1, 1}));
        EXPECT_TRUE(d.state().setup.device.is_virtual);
        EXPECT_EQ(machine.runs, 0);
        ASSERT_FALSE(d.state().problems.notices.empty());
        EXPECT_THAT(d.state().problems.notices.front().message, testing::HasSubstr("gave the window up"));
        d.screenshot("began_anew_1280x720_dark");
      },
      {}, engine(), config);
  ::unsetenv("WARPLENS_RESTARTED");
  std::filesystem::remove_all(config);
}

}  // namespace THIS_FILE
}  // namespace warplens

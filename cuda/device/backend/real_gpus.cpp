#include "cuda/device/backend/real_gpus.h"

#include <fmt/format.h>

#include <map>
#include <mutex>

#include "cuda/device/backend/remote_gpu.h"
#include "cuda/device/backend/worker.h"
#include "cuda/device/devices/live_devices.h"

namespace warplens::cuda {

namespace {

// No list of commands has it: the program uses it to start itself.
constexpr std::string_view worker_argument = "--device-worker";

class RealGpuBackends final : public Backend {
 public:
  explicit RealGpuBackends(std::string program) : m_program(std::move(program)) {}

  Result<RunResult> run(std::shared_ptr<const LaunchRequest> request, std::stop_token stop,
                        Progress* progress) override {
    const std::string id = request->device.id;
    const std::optional<int> ordinal = ordinal_of(id);
    if (!ordinal) return bad_input(fmt::format("{} is no real GPU.", request->device.name));
    return gpu(*ordinal, id).run(std::move(request), std::move(stop), progress);
  }

  Result<LibraryRun> run_libraries(const Device& device, const LibraryWork& work,
                                   std::stop_token stop) override {
    const std::optional<int> ordinal = ordinal_of(device.id);
    if (!ordinal) return Backend::run_libraries(device, work, std::move(stop));
    return gpu(*ordinal, device.id).run_libraries(device, work, std::move(stop));
  }

 private:
  RemoteGpu& gpu(int ordinal, const std::string& id) {
    const std::scoped_lock lock(m_mutex);
    std::unique_ptr<RemoteGpu>& remote = m_gpus[ordinal];
    if (!remote)
      remote = std::make_unique<RemoteGpu>(WorkerCommand{m_program, {std::string(worker_argument), id}});
    return *remote;
  }

  std::string m_program;
  std::mutex m_mutex;
  std::map<int, std::unique_ptr<RemoteGpu>> m_gpus;
};

}  // namespace

RealGpus find_real_gpus() {
  const Result<Driver> driver = load_driver();
  if (!driver) return {{}, driver.error().message};
  Result<std::vector<Device>> devices = describe_devices(*driver);
  if (!devices) return {{}, devices.error().message};
  if (devices->empty()) return {{}, "NVIDIA's driver is there, but it finds no GPU."};
  return {std::move(*devices), ""};
}

std::unique_ptr<Backend> make_real_gpus(const std::string& program) {
  return std::make_unique<RealGpuBackends>(program);
}

std::optional<int> run_as_worker(int argc, const char* const* argv) {
  if (argc != 3 || argv[1] != worker_argument) return std::nullopt;
  return device_worker(ordinal_of(argv[2]).value_or(0));
}

}  // namespace warplens::cuda

#include "cuda/device/backend/worker.h"

#include "core/system/own_process.h"
#include "cuda/device/backend/wire.h"

namespace warplens::cuda {

namespace {

// If there is no driver any more, every request is answered with the reason.
class NoBackend final : public Backend {
 public:
  explicit NoBackend(Error why) : m_why(std::move(why)) {}
  Result<RunResult> run(std::shared_ptr<const LaunchRequest>, std::stop_token, Progress*) override {
    return m_why;
  }
  Result<LibraryRun> run_libraries(const Device&, const LibraryWork&, std::stop_token) override {
    return m_why;
  }

 private:
  Error m_why;
};

Result<RunResult> answer(Backend& backend, std::string_view bytes) {
  Result<LaunchRequest> request = decode_request(bytes);
  if (!request) return request.error();
  return backend.run(std::make_shared<const LaunchRequest>(std::move(*request)), {}, nullptr);
}

Result<LibraryRun> answer_work(Backend& backend, std::string_view bytes) {
  const Result<LibraryWork> work = decode_work(bytes);
  if (!work) return work.error();
  return backend.run_libraries({}, *work, {});
}

}  // namespace

void serve(Wire& wire, const std::function<std::unique_ptr<Backend>(const GpuBackendOptions&)>& make) {
  GpuBackendOptions options;
  options.started = [&] { wire.send(tag::started, {}); };
  options.passed = [&] { wire.send(tag::passed, {}); };
  std::unique_ptr<Backend> backend;
  Wire::Message message;
  while (true) {
    const Wire::State state = wire.receive(message, std::chrono::hours(1));
    if (state == Wire::State::closed) return;
    if (state == Wire::State::nothing) continue;
    if (message.tag != tag::request && message.tag != tag::work) continue;
    if (!backend) backend = make(options);
    const bool sent = message.tag == tag::request
                          ? wire.send(tag::result, encode(answer(*backend, message.bytes)))
                          : wire.send(tag::times, encode(answer_work(*backend, message.bytes)));
    if (!sent) return;
  }
}

int device_worker(int ordinal) {
  end_with_input();
  Wire wire = wire_of_child();
  const std::unique_ptr<OutputCapture> output = OutputCapture::start();
  serve(wire, [&](GpuBackendOptions options) -> std::unique_ptr<Backend> {
    Result<Driver> driver = load_driver();
    if (!driver) return std::make_unique<NoBackend>(driver.error());
    if (output != nullptr)
      options.printf = {[&output] { output->begin(); }, [&output] { return output->end(); }};
    return std::make_unique<GpuBackend>(std::move(*driver), ordinal, std::move(options));
  });
  return 0;
}

}  // namespace warplens::cuda

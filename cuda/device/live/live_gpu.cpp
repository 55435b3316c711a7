#include "cuda/device/live/live_gpu.h"

#include <atomic>
#include <exception>
#include <thread>
#include <utility>

#include "cuda/device/driver/error.h"

namespace warplens::cuda {

namespace {

using Clock = std::chrono::steady_clock;

std::atomic<bool> left_running = false;

}  // namespace

bool live_kernel_left_running() { return left_running; }

LiveGpu::LiveGpu(Driver driver, int ordinal, Options options)
    : m_driver(std::move(driver)),
      m_ordinal(ordinal),
      m_options(std::move(options)),
      m_news(std::make_shared<News>()) {
  m_news->tell = m_options.on_event;
}

LiveGpu::~LiveGpu() {
  const bool came_back = !m_preparing || m_preparing->wait(m_options.patience);
  {
    const std::lock_guard lock(m_news->mutex);
    m_news->tell = nullptr;
  }
  // If the driver is stuck, releasing anything would be stuck too.
  if (!came_back) {
    abandon();
    return;
  }
  take_back();
  m_program.reset();
  // A prepared program that was not used yet may own objects of the context.
  if (m_preparing) {
    Result<Prepared> prepared = m_preparing->take();
    if (prepared && prepared->opened->context->use()) prepared->program.reset();
  }
}

Result<std::shared_ptr<LiveGpu::Opened>> LiveGpu::open(const Driver& driver, int ordinal) {
  auto opened = std::make_shared<Opened>();
  Result<Context> context = Context::create(driver, ordinal);
  if (!context) return context.error();
  opened->context = std::make_unique<Context>(std::move(*context));
  Result<Owned<CUstream>> stream = opened->context->make_stream();
  if (!stream) return stream.error();
  opened->stream = std::move(*stream);
  for (size_t i = 0; i < live_slots; ++i) {
    Slot slot;
    for (Owned<CUevent>* event : {&slot.begin, &slot.end, &slot.landed}) {
      Result<Owned<CUevent>> made = opened->context->make_event();
      if (!made) return made.error();
      *event = std::move(*made);
    }
    opened->slots.push_back(std::move(slot));
  }
  return opened;
}

// After such an error nothing in the context works. It is destroyed with this engine.
Error LiveGpu::broken(Error error) {
  if (!m_broken) m_broken = std::move(error);
  return *m_broken;
}

void LiveGpu::lend(OpenGlBuffers buffers) {
  take_back();
  m_lent = std::move(buffers);
}

void LiveGpu::take_back() {
  if (!wait_for_all()) abandon();
  m_shared.clear();
  m_path.reset();
  m_map_failure.clear();
  m_lent = {};
}

// Returns false if a kernel is still running after the patience.
bool LiveGpu::wait_for_all() {
  if (!m_opened) return true;
  static_cast<void>(m_opened->context->use());
  const CUstream stream = m_opened->stream.get();
  const auto until = Clock::now() + m_options.patience;
  while (m_driver.cuStreamQuery(stream) == CUDA_ERROR_NOT_READY) {
    if (Clock::now() > until) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  for (GlBuffer& buffer : m_shared)
    if (buffer.mapped()) static_cast<void>(buffer.unmap(stream));
  static_cast<void>(m_driver.cuStreamSynchronize(stream));
  m_running.clear();
  return true;
}

// Releasing anything would wait for the kernel. So the memory that it may write to is kept until the process
// ends.
void LiveGpu::abandon() {
  struct Left {
    std::shared_ptr<Opened> opened;
    std::unique_ptr<LiveProgram> program;
    std::vector<GlBuffer> shared;
  };
  static std::vector<Left>* const all_left = new std::vector<Left>;
  all_left->push_back({std::move(m_opened), std::move(m_program), std::move(m_shared)});
  left_running = true;
  m_running.clear();
  static_cast<void>(
      broken(failed("The live kernel had not ended on the GPU and cannot be stopped; the GPU works on it "
                    "until this program "
                    "ends. Runs of other launches go on.")));
}

std::optional<Context::Memory> LiveGpu::memory() const {
  if (!m_opened || !m_opened->context->use()) return std::nullopt;
  const Result<Context::Memory> memory = m_opened->context->memory();
  return memory ? std::optional(*memory) : std::nullopt;
}

BusTraffic LiveGpu::traffic() const {
  BusTraffic sum = m_traffic;
  for (const BusTraffic& part : {m_earlier, m_program ? m_program->traffic() : BusTraffic{}}) {
    sum.copies += part.copies;
    sum.bytes += part.bytes;
  }
  return sum;
}

Result<LiveGpu::Prepared> LiveGpu::prepare(const Driver& driver, int ordinal, std::shared_ptr<Opened> opened,
                                           const std::shared_ptr<const LaunchRequest>& request) {
  try {
    Prepared prepared;
    prepared.opened = std::move(opened);
    if (!prepared.opened) {
      Result<std::shared_ptr<Opened>> made = open(driver, ordinal);
      if (!made) return made.error();
      prepared.opened = std::move(*made);
    }
    const Context& context = *prepared.opened->context;
    if (const Result<void> used = context.use(); !used) return used.error();
    Result<std::unique_ptr<LiveProgram>> program = LiveProgram::make(context, request);
    if (!program) return program.error();
    prepared.program = std::move(*program);
    return prepared;
  } catch (const std::exception& e) {
    return failed(std::string("The program failed inside: ") + e.what());
  }
}

// Prepares the program of this request, in the background if it is a new one.
Result<bool> LiveGpu::ready_for(const std::shared_ptr<const LaunchRequest>& request) {
  if (m_preparing) {
    if (!m_preparing->wait(std::chrono::milliseconds(0))) return false;
    Result<Prepared> prepared = std::exchange(m_preparing, nullptr)->take();
    if (!prepared) return prepared.error();
    m_opened = std::move(prepared->opened);
    if (const Result<void> used = m_opened->context->use(); !used) return used.error();
    m_earlier = {traffic().copies - m_traffic.copies, traffic().bytes - m_traffic.bytes};
    m_program = std::move(prepared->program);
  }
  if (m_program && m_program->fits(*request)) return true;
  if (!m_running.empty()) return false;  // they still work on the arrays of the one before
  m_preparing = std::make_unique<SlowCall<Result<Prepared>>>(
      [driver = m_driver, ordinal = m_ordinal, opened = m_opened, news = m_news, request] {
        Result<Prepared> prepared = prepare(driver, ordinal, opened, request);
        const std::lock_guard lock(news->mutex);
        if (news->tell) news->tell();
        return prepared;
      });
  return false;
}

// Called when the context exists and the window has lent its buffers.
Result<void> LiveGpu::choose_path() {
  if (m_path) return {};
  if (!m_options.share) {
    m_path = FramePath{false, "Sharing memory with OpenGL is switched off.", ""};
  } else {
    SharedBuffers shared = share_buffers(*m_opened->context, m_lent, m_opened->stream.get());
    m_shared = std::move(shared.slots);
    m_path = std::move(shared.path);
  }
  return {};
}

// Makes device and host memory for the frames, if the window's buffers cannot be written to.
Result<void> LiveGpu::make_stages() {
  const uint64_t bytes = m_program->picture_bytes();
  if (m_stage_bytes == bytes && m_opened->slots.back().host) return {};
  for (Slot& slot : m_opened->slots) {
    slot.picture = {};
    slot.host = {};
  }
  for (Slot& slot : m_opened->slots) {
    Result<Owned<CUdeviceptr>> picture = m_opened->context->allocate(bytes, "the picture");
    if (!picture) return picture.error();
    Result<Owned<void*>> host = m_opened->context->allocate_host(bytes);
    if (!host) return host.error();
    slot.picture = std::move(*picture);
    slot.host = std::move(*host);
  }
  m_stage_bytes = bytes;
  return {};
}

// The address for the slot's picture. If a buffer cannot be mapped, sharing ends but the live picture
// continues. It is then empty until the frames in progress are finished.
Result<std::optional<CUdeviceptr>> LiveGpu::target(size_t slot) {
  using Target = std::optional<CUdeviceptr>;
  if (m_path->shared && (slot >= m_shared.size() || m_lent.bytes < m_program->picture_bytes()))
    return bad_input("The window's buffers are too small for this picture.");
  if (m_path->shared && m_map_failure.empty()) {
    const Result<CUdeviceptr> address =
        m_shared[slot].map(m_opened->stream.get(), m_program->picture_bytes());
    if (address) return Target(*address);
    m_map_failure = address.error().message;
  }
  if (m_path->shared) {
    if (!m_running.empty()) return Target();
    if (!wait_for_all()) {
      abandon();
      return *m_broken;
    }
    m_shared.clear();
    m_path = not_shared(m_lent, std::exchange(m_map_failure, ""));
  }
  if (const Result<void> made = make_stages(); !made) return made.error();
  return Target(m_opened->slots[slot].picture.get());
}

Result<void> LiveGpu::enqueue(size_t slot, const LaunchRequest& request, CUdeviceptr target) {
  const CUstream stream = m_opened->stream.get();
  Slot& own = m_opened->slots[slot];
  Result<void> run = m_program->run(request, target, stream, own.begin.get(), own.end.get());
  if (!run) return run;
  if (!m_path->shared) {
    const uint64_t bytes = m_program->picture_bytes();
    const CUresult r = m_driver.cuMemcpyDtoHAsync(own.host.get(), own.picture.get(), bytes, stream);
    if (r != CUDA_SUCCESS) return error_of(m_driver, r, "Copying the picture to the host");
    ++m_traffic.copies;
    m_traffic.bytes += bytes;
  }
  const CUresult r = m_driver.cuEventRecord(own.landed.get(), stream);
  if (r != CUDA_SUCCESS) return error_of(m_driver, r, "Recording an event");
  return {};
}

Result<bool> LiveGpu::start(size_t slot, std::shared_ptr<const LaunchRequest> request) {
  if (m_broken) return *m_broken;
  if (slot >= live_slots) return bad_input("There is no such slot for a live frame.");
  Result<bool> ready = ready_for(request);
  if (!ready || !*ready) return ready;
  if (const Result<void> used = m_opened->context->use(); !used) return used.error();
  if (const Result<void> chosen = choose_path(); !chosen) return chosen.error();
  const Result<std::optional<CUdeviceptr>> to = target(slot);
  if (!to) return to.error();
  if (!*to) return false;
  const Result<void> put = enqueue(slot, *request, **to);
  if (!put) {
    if (!wait_for_all()) abandon();
    return put.error();
  }
  m_running.push_back({slot, Clock::now()});
  return true;
}

Result<LiveFrame> LiveGpu::complete(size_t slot) {
  LiveFrame frame;
  frame.slot = slot;
  const Slot& own = m_opened->slots[slot];
  float ms = 0;
  CUresult r = m_driver.cuEventElapsedTime(&ms, own.begin.get(), own.end.get());
  if (r != CUDA_SUCCESS) return error_of(m_driver, r, "Reading the kernel's time");
  frame.kernel_ms = static_cast<double>(ms);
  if (!m_path->shared) {
    frame.host = {static_cast<const std::byte*>(own.host.get()), m_program->picture_bytes()};
    return frame;
  }
  if (const Result<void> back = m_shared[slot].unmap(m_opened->stream.get()); !back) return back.error();
  return frame;
}

Result<std::vector<LiveFrame>> LiveGpu::finished() {
  if (m_broken) return *m_broken;
  std::vector<LiveFrame> frames;
  if (m_running.empty()) return frames;
  if (const Result<void> used = m_opened->context->use(); !used) return used.error();
  while (!m_running.empty()) {
    const auto [slot, since] = m_running.front();
    const CUresult r = m_driver.cuEventQuery(m_opened->slots[slot].landed.get());
    if (r == CUDA_ERROR_NOT_READY && Clock::now() - since > m_options.frame_limit) {
      abandon();
      return *m_broken;
    }
    if (r == CUDA_ERROR_NOT_READY) break;
    if (r != CUDA_SUCCESS) return broken(error_of(m_driver, r, "Running the kernel live"));
    m_running.pop_front();
    Result<LiveFrame> frame = complete(slot);
    if (!frame) return broken(frame.error());
    frames.push_back(*frame);
  }
  return frames;
}

}  // namespace warplens::cuda

#include "app/views/image/panel/live_panel.h"

#include <algorithm>
#include <exception>
#include <new>

#include "app/state/setup/outlook.h"
#include "app/state/update.h"
#include "core/gpu/live/virtual_live.h"
#include "core/kernels/make_request_again.h"
#include "core/launch/steps.h"

namespace warplens {

namespace {

constexpr std::chrono::milliseconds report_every{500};
constexpr double poll_s = 0.002;        // for a GPU, which does not wake the window
constexpr double longest_step_s = 0.1;  // after a pause the numbers go on, they do not jump

bool same_setup(const KernelSetup& a, const KernelSetup& b) {
  return a.values == b.values && a.image == b.image && a.block == b.block && a.grid == b.grid &&
         a.fit_grid == b.fit_grid && a.shared_dynamic_bytes == b.shared_dynamic_bytes &&
         a.data_seed == b.data_seed;
}

// A kernel that never ends would block the window, so it must first have ended in an ordinary run.
bool is_trusted(const AppState& state) {
  if (state.setup.device.is_virtual ||
      (!state.setup.kernel->own && !state.setup.kernel->intentionally_broken))
    return true;
  return state.runs.result && state.runs.result->status == RunStatus::ok && state.runs.result->request &&
         state.runs.result->request->kernel == state.setup.kernel->name &&
         state.runs.result->request->module &&
         state.runs.result->request->module->ptx == state.setup.kernel->ptx;
}

BufferRaster empty_raster(const BufferSpec& spec) {
  BufferRaster raster;
  raster.name = spec.name;
  raster.channels = spec.channels;
  // As in the texture, a picture of one row is not folded.
  raster.plane = {{spec.width, spec.height, 1}, false, spec.width, spec.height, 1};
  auto placeholder = std::make_shared<Raster>();
  placeholder->width = spec.width;
  placeholder->height = spec.height;
  placeholder->rgba.resize(4);  // the pixels are in the texture
  raster.raster = std::move(placeholder);
  return raster;
}

}  // namespace

Result<std::unique_ptr<LiveEngine>> make_virtual_live_for(const Device&, std::function<void()> wake) {
  return make_virtual_live(std::move(wake));
}

Result<void> LiveView::open(const AppState& state) {
  if (!m_picture) {
    Result<std::unique_ptr<LivePicture>> picture = LivePicture::open();
    if (!picture) return picture.error();
    m_picture = std::move(*picture);
  }
  if (m_engine && m_device == state.setup.device.id) return {};
  m_engine.reset();
  m_ring.clear();
  m_made.reset();
  Result<std::unique_ptr<LiveEngine>> engine = make_engine(state.setup.device, wake);
  if (!engine) return engine.error();
  m_engine = std::move(*engine);
  m_device = state.setup.device.id;
  if (m_picture->shape().bytes() != 0) m_engine->lend(m_picture->buffers());
  return {};
}

void LiveView::stop() {
  m_engine.reset();
  m_picture.reset();
  m_ring.clear();
  m_requests = {};
  m_made.reset();
  m_shown.reset();
  m_report = {};
  m_kernel = nullptr;
  m_own.reset();
  m_pending = m_playing = m_moved_by_us = m_was_playing = false;
}

std::optional<double> LiveView::wait_s() const {
  // A hidden view requests no further frames.
  if (!m_engine || ++m_waits_since_drawn > 2) return std::nullopt;
  if (m_playing && !m_engine->busy()) return 0.0;
  // The virtual GPU, and the preparation of a kernel, wake the window themselves.
  if (m_ring.running() > 0 && m_report.on_gpu) return poll_s;
  if (m_pending && m_ring.running() == 0 && !m_engine->busy()) return poll_s;
  return std::nullopt;
}

bool LiveView::is_new(const AppState& state) const {
  return !m_made || m_made->kernel != state.setup.kernel->name || m_made->device != state.setup.device.id ||
         m_made->own != state.setup.own_kernel || !same_setup(m_made->setup, state.setup.launch);
}

// Makes buffers of the size of this picture. It waits for frames of another size, which takes the time of
// one kernel.
Result<void> LiveView::fit_buffers(const BufferSpec& spec) {
  const PictureShape shape{spec.width, spec.height, spec.channels};
  if (m_picture->shape() == shape) return {};
  m_engine->take_back();
  m_ring.clear();
  if (Result<void> shaped = m_picture->reshape(shape); !shaped) return shaped;
  m_engine->lend(m_picture->buffers());
  return {};
}

Result<void> LiveView::start(const AppState& state) {
  for (size_t slot = 0; slot < live_slots; ++slot)
    if (m_ring.of(slot) == FrameRing::Slot::drawing && m_picture->is_read(slot)) m_ring.release(slot);
  const bool changed = is_new(state);
  m_pending = changed || m_playing;
  if (!m_pending || !is_trusted(state)) return {};
  const std::optional<size_t> slot = m_ring.next();
  if (!slot) return {};
  std::shared_ptr<const LaunchRequest> request = m_made ? m_made->request : nullptr;
  if (changed) {
    const Before before{m_made ? m_made->request.get() : nullptr, m_made ? &m_made->setup : nullptr};
    Result<LaunchRequest> made =
        make_request_again(*state.setup.kernel, state.setup.launch, state.setup.device,
                           before.request != nullptr ? &before : nullptr);
    if (!made) return made.error();
    request = std::make_shared<const LaunchRequest>(std::move(*made));
  }
  const std::optional<uint32_t> output = live_output(*request);
  if (!output)
    return bad_input(state.setup.kernel->title +
                     " writes no picture. Choose a kernel that does, and switch live on again.");
  if (Result<void> fit = fit_buffers(request->buffers[*output]); !fit) return fit;
  const Result<bool> started = m_engine->start(*slot, request);
  if (!started) return started.error();
  if (!*started) return {};
  m_ring.started(*slot);
  m_requests[*slot] = request;
  m_made = Made{state.setup.launch, state.setup.kernel->name, state.setup.device.id, state.setup.own_kernel,
                request};
  m_pending = m_playing;
  return {};
}

Result<void> LiveView::take_finished() {
  Result<std::vector<LiveFrame>> frames = m_engine->finished();
  if (!frames) return frames.error();
  for (size_t i = 0; i < frames->size(); ++i) {
    const LiveFrame& frame = (*frames)[i];
    m_kernel_ms = frame.kernel_ms;
    if (i + 1 < frames->size()) {  // a newer frame is there, so this one is not shown
      m_ring.release(frame.slot);
    } else {
      show(frame);
    }
  }
  return {};
}

void LiveView::show(const LiveFrame& frame) {
  if (!frame.host.empty()) m_picture->upload(frame.slot, frame.host);
  m_picture->show(frame.slot);
  m_ring.drawn(frame.slot);
  ++m_frames_shown;
  const std::shared_ptr<const LaunchRequest>& request = m_requests.at(frame.slot);
  const ShownBuffers shown = shown_buffers(*request);
  const uint32_t output = *live_output(*request);
  if (!m_shown) m_shown.emplace();
  auto result = std::make_shared<RunResult>();
  result->request = request;
  if (const LaunchStep* launch = first_launch(*request)) {
    result->entry = launch->entry;
    result->shape = {launch->grid, launch->block, launch->shared_dynamic_bytes, launch->cooperative};
  }
  ImageSet& set = m_shown->set;
  set.grid = result->shape.grid;
  set.block = result->shape.block;
  set.shown = shown;
  set.shown.output = output;
  set.difference.reason = "A live picture is never copied to the host: switch live off to compare.";
  const BufferSpec& spec = request->buffers[output];
  const bool same = set.result && set.result->plane.extent == Dim3{spec.width, spec.height, 1} &&
                    set.result->channels == spec.channels && set.result->name == spec.name;
  if (!same) set.result = empty_raster(spec);
  const std::shared_ptr<const Bytes> input = shown.input ? request->buffers[*shown.input].initial : nullptr;
  if (input != m_input_of) {
    set.input.reset();
    if (input) set.input = raster_of(request->buffers[*shown.input], *input, nullptr);
    m_input_of = input;
  }
  m_shown->texture = m_picture->texture();
  m_shown->result = std::move(result);
}

void LiveView::move(const MovedValues& values, Actions& actions) {
  for (const auto& [name, value] : values) actions.push(SetValue{name, value, true});
  m_moved_by_us = m_moved_by_us || !values.empty();
}

bool LiveView::takes_pointer(const AppState& state) const {
  return m_shown && state.setup.kernel != nullptr && m_kernel == state.setup.kernel && m_motion.plane();
}

void LiveView::drag(const AppState& state, Actions& actions, Point pixels) {
  move(dragged(m_motion, state.setup.launch, pixels), actions);
}

void LiveView::zoom(const AppState& state, Actions& actions, Point at, double factor) {
  if (!m_shown || !m_shown->set.result) return;
  const Dim3 extent = m_shown->set.result->plane.extent;
  move(zoomed_at(m_motion, state.setup.launch, extent.x, extent.y, at, factor), actions);
}

// The numbers change only when a frame can be started. So a slow device shows fewer frames, not older ones.
void LiveView::play(const AppState& state, Actions& actions) {
  const auto now = Clock::now();
  m_playing = state.live.playing;
  if (!m_playing || !m_was_playing) {
    m_was_playing = m_playing;
    m_played_at = now;
    m_phase = phase_of(m_motion, state.setup.launch);
    return;
  }
  if (is_new(state) || !m_ring.next()) return;
  const double seconds = std::chrono::duration<double>(now - m_played_at).count();
  m_played_at = now;
  move(played(m_motion, state.setup.launch, std::min(seconds, longest_step_s), m_phase), actions);
}

// All changes of a motion become one undo step.
void LiveView::settle(const AppState& state, Actions& actions) {
  if (!m_moved_by_us || live_moves(state)) return;
  m_moved_by_us = false;
  actions.push(EndGesture{});
}

BusTraffic LiveView::traffic() const {
  BusTraffic sum = m_engine ? m_engine->traffic() : BusTraffic{};
  // The virtual GPU's frames are in this machine's memory, and go to the window's.
  if (m_picture) {
    sum.copies += m_picture->traffic().copies;
    sum.bytes += m_picture->traffic().bytes;
  }
  return sum;
}

void LiveView::report(const AppState& state, Actions& actions) {
  const std::optional<FramePath> path = m_engine->path();
  LiveReport now = m_report;
  now.shown = m_shown.has_value();
  now.on_gpu = !state.setup.device.is_virtual;
  now.shared = path && path->shared;
  now.why_not = path ? path->why_not : "";
  now.advice = path ? path->advice : "";
  const auto since = Clock::now() - m_reported_at;
  const bool news =
      now.shown != m_report.shown || now.shared != m_report.shared || now.why_not != m_report.why_not;
  if (!news && since < report_every) return;
  const uint64_t frames = m_frames_shown - m_frames_reported, bytes = traffic().bytes;
  if (frames == 0 && !news) return;  // it rests: the figures stay
  const double seconds = std::chrono::duration<double>(since).count();
  now.kernel_ms = m_kernel_ms;
  // With fewer frames, the rate would only show how fast the user moved the pointer.
  constexpr uint64_t enough = 10;
  now.frames_per_second = news || (!m_playing && frames < enough) ? 0 : double(frames) / seconds;
  now.bytes_a_frame = frames == 0 ? 0 : double(bytes - m_bytes_reported) / double(frames);
  m_frames_reported = m_frames_shown;
  m_bytes_reported = bytes;
  m_reported_at = Clock::now();
  if (now == m_report) return;
  m_report = now;
  actions.push(LiveReported{now});
}

Result<void> LiveView::follow(const AppState& state, Actions& actions) {
  if (Result<void> opened = open(state); !opened) return opened;
  if (m_kernel != state.setup.kernel) {
    m_kernel = state.setup.kernel;
    m_own = state.setup.own_kernel;
    m_motion = motion_of(*state.setup.kernel);
    m_was_playing = false;
  }
  if (Result<void> taken = take_finished(); !taken) return taken;
  // If the setup cannot run, the last picture stays, and the Launch panel says why.
  if (state.setup.outlook.error.empty() && !state.setup.outlook.refusal)
    if (Result<void> started = start(state); !started) return started;
  play(state, actions);
  settle(state, actions);
  report(state, actions);
  return {};
}

// The request is made within the frame, with all its arrays, so memory may run out.
Result<void> LiveView::follow_without_throwing(const AppState& state, Actions& actions) {
  try {
    return follow(state, actions);
  } catch (const std::bad_alloc&) {
    return failed("There is not enough memory for a live picture of this size.");
  } catch (const std::exception& e) {
    return failed(std::string("The live picture failed: ") + e.what());
  }
}

const LiveShown* LiveView::frame(const AppState& state, Actions& actions) {
  if (!state.live.on || state.setup.kernel == nullptr) {
    if (m_engine || m_picture) stop();
    return nullptr;
  }
  m_waits_since_drawn = 0;
  if (needs_picture(*state.setup.kernel) && !state.setup.launch.image)
    return m_shown ? &*m_shown : nullptr;  // it is being read
  if (const Result<void> done = follow_without_throwing(state, actions); !done) {
    actions.push(LiveFailed{done.error().message});
    stop();
    return nullptr;
  }
  return m_shown ? &*m_shown : nullptr;
}

std::shared_ptr<const Raster> LiveView::read_back() const {
  if (!m_picture || !m_shown) return nullptr;
  return std::make_shared<const Raster>(m_picture->read_back());
}

}  // namespace warplens

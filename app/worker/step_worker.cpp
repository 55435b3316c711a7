#include "app/worker/step_worker.h"

#include <exception>
#include <utility>

#include "app/state/update.h"
#include "core/job/named_variables.h"

namespace warplens {
namespace {

using stepping::BlockStepper;
using stepping::Goal;
using stepping::Stop;

Stop stay_at(uint64_t position) {
  Stop stop;
  stop.position = position;
  return stop;
}

Stop follow(BlockStepper& stepper, const StepMove& move, const std::stop_token& stop) {
  switch (move.kind) {
    case StepMoveKind::look:
      return stay_at(stepper.position());
    case StepMoveKind::line:
      return stepper.run({Goal::Kind::line, move.warp}, stop);
    case StepMoveKind::over:
      return stepper.run({Goal::Kind::over, move.warp}, stop);
    case StepMoveKind::back_line:
      return stepping::back_by_line(stepper, move.warp);
    case StepMoveKind::instruction:
      return stepper.run({Goal::Kind::instructions, move.warp, 1}, stop);
    case StepMoveKind::back_instruction:
      return stepper.back();
    case StepMoveKind::this_warp:
      return stepper.step_warp(move.warp, stop);
    case StepMoveKind::barrier:
      return stepping::seek(stepper, stepping::Seek::barrier, stop);
    case StepMoveKind::divergence:
      return stepping::seek(stepper, stepping::Seek::divergence, stop);
    case StepMoveKind::conflict:
      return stepping::seek(stepper, stepping::Seek::conflict, stop);
    case StepMoveKind::to_line:
      return stepper.run_to_line(stepping::Breakpoint::Kind::source_line, static_cast<uint32_t>(move.value),
                                 move.warp, stop);
    case StepMoveKind::to_position:
      return stepper.jump(move.value, stop);
    case StepMoveKind::to_end:
      return stepper.run({}, stop);
    case StepMoveKind::who_wrote: {
      const auto found = stepping::seek_write(stepper, move.space, move.address, move.bytes, stop);
      if (found) return *found;
      Stop none = stay_at(stepper.position());
      none.message = "Nothing in this block has written this before.";
      return none;
    }
  }
  return {};
}

// The block that is open, with what was shown last.
struct Opened {
  uint64_t serial = 0;
  BlockStepper stepper;
  StepSnapshot shown;
  bool whole = false;  // its length is known and its timeline is made
};

// The launch compiled for the names of its variables. Blocks of the same code are compiled once.
class NamedCode {
 public:
  std::shared_ptr<const LaunchRequest> of(const std::shared_ptr<const LaunchRequest>& request,
                                          const std::stop_token& stop) {
    const auto& code = request->module;
    if (code && m_code && m_code->ptx == code->ptx && m_code->source == code->source)
      return with_code(*request);
    m_code = nullptr;
    const Result<LaunchRequest> named = with_named_variables(*request, stop);
    if (!named || stop.stop_requested()) return request;  // registers stand there instead
    m_code = code;
    m_named = named->module;
    return std::make_shared<const LaunchRequest>(*named);
  }

 private:
  std::shared_ptr<const LaunchRequest> with_code(const LaunchRequest& request) const {
    auto named = std::make_shared<LaunchRequest>(request);
    named->module = m_named;
    return named;
  }
  std::shared_ptr<const ModuleText> m_code, m_named;
};

// Moves the block, and keeps what there is to see.
void do_move(Opened& opened, const StepMove& move, const std::stop_token& stop) {
  if (opened.stepper.position() != opened.shown.position) opened.stepper.jump(opened.shown.position);
  const uint64_t recorded = opened.stepper.recorded();
  const Stop stopped = follow(opened.stepper, move, stop);
  // Another order of warps makes another recording.
  if (move.kind == StepMoveKind::this_warp && opened.stepper.recorded() != recorded) opened.whole = false;
  opened.shown = snapshot_of(opened.stepper, move.warp, &opened.shown);
  if (!stopped.message.empty()) opened.shown.message = stopped.message;
}

// Runs to the end and comes back to what is shown. False if it was stopped on the way.
bool look_ahead(Opened& opened, const std::stop_token& stop) {
  const uint64_t here = opened.shown.position;
  opened.stepper.jump(UINT64_MAX, stop);
  const bool whole = !stop.stop_requested();
  opened.stepper.jump(here);
  if (!whole) return false;
  opened.shown.recorded = opened.stepper.recorded();
  opened.shown.length = opened.stepper.length();
  opened.shown.timeline =
      std::make_shared<const stepping::Timeline>(stepping::timeline_of(opened.stepper, timeline_parts));
  opened.whole = true;
  return true;
}

}  // namespace

StepWorker::StepWorker(std::function<void()> on_news)
    : m_on_news(std::move(on_news)), m_thread([this](const std::stop_token& quit) { work(quit); }) {}

StepWorker::~StepWorker() {
  {
    const std::lock_guard lock(m_mutex);
    m_stop.request_stop();
  }
  m_thread.request_stop();
  m_wake.notify_all();
}

void StepWorker::open(StepOrder order) {
  {
    const std::lock_guard lock(m_mutex);
    m_order = std::move(order);
    m_moves.clear();
    m_stop.request_stop();
  }
  m_wake.notify_all();
}

void StepWorker::move(const StepMove& move) {
  {
    const std::lock_guard lock(m_mutex);
    const bool again = move.kind == StepMoveKind::to_position && !m_moves.empty() &&
                       m_moves.back().kind == StepMoveKind::to_position;
    if (again)
      m_moves.back() = move;
    else
      m_moves.push_back(move);
    if (!m_moving) m_stop.request_stop();  // it is looking ahead
  }
  m_wake.notify_all();
}

std::vector<Action> StepWorker::poll() {
  const std::lock_guard lock(m_mutex);
  return std::exchange(m_news, {});
}

bool StepWorker::busy() const {
  const std::lock_guard lock(m_mutex);
  return m_moving || m_order || !m_moves.empty() || !m_news.empty();
}

void StepWorker::tell(Action news) {
  {
    const std::lock_guard lock(m_mutex);
    m_news.push_back(std::move(news));
  }
  if (m_on_news) m_on_news();
}

void drive_steps(AppState& state, StepWorker& worker) {
  for (const Action& news : worker.poll()) update(state, news);
  StepState& step = state.step;
  if (step.serial != 0 && !step.submitted) {
    step.submitted = true;
    worker.open({step.serial, step.request, step.block});
  }
  for (const StepMove& move : std::exchange(step.moves, {})) worker.move(move);
  if (!step.playing || step.moving || !step.shown) return;
  if (state.frame.now_s - step.played_s < 1 / step.lines_per_second) return;
  step.played_s = state.frame.now_s;
  StepMove line{StepMoveKind::line};
  line.warp = step.shown->warp;
  step.moving = true;
  worker.move(line);
}

void StepWorker::work(const std::stop_token& quit) {
  std::optional<Opened> opened;
  NamedCode named;
  std::unique_lock lock(m_mutex);
  while (!quit.stop_requested()) {
    const bool ahead = opened && !opened->whole;
    if (!ahead && !m_wake.wait(lock, quit, [this] { return m_order || !m_moves.empty(); })) return;
    if (quit.stop_requested()) return;
    m_stop = std::stop_source();
    const std::stop_token stop = m_stop.get_token();
    const auto order = std::exchange(m_order, std::nullopt);
    std::optional<StepMove> move;
    if (!order && !m_moves.empty()) {
      move = m_moves.front();
      m_moves.erase(m_moves.begin());
    }
    m_moving = order || move;
    const bool more = !m_moves.empty();
    lock.unlock();
    const uint64_t serial = order ? order->serial : opened ? opened->serial : 0;
    try {
      if (order) {
        opened.reset();
        const auto stepped = named.of(order->request, stop);
        Result<BlockStepper> stepper = BlockStepper::open(stepped, order->block, {}, stop);
        if (stepper) {
          opened.emplace(Opened{order->serial, std::move(stepper).value(), {}, false});
          opened->shown.stepped = stepped;
        } else if (!stop.stop_requested())
          tell(StepFailed{serial, stepper.error().message});
      } else if (move && opened) {
        do_move(*opened, *move, stop);
        tell(StepShown{serial, std::make_shared<const StepSnapshot>(opened->shown), more});
      } else if (ahead && !move) {
        if (look_ahead(*opened, stop))
          tell(StepShown{serial, std::make_shared<const StepSnapshot>(opened->shown), false});
      }
    } catch (const std::exception& e) {
      opened.reset();
      tell(StepFailed{serial,
                      std::string("There is not enough memory to step this block (") + e.what() + ")."});
    }
    lock.lock();
    m_moving = false;
  }
}

}  // namespace warplens

#include "app/worker/step_worker.h"

#include <exception>
#include <utility>

#include "app/state/update.h"
#include "app/worker/stepped_block.h"
#include "core/job/named_variables.h"

namespace warplens {
namespace {

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

// Findings and faults of the block that is opened.
std::vector<Incident> incidents_of(const AppState& state) {
  constexpr size_t most = 64;
  std::vector<Incident> all;
  if (!state.runs.result || state.runs.now.shown != state.step.run || state.step.choice.launch != 0)
    return all;
  for (const auto* list : {&state.runs.result->faults, &state.runs.result->findings})
    for (const Incident& incident : *list)
      if (incident.block == state.step.block && all.size() < most) all.push_back(incident);
  return all;
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
    m_wants.reset();
    m_stop.request_stop();
  }
  m_wake.notify_all();
}

void StepWorker::want(StepWants wants) {
  {
    const std::lock_guard lock(m_mutex);
    m_wants = std::move(wants);
    if (!m_moving) m_stop.request_stop();  // it is looking ahead
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
  return m_moving || m_order || m_wants || !m_moves.empty() || !m_news.empty();
}

void StepWorker::tell(Action news) {
  {
    const std::lock_guard lock(m_mutex);
    m_news.push_back(std::move(news));
    m_moving = false;  // this is what there is to say of it
  }
  if (m_on_news) m_on_news();
}

std::vector<Action> without_early_ends(std::vector<Action> news, bool busy) {
  for (size_t i = 0; i < news.size(); ++i)
    if (const StepShown* shown = as<StepShown>(news[i]); shown && (busy || i + 1 < news.size())) {
      StepShown not_the_end = *shown;
      not_the_end.more = true;
      news[i] = std::move(not_the_end);
    }
  return news;
}

void drive_steps(AppState& state, StepWorker& worker) {
  std::vector<Action> all_news = worker.poll();
  for (const Action& news : without_early_ends(std::move(all_news), worker.busy())) update(state, news);
  StepState& step = state.step;
  if (step.serial != 0 && !step.submitted) {
    step.submitted = true;
    step.told = step.wants;
    worker.open(
        {step.serial, step.request, step.block, step.choice, step.race, incidents_of(state), step.wants});
  }
  if (step.submitted && !(step.told == step.wants)) {
    step.told = step.wants;
    worker.want(step.wants);
    StepMove look{StepMoveKind::look};
    if (step.shown) look.warp = step.shown->warp;
    step.moves.push_back(look);
    step.moving = true;
  }
  for (const StepMove& move : std::exchange(step.moves, {})) worker.move(move);
  // News of looking ahead, which came in the meantime, end no move.
  if (step.submitted && step.shown) step.moving = worker.busy();
  if (!step.playing || step.moving || !step.shown) return;
  if (state.frame.now_s - step.played_s < 1 / step.lines_per_second) return;
  step.played_s = state.frame.now_s;
  StepMove line{StepMoveKind::line};
  line.warp = step.shown->warp;
  step.moving = true;
  worker.move(line);
}

void StepWorker::show(const SteppedBlock& block, bool more, std::optional<uint32_t> lane) {
  tell(StepShown{block.serial(), std::make_shared<const StepSnapshot>(block.shown()), more, lane});
}

void StepWorker::work(const std::stop_token& quit) {
  std::optional<SteppedBlock> opened;
  NamedCode named;
  std::unique_lock lock(m_mutex);
  while (!quit.stop_requested()) {
    const bool ahead = opened && !opened->knows_all();
    if (!ahead && !m_wake.wait(lock, quit, [this] { return m_order || m_wants || !m_moves.empty(); })) return;
    if (quit.stop_requested()) return;
    m_stop = std::stop_source();
    const std::stop_token stop = m_stop.get_token();
    const auto order = std::exchange(m_order, std::nullopt);
    const auto wants = std::exchange(m_wants, std::nullopt);
    std::optional<StepMove> move;
    if (!order && !m_moves.empty()) {
      move = m_moves.front();
      m_moves.erase(m_moves.begin());
    }
    m_moving = order || move;
    const bool more = !m_moves.empty();
    lock.unlock();
    const uint64_t serial = order ? order->serial : opened ? opened->serial() : 0;
    try {
      if (wants && opened && !order) opened->want(*wants);
      if (order) {
        opened.reset();
        Result<SteppedBlock> block = SteppedBlock::open(*order, named.of(order->request, stop), stop);
        if (block) {
          opened.emplace(std::move(block).value());
          if (wants) opened->want(*wants);
        } else if (!stop.stop_requested())
          tell(StepFailed{serial, block.error().message});
      } else if (move && opened) {
        const std::optional<uint32_t> lane = opened->move(*move, stop);
        show(*opened, more, lane);
      } else if (ahead && !wants) {
        if (opened->look_ahead(stop)) show(*opened, false, {});
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

#include "app/worker/step_worker.h"

#include <exception>
#include <utility>

#include "app/state/update.h"
#include "app/worker/stepped_block.h"
#include "core/job/named_variables.h"

namespace warplens {
namespace {

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

// The launch compiled for the names of its variables. Blocks of the same code are compiled once.
class StepWorker::NamedCode {
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

// The block that is open, and the code of the last one.
struct StepWorker::Opened {
  using Event = std::optional<Action>;

  Event work(const StepOrder& order, const Box::Worker& worker) {
    block.reset();
    Result<SteppedBlock> opened =
        SteppedBlock::open(order, named.of(order.request, worker.stop), worker.stop);
    if (opened)
      block.emplace(std::move(opened).value());
    else if (!worker.stop.stop_requested())
      return StepFailed{order.serial, opened.error().message};
    return std::nullopt;
  }
  Event work(const StepWants& wants, const Box::Worker&) {
    if (block) block->want(wants);
    return std::nullopt;
  }
  Event work(const StepMove& move, const Box::Worker& worker) {
    if (!block) return std::nullopt;
    const std::optional<uint32_t> lane = block->move(move, worker.stop);
    const bool more =
        worker.waits([](const Order& order) { return std::holds_alternative<StepMove>(order); });
    return shown(more, lane);
  }
  Event work(const LookAhead&, const Box::Worker& worker) {
    if (!block || !block->look_ahead(worker.stop)) return std::nullopt;
    return shown(false, {});
  }
  Event shown(bool more, std::optional<uint32_t> lane) const {
    return StepShown{block->serial(), std::make_shared<const StepSnapshot>(block->shown()), more, lane};
  }

  NamedCode named;
  std::optional<SteppedBlock> block;
};

StepWorker::StepWorker(std::function<void()> on_event)
    : m_opened(std::make_unique<Opened>()),
      m_box(
          {.rank = [](const Order& order) { return static_cast<int>(order.index()); },
           .replaces =
               [](const Order& newer, const Order& waiting) {
                 const auto *to = std::get_if<StepMove>(&newer), *from = std::get_if<StepMove>(&waiting);
                 if (to != nullptr && from != nullptr)
                   return to->kind == StepMoveKind::to_position && from->kind == to->kind;
                 return std::holds_alternative<StepOrder>(newer) || newer.index() == waiting.index();
               },
           .stops =
               [](const Order& newer, const Order& at_work) {
                 return std::holds_alternative<StepOrder>(newer) ||
                        std::holds_alternative<LookAhead>(at_work);
               }},
          [this](const Order& order, const Box::Worker& worker) { return work(order, worker); },
          std::move(on_event)) {}

StepWorker::~StepWorker() = default;

bool StepWorker::busy() const {
  return m_box.busy([](const Order& order) { return !std::holds_alternative<LookAhead>(order); });
}

std::optional<Action> StepWorker::work(const Order& order, const Box::Worker& worker) {
  std::optional<SteppedBlock>& block = m_opened->block;
  std::optional<Action> event;
  try {
    event = std::visit([&](const auto& kind) { return m_opened->work(kind, worker); }, order);
  } catch (const std::exception& e) {
    const auto* opens = std::get_if<StepOrder>(&order);
    const uint64_t serial = opens != nullptr ? opens->serial : block ? block->serial() : 0;
    block.reset();
    return StepFailed{serial,
                      std::string("There is not enough memory to step this block (") + e.what() + ")."};
  }
  if (block && !block->knows_all())
    worker.later(LookAhead{},
                 [](const Order& waiting) { return std::holds_alternative<LookAhead>(waiting); });
  return event;
}

std::vector<Action> without_early_ends(std::vector<Action> events, bool busy) {
  for (size_t i = 0; i < events.size(); ++i)
    if (const StepShown* shown = as<StepShown>(events[i]); shown && (busy || i + 1 < events.size())) {
      StepShown not_the_end = *shown;
      not_the_end.more = true;
      events[i] = std::move(not_the_end);
    }
  return events;
}

void drive_steps(AppState& state, StepWorker& worker) {
  std::vector<Action> all_events = worker.poll();
  for (const Action& event : without_early_ends(std::move(all_events), worker.busy())) update(state, event);
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
  // Events of looking ahead, which came in the meantime, end no move.
  if (step.submitted && step.shown) step.moving = worker.busy();
  if (!step.playing || step.moving || !step.shown) return;
  if (state.frame.now_s - step.played_s < 1 / step.lines_per_second) return;
  step.played_s = state.frame.now_s;
  StepMove line{StepMoveKind::line};
  line.warp = step.shown->warp;
  step.moving = true;
  worker.move(line);
}

}  // namespace warplens

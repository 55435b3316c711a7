#include "app/worker/drive.h"

#include <cstring>

#include "app/state/parts/sweeps.h"
#include "app/state/update.h"
#include "core/lesson/goals/sm_facts.h"

namespace warplens {
namespace {

void submit_run(AppState& state, RunQueue& queue, DriveMemory& memory) {
  const uint64_t wanted = state.runs.now.wanted;
  if (wanted == 0 || wanted == memory.submitted_run || !state.setup.kernel) return;
  if (live_moves(state)) return;  // the live picture goes ahead; this one has what is counted
  memory.submitted_run = wanted;
  memory.submitted_replay.reset();
  // A lesson asks for numbers, also of kernels with races. On one core they are the same each time.
  const uint32_t workers = state.lesson.is_open() ? 1 : 0;
  const bool sm = state.lesson.is_open() && lesson::asks_for_sm(state.lesson.open->folder);
  queue.send(RunOrder{wanted, state.setup.kernel, state.setup.launch, state.setup.device,
                      state.setup.own_kernel, state.frame.preferences.looking, state.setup.order, workers,
                      sm});
}

void submit_compile(AppState& state, RunQueue& queue, DriveMemory& memory) {
  const CodeState& code = state.code;
  if (code.wanted == 0 || code.wanted == memory.submitted_compile) return;
  memory.submitted_compile = code.wanted;
  const bool from_file = !code.opening.empty();
  queue.send(CompileOrder{code.wanted, code.text, code.name, from_file ? code.opening : code.path,
                          from_file ? "" : code.entry, from_file ? "" : code.copy_of, from_file,
                          state.setup.device});
}

void submit_replay(AppState& state, RunQueue& queue, DriveMemory& memory) {
  if (!state.footprint.wanted) memory.submitted_replay.reset();  // the same block may be wanted again
  if (!state.footprint.wanted || state.footprint.replayed || !state.runs.result) return;
  const std::pair<uint64_t, Dim3> wanted{state.runs.now.shown, *state.footprint.wanted};
  if (memory.submitted_replay && *memory.submitted_replay == wanted) return;
  memory.submitted_replay = wanted;
  queue.send(ReplayOrder{wanted.first, state.runs.result->request, wanted.second});
}

void submit_sweeps(AppState& state, RunQueue& queue, DriveMemory& memory) {
  for (const SweepKind kind : {SweepKind::blocks, SweepKind::sizes}) {
    const SweepState& sweep = state.sweeps[static_cast<size_t>(kind)];
    uint64_t& submitted = memory.submitted_sweeps[static_cast<size_t>(kind)];
    if (!sweep.wanted || !sweep.of || sweep.serial == submitted) continue;
    submitted = sweep.serial;
    const Choice& of = *sweep.of;
    const auto built_in = find_kernel(of.setup.kernel);
    if (!of.own && !built_in) continue;
    SweepRequest request = sweep_request(of.own ? *of.own : **built_in, of.setup, of.device, kind);
    if (of.own) request.kernel = of.own;  // which lives no longer than its owners
    queue.send(SweepOrder{sweep.serial, std::move(request), sweep.result ? *sweep.result : Sweep{}});
  }
}

}  // namespace

void drive(AppState& state, Actions& actions, Environment& environment, DriveMemory& memory) {
  RunQueue& queue = environment.queue;
  for (const Action& action : actions.take()) update(state, action);
  for (const Action& news : queue.poll()) update(state, news);
  if (runs_after_typing(state)) update(state, RunSource{});
  perform(state, environment);
  submit_compile(state, queue, memory);
  submit_run(state, queue, memory);
  submit_replay(state, queue, memory);
  submit_sweeps(state, queue, memory);
}

const OutputBuffer* picture_output(const RunResult& result) {
  if (!result.request) return nullptr;
  for (const OutputBuffer& output : result.outputs) {
    if (output.index >= result.request->buffers.size() || !output.bytes) continue;
    const BufferSpec& buffer = result.request->buffers[output.index];
    const uint64_t bytes = uint64_t{buffer.width} * buffer.height * buffer.channels;
    const bool picture = buffer.dtype == DType::u8 && buffer.width > 1 && bytes == output.bytes->size() &&
                         (buffer.channels == 1 || buffer.channels == 3 || buffer.channels == 4);
    if (picture) return &output;
  }
  return nullptr;
}

std::shared_ptr<const Image> result_picture(const RunResult& result) {
  const OutputBuffer* output = picture_output(result);
  if (output == nullptr) return nullptr;
  const BufferSpec& buffer = result.request->buffers[output->index];
  Image image;
  image.width = buffer.width;
  image.height = buffer.height;
  image.channels = buffer.channels;
  image.name = buffer.name;
  image.pixels.resize(output->bytes->size());
  std::memcpy(image.pixels.data(), output->bytes->data(), output->bytes->size());
  return std::make_shared<const Image>(std::move(image));
}

}  // namespace warplens

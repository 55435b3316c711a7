// warplens render: a view as a picture, without a window.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "app/base/draw/save_picture.h"
#include "app/base/language.h"
#include "app/cli/shared/choices.h"
#include "app/cli/shared/commands.h"
#include "app/cli/shared/interrupt.h"
#include "app/cli/shared/values.h"
#include "app/cli/shared/window_start.h"
#include "app/state/open/file_kinds.h"
#include "app/state/parts/sweeps.h"
#include "app/views/document.h"
#include "app/views/grid/picture.h"
#include "app/views/image/picture.h"
#include "app/views/renderings.h"
#include "app/views/timing/times.h"
#include "core/base/system/files.h"
#include "core/gpu/engine/replay.h"

namespace warplens {

namespace {

struct RenderChoices {
  std::string view;
  RunChoices run;
  std::string out, mode = "split", level = "grid", at, array, thread, colour = "blocks", threads = "warps",
                   size = "1280x720", theme = "dark";
  std::string text = "100", line, position, language;
};

Result<std::pair<uint32_t, uint32_t>> parse_size(const std::string& text) {
  const Result<Dim3> extent = parse_extent("--size", text);
  if (!extent) return extent.error();
  if (extent->z != 1 || extent->x < 320 || extent->y < 240 || extent->x > 8192 || extent->y > 8192)
    return bad_input(fmt::format("--size {}: give WIDTHxHEIGHT, from 320x240 to 8192x8192", text));
  return std::pair{extent->x, extent->y};
}

std::string extents_typed(Dim3 extent) { return fmt::format("{} x {} x {}", extent.x, extent.y, extent.z); }

Result<RenderChoice> choice_of(const RenderChoices& choices) {
  RenderChoice choice;
  choice.level = choices.level;
  choice.mode = choices.mode;
  choice.colour = choices.colour;
  choice.threads = choices.threads;
  choice.array = choices.array;
  choice.theme = choices.theme == "light" ? Theme::light : Theme::dark;
  const Result<std::pair<uint32_t, uint32_t>> size = parse_size(choices.size);
  if (!size) return size.error();
  choice.width = static_cast<float>(size->first);
  choice.height = static_cast<float>(size->second);
  const Result<uint64_t> text = parse_count("--text", choices.text, 80, 250);
  if (!text) return text.error();
  choice.text_scale = static_cast<float>(*text) / 100;
  if (!choices.line.empty()) {
    const Result<uint64_t> line = parse_count("--line", choices.line, 1, 1'000'000);
    if (!line) return line.error();
    choice.line = static_cast<uint32_t>(*line);
  }
  if (!choices.position.empty()) {
    const Result<uint64_t> position = parse_count("--position", choices.position, 0, 1'000'000'000);
    if (!position) return position.error();
    choice.position = *position;
  }
  return choice;
}

// --at is a block in some views. In others it is a pixel or element, which these views check themselves.
Result<void> place_in(const RenderChoices& choices, const Rendering& rendering, const RunResult& result,
                      RenderChoice& choice) {
  if (!choices.at.empty()) {
    const Result<Dim3> at = parse_place("--at", choices.at);
    if (!at) return at.error();
    if (!rendering.at_is_cell && !inside(*at, result.shape.grid))
      return bad_input(fmt::format("--at {}: the grid has {} blocks, counted from 0", choices.at,
                                   extents_typed(result.shape.grid)));
    choice.at = *at;
  }
  if (choices.thread.empty()) return {};
  const Result<Dim3> thread = parse_place("--thread", choices.thread);
  if (!thread) return thread.error();
  if (!inside(*thread, result.shape.block))
    return bad_input(fmt::format("--thread {}: the block has {} threads, counted from 0", choices.thread,
                                 extents_typed(result.shape.block)));
  choice.thread = *thread;
  return {};
}

void judge(const RunResult& result, Cli& cli) {
  if (result.status == RunStatus::ok || result.status == RunStatus::check_failed) return;
  const std::string words = result.message.empty() ? "The kernel did not run to its end" : result.message;
  cli.fail({result.status == RunStatus::refused ? ErrorKind::refused : ErrorKind::failed, words});
}

// The parsed options of `warplens render`.
struct RenderTask {
  const RenderChoices& choices;
  const Rendering& rendering;
  RenderChoice choice;
  Job job;
  Cli& cli;
};

bool is_picture(const std::string& out) {
  return out.ends_with(".png") || out.ends_with(".svg") || out.ends_with(".pdf");
}

Error no_picture(const std::string& out) {
  return bad_input(
      fmt::format("--out {}: pictures are saved as .png, .svg or .pdf; choose one of these endings", out));
}

// All views of a run, as one document.
bool is_all(const RenderChoices& choices) { return choices.view == "all"; }

Result<void> known_ending(const RenderChoices& choices, const Rendering& rendering) {
  const std::string& out = choices.out;
  if (is_all(choices) && !out.ends_with(".pdf"))
    return bad_input(fmt::format("--out {}: all views together are saved as .pdf", out));
  if (is_picture(out)) return {};
  if (!rendering.has_table) return no_picture(out);
  if (out.ends_with(".csv")) return {};
  return bad_input(fmt::format(
      "--out {}: this view is saved as .png, .svg or .pdf, its numbers as .csv; choose one of these endings",
      out));
}

Result<void> save(const RenderTask& task, const RenderSource& source, const Rendered& rendered) {
  const std::string& out = task.choices.out;
  if (out.ends_with(".csv")) return save_csv(rendered.tabulate(), out);
  return save_picture(task.rendering.with_inspector ? inspected_picture(task.choice, source, rendered.draw)
                                                    : framed_picture(task.choice, task.job, rendered.draw),
                      out);
}

Result<void> render_launch(const RenderTask& task) {
  const RenderSource source{.job = &task.job};
  const Rendered rendered = task.rendering.make(task.choice, source);
  if (const Result<void> saved = save(task, source, rendered); !saved) return saved.error();
  if (!rendered.refused.empty()) task.cli.fail({ErrorKind::refused, rendered.refused});
  return {};
}

Result<void> render_picked_nowhere(const RenderTask& task, Backend& backend) {
  Job job = task.job;
  job.sm = task.rendering.needs == RenderNeeds::profiled_run;
  Result<RunResult> result = run_job(job, backend, task.cli.stop.get_token(), nullptr);
  if (!result) return result.error();
  const RenderSource source{.job = &task.job, .result = &*result};
  if (const Result<void> saved = save(task, source, task.rendering.make(task.choice, source)); !saved)
    return saved.error();
  if (result->status == RunStatus::refused) return Error{ErrorKind::refused, result->message};
  if (result->status == RunStatus::ok) return {};
  return failed(result->message.empty() ? "The kernel did not run to its end" : result->message);
}

Result<void> render_sweep(const RenderTask& task, Backend& backend) {
  const Job& job = task.job;
  const RunChoices& run = task.choices.run;
  if (!job.kernel)
    return bad_input(
        fmt::format("{} is no kernel with a description, so a sweep does not know what to vary", run.target));
  const Result<KernelSetup> setup = kernel_setup(*job.kernel, run);
  if (!setup) return setup.error();
  const SweepKind kind =
      task.rendering.needs == RenderNeeds::size_sweep ? SweepKind::sizes : SweepKind::blocks;
  SweepRequest request = sweep_request(*job.kernel, *setup, job.request->device, kind);
  request.kernel = job.kernel;
  const Result<Sweep> sweep = run_sweep(request, backend, task.cli.stop.get_token(), nullptr);
  if (!sweep) return sweep.error();
  const RenderSource source{.job = &job, .sweep = &*sweep, .today = setup->block};
  return save(task, source, task.rendering.make(task.choice, source));
}

// The chosen block, replayed with all its accesses.
struct Replayed {
  std::optional<BlockFootprint> footprint;
  std::string message;
};

Replayed replay(const RunResult& result, const Pick& pick, std::stop_token stop) {
  if (!pick.block) return {};
  Result<BlockFootprint> footprint = replay_block(*result.request, *pick.block, stop);
  if (footprint) return {std::move(footprint).value(), ""};
  return {std::nullopt, footprint.error().message};
}

Result<void> save_run(const RenderTask& task, const RunResult& result) {
  const std::stop_token stop = task.cli.stop.get_token();
  RenderSource source{.job = &task.job, .result = &result, .stop = stop};
  if (task.choices.out.ends_with(".csv")) return save(task, source, task.rendering.make(task.choice, source));
  const auto& buffers = result.request->buffers;
  const std::string& array = task.choice.array;
  if (!array.empty() && std::ranges::count(buffers, array, &BufferSpec::name) == 0) {
    std::string names;
    for (const BufferSpec& buffer : buffers) names += (names.empty() ? "" : ", ") + buffer.name;
    return bad_input(
        fmt::format("--array {}: this launch has {}", array, names.empty() ? "no arrays" : names));
  }
  Result<Pick> pick = task.rendering.pick != nullptr ? task.rendering.pick(task.choice, result) : Pick{};
  if (!pick) return pick.error();
  source.pick = *pick;
  const Replayed replayed = replay(result, *pick, stop);
  if (replayed.footprint) {
    source.footprint = &*replayed.footprint;
    source.digest = digest_of(result, *replayed.footprint, *pick,
                              thread_colouring_from(task.choice.threads).value_or(ThreadColouring::warps));
  }
  source.footprint_message = replayed.message;
  return save(task, source, task.rendering.make(task.choice, source));
}

Result<void> render_run(RenderTask& task, Backend& backend) {
  Cli& cli = task.cli;
  const Result<RunResult> result = run_job(task.job, backend, cli.stop.get_token(), nullptr);
  if (!result) return result.error();
  if (result->status == RunStatus::refused || result->status == RunStatus::cancelled) {
    judge(*result, cli);
    cli.say(fmt::format("{} was not written, because nothing ran", task.choices.out));
    return {};
  }
  if (is_all(task.choices)) {
    if (const Result<void> saved = save_document(task.choice, task.job, *result, task.choices.out); !saved)
      return saved.error();
    judge(*result, cli);
    return {};
  }
  if (const Result<void> placed = place_in(task.choices, task.rendering, *result, task.choice); !placed)
    return placed.error();
  if (const Result<void> saved = save_run(task, *result); !saved) return saved.error();
  judge(*result, cli);
  return {};
}

// What a program did: its recording has all that it takes, and nothing runs.
Result<void> render_recording(const RenderChoices& choices, const Rendering& rendering) {
  if (const Result<void> known = known_ending(choices, rendering); !known) return known.error();
  const Result<RenderChoice> choice = choice_of(choices);
  if (!choice) return choice.error();
  const Result<recording::Recording> read = recording::read_recording(choices.run.target);
  if (!read) return read.error();
  const Result<Device> device = find_device(read->device);
  const Rendered rendered = rendering.make(*choice, {.recording = &*read});
  const std::string name = std::filesystem::path(choices.run.target).filename().string();
  const std::string on = read->times() == Provenance::measured ? read->device_name
                         : device                              ? device->name + " · virtual"
                                                               : read->device;
  return save_picture(framed_picture(*choice, name, on, rendered.draw), choices.out);
}

Result<void> render(RenderChoices choices, Cli& cli) {
  // CLI11 has refused every other name by now. All views need what the Grid view needs.
  const std::string view = is_all(choices) ? "grid" : choices.view;
  if (const Rendering& one = *rendering_of(view); one.needs == RenderNeeds::recording)
    return render_recording(choices, one);
  if (const Result<void> adopted = adopt_session(choices.run, cli); !adopted) return adopted.error();
  const Rendering& rendering = *rendering_of(view);
  if (const Result<void> known = known_ending(choices, rendering); !known) return known.error();
  Result<RenderChoice> choice = choice_of(choices);
  if (!choice) return choice.error();
  Result<RunOptions> options = run_options(choices.run);
  if (!options) return options.error();
  const bool recorded = rendering.needs == RenderNeeds::run || rendering.needs == RenderNeeds::launch;
  if (recorded) options->record_writers = options->record_blocks = true;
  const bool profiled = rendering.needs == RenderNeeds::profiled_run;
  options->check = !recorded && !profiled;  // the CPU's time comes with the check
  if (profiled) options->caches = options->findings = options->fixes = true;
  const Result<Device> device = find_device(choices.run.device, cli.real_gpus);
  if (!device) return device.error();
  const InterruptGuard interrupt(cli.stop);
  Result<Job> job = job_of(choices.run, *device, *options, cli);
  if (!job) return job.error();
  RenderTask task{choices, rendering, *std::move(choice), *std::move(job), cli};
  if (rendering.needs == RenderNeeds::launch) return render_launch(task);
  const std::unique_ptr<Backend> backend = cli.make_backend();
  if (rendering.needs == RenderNeeds::run) return render_run(task, *backend);
  if (rendering.needs == RenderNeeds::timed_run || rendering.needs == RenderNeeds::profiled_run)
    return render_picked_nowhere(task, *backend);
  return render_sweep(task, *backend);
}

Result<void> render_the_window(const RenderChoices& choices, Cli& cli) {
  if (!cli.render_window)
    return missing(
        "This build of warplens has no window to draw; use render grid or render image, which need none");
  if (!choices.out.ends_with(".png"))
    return bad_input(fmt::format("--out {}: the window is saved as .png", choices.out));
  const Result<std::pair<uint32_t, uint32_t>> size = parse_size(choices.size);
  if (!size) return size.error();
  const Result<uint64_t> text = parse_count("--text", choices.text, 80, 250);
  if (!text) return text.error();
  WindowStart options;
  // What is no name of a kernel is a file to open, as in `warplens FILE`.
  const std::string& target = choices.run.target;
  const bool is_file =
      std::ranges::any_of(std::array{FileKind::kernel, FileKind::session, FileKind::recording},
                          [&](FileKind kind) { return has_ending_of(kind, target); });
  if (is_file && !std::filesystem::exists(target))
    return bad_input(fmt::format("{}: there is no such file", target));
  (is_file ? options.file : options.kernel) = target;
  options.device = choices.run.device;
  options.image = choices.run.image;
  options.language = choices.language.empty() ? "en" : choices.language;
  options.theme = choices.theme == "light" ? Theme::light : Theme::dark;
  options.text_scale = static_cast<float>(*text) / 100;
  options.width = static_cast<int>(size->first);
  options.height = static_cast<int>(size->second);
  if (!choices.run.block.empty()) {
    const Result<Dim3> block = parse_extent("--block", choices.run.block);
    if (!block) return block.error();
    options.block = *block;
  }
  const Result<Image> drawn = cli.render_window(options);
  return drawn ? save_image(*drawn, choices.out) : Result<void>(drawn.error());
}

// Needs no kernel and no run: the file has the times.
Result<void> render_the_times(const RenderChoices& choices) {
  const std::string& out = choices.out;
  if (!is_picture(out)) return no_picture(out);
  if (!choices.run.target.ends_with(".json"))
    return bad_input(
        fmt::format("{}: render times draws a file of measured and modelled times, FILE.json "
                    "(docs/time-model.md has its format)",
                    choices.run.target));
  const Result<RenderChoice> choice = choice_of(choices);
  if (!choice) return choice.error();
  const Result<std::string> text = read_text(choices.run.target, max_timed_points_bytes);
  if (!text) return text.error();
  const Result<TimedPoints> points = parse_timed_points(*text, choices.run.target);
  if (!points) return points.error();
  return save_picture(framed_picture(*choice, "Modelled against measured times", points->device,
                                     [&](Picture& picture, const Style& style, Box box) {
                                       return draw_timed_points(picture, style, box, *points);
                                     }),
                      out);
}

template <class T, size_t N>
std::vector<std::string> names_of(const std::array<T, N>& values) {
  std::vector<std::string> list;
  list.reserve(N);
  for (const T value : values) list.emplace_back(name_of(value));
  return list;
}

std::vector<std::string> names_of_renderings() {
  std::vector<std::string> list;
  for (const Rendering& rendering : all_renderings()) list.emplace_back(rendering.name);
  list.emplace_back("all");
  list.emplace_back("times");
  list.emplace_back("window");
  return list;
}

std::vector<CliOption> view_options(RenderChoices& choices) {
  return {
      {.name = "--level",
       .value = &choices.level,
       .help = "Grid view: how far to zoom in",
       .allowed = names_of(all_grid_levels)},
      {.name = "--colour",
       .value = &choices.colour,
       .help = "Grid view: what the colours of the map show",
       .allowed = names_of(all_colourings)},
      {.name = "--threads",
       .value = &choices.threads,
       .help = "Grid view: what the colours of a block's threads show; passes: how often each came to the "
               "start of a loop",
       .allowed = names_of(all_thread_colourings)},
      {.name = "--mode",
       .value = &choices.mode,
       .help = "Image view: which pictures to show",
       .allowed = names_of(all_image_modes)},
      {"--array", &choices.array, "Image view: the array to show in place of the first input or output",
       "NAME"},
      {"--at", &choices.at, "Grid, memory and step view: the block; image view: the pixel", "X[,Y[,Z]]"},
      {"--thread", &choices.thread, "Grid, memory and step view: the thread of the block", "X[,Y[,Z]]"},
      {"--position", &choices.position, "Step view: how many warp instructions of the block have run", "N"},
      {"--line", &choices.line, "Memory and code view: a line of the kernel's source", "N"},
      {"--size", &choices.size, "Pixels of the picture (default: 1280x720)", "WIDTHxHEIGHT"},
      {.name = "--theme", .value = &choices.theme, .help = "Colours", .allowed = {"dark", "light"}},
      {.name = "--language",
       .value = &choices.language,
       .help = "Language of the words (default: en)",
       .allowed = language_codes()},
      {"--text", &choices.text, "Text size in percent, 80 to 250", "PERCENT"},
  };
}

}  // namespace

CliCommand render_command(Cli& cli) {
  const auto choices = std::make_shared<RenderChoices>();
  choices->run.target = "grayscale";
  CliCommand command{"render",
                     "Run a kernel and draw a view of it into a file",
                     {{.name = "view",
                       .value = &choices->view,
                       .help = "View to draw; all: each view of a run, as one .pdf; only window needs a "
                               "display, and times takes a "
                               "FILE.json of times",
                       .allowed = names_of_renderings(),
                       .required = true},
                      {"kernel,--kernel", &choices->run.target,
                       "Built-in kernel, CUDA C++, PTX or launch file (default: grayscale)",
                       "KERNEL|FILE.cu|FILE.ptx|LAUNCH.json"},
                      {.name = "--out",
                       .value = &choices->out,
                       .help = "File to write: .png, .svg or .pdf; memory, occupancy and the times also .csv",
                       .value_name = "FILE",
                       .required = true}},
                     [choices, &cli] {
                       speak(choices->language);
                       if (choices->view == "window") return render_the_window(*choices, cli);
                       if (choices->view == "times") return render_the_times(*choices);
                       return render(*choices, cli);
                     }};
  command.add(kernel_options(choices->run));
  command.add(view_options(*choices));
  return command;
}

}  // namespace warplens

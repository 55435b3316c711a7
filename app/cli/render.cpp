// warplens render: a view as a picture, without a window.
#include <fmt/format.h>

#include <algorithm>

#include "app/cli/choices.h"
#include "app/cli/commands.h"
#include "app/cli/interrupt.h"
#include "app/cli/render_launch.h"
#include "app/cli/render_picture.h"
#include "app/cli/render_timing.h"
#include "app/cli/values.h"
#include "app/cli/window_start.h"
#include "app/draw/save_picture.h"
#include "app/views/memory/model.h"
#include "app/views/occupancy/picture.h"

namespace warplens {

namespace {

struct RenderChoices {
  std::string view;
  RunChoices run;
  std::string out, mode = "split", level = "grid", at, thread, colour = "instructions", size = "1280x720",
                   theme = "dark";
  std::string text = "100", line;
};

template <class T>
struct Named {
  const char* name;
  T value;
};

// CLI11 has refused every other name by now.
template <class T, size_t N>
T value_of(const std::array<Named<T>, N>& names, const std::string& name) {
  for (const Named<T>& named : names)
    if (name == named.name) return named.value;
  return names[0].value;
}

constexpr std::array<Named<GridLevel>, 4> levels = {{{"grid", GridLevel::grid},
                                                     {"block", GridLevel::block},
                                                     {"warp", GridLevel::warp},
                                                     {"lane", GridLevel::lane}}};
constexpr std::array<Named<ImageMode>, 4> modes = {{{"split", ImageMode::split},
                                                    {"side", ImageMode::side_by_side},
                                                    {"difference", ImageMode::difference},
                                                    {"result", ImageMode::result}}};
constexpr std::array<Named<Colouring>, 4> colourings = {{{"instructions", Colouring::instructions},
                                                         {"blocks", Colouring::blocks},
                                                         {"divergence", Colouring::divergence},
                                                         {"sectors", Colouring::sectors}}};

constexpr std::array<Named<RenderKind>, 10> kinds = {{{"grid", RenderKind::grid},
                                                      {"image", RenderKind::image},
                                                      {"memory", RenderKind::memory},
                                                      {"occupancy", RenderKind::occupancy},
                                                      {"code", RenderKind::code},
                                                      {"timing", RenderKind::timing},
                                                      {"stopwatch", RenderKind::stopwatch},
                                                      {"roofline", RenderKind::roofline},
                                                      {"sweep", RenderKind::sweep},
                                                      {"sizes", RenderKind::sizes}}};

template <class T, size_t N>
std::vector<std::string> names_of(const std::array<Named<T>, N>& names) {
  std::vector<std::string> list;
  for (const Named<T>& named : names) list.emplace_back(named.name);
  return list;
}

Result<std::pair<uint32_t, uint32_t>> parse_size(const std::string& text) {
  const Result<Dim3> extent = parse_extent("--size", text);
  if (!extent) return extent.error();
  if (extent->z != 1 || extent->x < 320 || extent->y < 240 || extent->x > 8192 || extent->y > 8192)
    return bad_input(fmt::format("--size {}: give WIDTHxHEIGHT, from 320x240 to 8192x8192", text));
  return std::pair{extent->x, extent->y};
}

bool inside(Dim3 at, Dim3 extent) { return at.x < extent.x && at.y < extent.y && at.z < extent.z; }

std::string extent_words(Dim3 extent) { return fmt::format("{} x {} x {}", extent.x, extent.y, extent.z); }

Result<RenderView> view_of(const RenderChoices& choices) {
  RenderView view;
  view.kind = value_of(kinds, choices.view);
  view.level = value_of(levels, choices.level);
  view.mode = value_of(modes, choices.mode);
  view.colouring = value_of(colourings, choices.colour);
  view.theme = choices.theme == "light" ? Theme::light : Theme::dark;
  const Result<std::pair<uint32_t, uint32_t>> size = parse_size(choices.size);
  if (!size) return size.error();
  view.width = static_cast<float>(size->first);
  view.height = static_cast<float>(size->second);
  const Result<uint64_t> text = parse_count("--text", choices.text, 80, 250);
  if (!text) return text.error();
  view.text_scale = static_cast<float>(*text) / 100;
  if (!choices.line.empty()) {
    const Result<uint64_t> line = parse_count("--line", choices.line, 1, 1'000'000);
    if (!line) return line.error();
    view.line = static_cast<uint32_t>(*line);
  }
  return view;
}

// --at is a block in the grid view and a pixel or element in the image view.
Result<void> place_in(const RenderChoices& choices, const RunResult& result, RenderView& view) {
  if (!choices.at.empty()) {
    const Result<Dim3> at = parse_place("--at", choices.at);
    if (!at) return at.error();
    if (view.kind != RenderKind::image && !inside(*at, result.shape.grid))
      return bad_input(fmt::format("--at {}: the grid has {} blocks, counted from 0", choices.at,
                                   extent_words(result.shape.grid)));
    view.at = *at;
  }
  if (choices.thread.empty()) return {};
  const Result<Dim3> thread = parse_place("--thread", choices.thread);
  if (!thread) return thread.error();
  if (!inside(*thread, result.shape.block))
    return bad_input(fmt::format("--thread {}: the block has {} threads, counted from 0", choices.thread,
                                 extent_words(result.shape.block)));
  view.thread = *thread;
  return {};
}

void judge(const RunResult& result, Cli& cli) {
  if (result.status == RunStatus::ok || result.status == RunStatus::check_failed) return;
  const std::string words = result.message.empty() ? "The kernel did not run to its end" : result.message;
  cli.fail({result.status == RunStatus::refused ? ErrorKind::refused : ErrorKind::failed, words});
}

bool has_table(const std::string& view) {
  return view == "memory" || view == "occupancy" || is_timing(value_of(kinds, view));
}

Result<void> known_ending(const RenderChoices& choices) {
  const std::string& out = choices.out;
  if (out.ends_with(".png") || out.ends_with(".svg")) return {};
  if (!has_table(choices.view))
    return bad_input(
        fmt::format("--out {}: pictures are saved as .png or .svg; choose one of these endings", out));
  if (out.ends_with(".csv")) return {};
  return bad_input(fmt::format(
      "--out {}: this view is saved as .png or .svg, its numbers as .csv; choose one of these endings", out));
}

// Needs no run. A launch that CUDA would refuse is drawn too: the picture says why.
Result<void> render_occupancy(const RenderChoices& choices, const Job& job, const RenderView& view,
                              Cli& cli) {
  const OccupancyView occupancy = occupancy_of_job(job);
  const auto saved = [&] {
    if (choices.out.ends_with(".csv")) return save_csv(occupancy_table(occupancy), choices.out);
    const Picture picture = framed_picture(job, view, [&](Picture& into, const Style& style, Box box) {
      return draw_occupancy_view(into, style, box, occupancy, false).bottom;
    });
    return save_picture(picture, choices.out);
  }();
  if (!saved) return saved.error();
  if (occupancy.refused) cli.fail({ErrorKind::refused, occupancy.reason});
  return {};
}

Result<void> render(RenderChoices choices, Cli& cli) {
  if (const Result<void> adopted = adopt_session(choices.run, cli); !adopted) return adopted.error();
  if (const Result<void> known = known_ending(choices); !known) return known.error();
  Result<RenderView> view = view_of(choices);
  if (!view) return view.error();
  if (is_timing(view->kind)) return render_timing(choices.run, *view, choices.out, cli);
  Result<RunOptions> options = run_options(choices.run);
  if (!options) return options.error();
  options->record_writers = options->record_blocks = true;
  options->check = false;
  const Result<Device> device = find_device(choices.run.device, cli.real_gpus);
  if (!device) return device.error();
  const InterruptGuard interrupt(cli.stop);
  const Result<Job> job = job_of(choices.run, *device, *options, cli);
  if (!job) return job.error();
  if (view->kind == RenderKind::occupancy) return render_occupancy(choices, *job, *view, cli);
  const std::unique_ptr<Backend> backend = cli.make_backend();
  const Result<RunResult> result = run_job(*job, *backend, cli.stop.get_token(), nullptr);
  if (!result) return result.error();
  if (result->status == RunStatus::refused || result->status == RunStatus::cancelled) {
    judge(*result, cli);
    cli.say(fmt::format("{} was not written, because nothing ran", choices.out));
    return {};
  }
  if (const Result<void> placed = place_in(choices, *result, *view); !placed) return placed.error();
  if (choices.out.ends_with(".csv")) {
    if (const Result<void> saved = save_csv(memory_table(view_memory(*result)), choices.out); !saved)
      return saved.error();
    judge(*result, cli);
    return {};
  }
  const Result<Picture> picture = picture_of_run(*job, *result, *view, cli.stop.get_token());
  if (!picture) return picture.error();
  if (const Result<void> saved = save_picture(*picture, choices.out); !saved) return saved.error();
  judge(*result, cli);
  return {};
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
  options.kernel = choices.run.target;
  options.device = choices.run.device;
  options.image = choices.run.image;
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

std::vector<CliOption> view_options(RenderChoices& choices) {
  return {
      {.name = "--level",
       .value = &choices.level,
       .help = "Grid view: how far in",
       .allowed = names_of(levels)},
      {.name = "--colour",
       .value = &choices.colour,
       .help = "Grid view: what the map shows",
       .allowed = names_of(colourings)},
      {.name = "--mode",
       .value = &choices.mode,
       .help = "Image view: what is compared",
       .allowed = names_of(modes)},
      {"--at", &choices.at, "Grid and memory view: the block; image view: the pixel", "X[,Y[,Z]]"},
      {"--thread", &choices.thread, "Grid and memory view: the thread of the block", "X[,Y[,Z]]"},
      {"--line", &choices.line, "Memory and code view: a line of the kernel's source", "N"},
      {"--size", &choices.size, "Pixels of the picture (default: 1280x720)", "WIDTHxHEIGHT"},
      {.name = "--theme", .value = &choices.theme, .help = "Colours", .allowed = {"dark", "light"}},
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
                       .help = "Which view; window needs a display, the others do not",
                       .allowed = {"grid", "image", "memory", "occupancy", "code", "timing", "stopwatch",
                                   "roofline", "sweep", "sizes", "window"},
                       .required = true},
                      {"--kernel", &choices->run.target,
                       "Built-in kernel, CUDA C++, PTX or launch file (default: grayscale)",
                       "KERNEL|FILE.cu|FILE.ptx|LAUNCH.json"},
                      {.name = "--out",
                       .value = &choices->out,
                       .help = "Where to: .png or .svg; memory, occupancy and the times also .csv",
                       .value_name = "FILE",
                       .required = true}},
                     [choices, &cli] {
                       return choices->view == "window" ? render_the_window(*choices, cli)
                                                        : render(*choices, cli);
                     }};
  command.add(kernel_options(choices->run));
  command.add(view_options(*choices));
  return command;
}

}  // namespace warplens

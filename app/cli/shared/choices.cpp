#include "app/cli/shared/choices.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <ostream>

#include "app/cli/shared/values.h"
#include "core/base/system/files.h"
#include "core/base/text.h"
#include "core/compile/choice.h"
#include "core/compile/cuda_source/host_code.h"
#include "core/compile/cuda_source/source_signature.h"
#include "core/job/files/launch_job.h"
#include "core/job/files/own_kernel_file.h"
#include "core/job/files/recorded_job.h"
#include "core/lesson/format/challenge.h"

namespace warplens {

namespace {

constexpr uint64_t max_workers = 1024;
constexpr uint64_t max_repeats = 1'000'000;
constexpr uint64_t max_time_limit_s = 86400;

std::string ending_of(const std::string& target) {
  return lower_case(std::filesystem::path(target).extension().string());
}

std::string names_of(const std::vector<KernelArgument>& arguments, std::string names) {
  for (const KernelArgument& argument : arguments)
    if (!argument.is_buffer && argument.expression.empty())
      names += (names.empty() ? "" : ", ") + argument.name;
  return names;
}

Result<void> apply_settings(const KernelDescription& kernel, const RunChoices& choices, KernelSetup& setup) {
  for (const std::string& text : choices.settings) {
    const Result<std::pair<std::string, double>> setting = parse_setting("--set", text);
    if (!setting) return setting.error();
    const std::string names = names_of(kernel.arguments, names_of(kernel.settings, ""));
    const auto is_it = [&](const KernelArgument& argument) {
      return argument.name == setting->first && !argument.is_buffer && argument.expression.empty();
    };
    if (!std::ranges::any_of(kernel.arguments, is_it) && !std::ranges::any_of(kernel.settings, is_it))
      return bad_input(fmt::format("--set {}: {} has no value named \"{}\"; {}", text, kernel.name,
                                   setting->first,
                                   names.empty() ? std::string("it has none") : "it has " + names));
    setup.values[setting->first] = setting->second;
  }
  return {};
}

Result<void> apply_image(const KernelDescription& kernel, const RunChoices& choices, KernelSetup& setup) {
  const bool takes_image = std::ranges::any_of(
      kernel.arguments, [](const KernelArgument& a) { return a.is_buffer && a.fill == Fill::image; });
  if (!takes_image) {
    if (choices.image.empty()) return {};
    return bad_input(
        fmt::format("--image {}: {} takes no picture; leave out the option", choices.image, kernel.name));
  }
  Result<Image> image = open_picture(choices.image.empty() ? setup.image_path : choices.image, 3);
  if (!image) return image.error();
  setup.image = std::make_shared<const Image>(std::move(image).value());
  if (!choices.image.empty()) setup.image_path = choices.image;
  return {};
}

Result<void> apply_shape(const RunChoices& choices, Dim3& grid, bool& grid_given, Dim3& block,
                         uint32_t& shared) {
  if (!choices.block.empty()) {
    const Result<Dim3> extent = parse_extent("--block", choices.block);
    if (!extent) return extent.error();
    block = *extent;
  }
  if (!choices.grid.empty()) {
    const Result<Dim3> extent = parse_extent("--grid", choices.grid);
    if (!extent) return extent.error();
    grid = *extent;
    grid_given = true;
  }
  if (!choices.shared.empty()) {
    const Result<uint64_t> bytes = parse_count("--shared", choices.shared, 0, UINT32_MAX);
    if (!bytes) return bytes.error();
    shared = static_cast<uint32_t>(*bytes);
  }
  return {};
}

// An error if the target is a whole program in CUDA C++ and no kernel is named: it says how to run it, and
// lists its kernels.
Result<void> refuse_whole_program(const RunChoices& choices) {
  if (ending_of(choices.target) != ".cu" || !choices.entry.empty()) return {};
  const Result<std::string> source = read_text(choices.target, max_own_source_bytes);
  if (!source) return {};  // said where it is opened
  const std::optional<uint32_t> line = main_line(*source);
  if (!line) return {};
  std::string text = fmt::format(
      "{}:{}: this is a program. warplens run {} runs it on a virtual GPU; for a real one, build it with "
      "nvcc and start it by "
      "warplens program --device cuda:0 -- COMMAND.",
      choices.target, *line, choices.target);
  std::string kernels;
  for (const SourceKernel& kernel : kernels_of_source(*source)) {
    kernels += is_template_at(*source, kernel.begin)
                   ? fmt::format("\n  line {}: {} is a template; add a kernel that calls it, with types",
                                 kernel.line, kernel.name)
                   : fmt::format("\n  warplens run {} --entry {}", choices.target, kernel.name);
  }
  text += kernels.empty() ? " It has no kernels."
                          : " Its kernels are, each with arrays and a grid of your choice:" + kernels;
  return missing(text);
}

Result<Job> kernel_job(const RunChoices& choices, const Device& device, const RunOptions& options, Cli& cli) {
  if (const Result<void> program = refuse_whole_program(choices); !program) return program.error();
  const Result<ChosenKernel> chosen = chosen_kernel(choices, device, cli);
  if (!chosen) return chosen.error();
  const Result<KernelSetup> setup = kernel_setup(*chosen->kernel, choices);
  if (!setup) return setup.error();
  Result<Job> job = make_job(chosen->kernel, *setup, device, options);
  if (job) job->compile_ms = chosen->compile_ms;
  return job;
}

// A launch that ran in a program may be longer than one that is tried out.
constexpr uint64_t steps_of_recorded_launch = 20'000'000'000;

Result<void> adopt_recording(RunChoices& choices) {
  if (ending_of(choices.target) != ".warplens") {
    if (choices.launch.empty()) return {};
    return bad_input("--recorded belongs to a recording: a FILE.warplens, from warplens program --record");
  }
  Result<recording::Recording> read = recording::read_recording(choices.target);
  if (!read) return read.error();
  const auto made = std::make_shared<const recording::Recording>(std::move(*read));
  uint64_t number = 1;
  if (!choices.launch.empty()) {
    const Result<uint64_t> given = parse_count("--recorded", choices.launch, 1, UINT64_MAX);
    if (!given) return given.error();
    number = *given;
  } else if (made->launches.size() > 1) {
    return bad_input(
        fmt::format("{}: it has {} launches: choose one with --recorded N; warplens recording {} lists them.",
                    choices.target, made->launches.size(), choices.target));
  }
  const Result<const recording::Event*> launch = find_launch(*made, number, choices.target);
  if (!launch) return launch.error();
  choices.recording = made;
  choices.recorded = *launch;
  if (choices.device.empty()) choices.device = made->device_of(**launch);
  return {};
}

// Options that are given with a launch file change its first launch.
Result<void> override_launch(const RunChoices& choices, LaunchRequest& request) {
  if (!choices.settings.empty() || !choices.image.empty())
    return bad_input(
        "--set and --image belong to kernels; a launch file or recording has its own arguments and buffers");
  const auto first = std::ranges::find_if(
      request.steps, [](const Step& s) { return std::holds_alternative<LaunchStep>(s); });
  if (first == request.steps.end()) return {};
  auto& launch = std::get<LaunchStep>(*first);
  if (!choices.entry.empty()) launch.entry = choices.entry;
  bool grid_given = false;
  return apply_shape(choices, launch.grid, grid_given, launch.block, launch.shared_dynamic_bytes);
}

Result<Job> recording_job(const RunChoices& choices, const Device& device, RunOptions options) {
  if (choices.steps.empty()) options.step_budget = steps_of_recorded_launch;
  Result<Job> job = recorded_job(*choices.recording, *choices.recorded, choices.target, device, options);
  if (!job) return job;
  LaunchRequest request = *job->request;
  if (const Result<void> changed = override_launch(choices, request); !changed) return changed.error();
  job->request = std::make_shared<const LaunchRequest>(std::move(request));
  return job;
}

Result<Job> launch_file_job(const RunChoices& choices, const Device& device, const RunOptions& options,
                            Cli& cli) {
  Result<LaunchFile> file = read_launch_file(choices.target);
  if (!file) return file.error();
  for (const std::string& warning : file->warnings) cli.say(warning);
  if (const Result<void> changed = override_launch(choices, file->request); !changed) return changed.error();
  const std::string name = std::filesystem::path(choices.target).filename().string();
  return make_job(std::move(file).value(), name, device, options, cli.stop.get_token());
}

}  // namespace

std::vector<CliOption> kernel_options(RunChoices& choices) {
  return {
      {"--device", &choices.device,
       "cuda:0 for the first real GPU, or a virtual one by a unique part of its name (default: cuda:0 if "
       "there is one, else RTX 3060)",
       "NAME"},
      {"--grid", &choices.grid, "Blocks of the grid (default: as many as the problem needs)", "X[,Y[,Z]]"},
      {"--block", &choices.block, "Threads of a block, also as 16x16", "X[,Y[,Z]]"},
      {"--shared", &choices.shared, "Dynamic shared memory of a block", "BYTES"},
      {"--set", &choices.settings, "Value of an argument or size of a kernel; repeatable", "name=value"},
      {"--image", &choices.image, "Picture for a kernel that takes one, or the name of a sample", "FILE"},
      {"--data-seed", &choices.data_seed, "Seed of random data", "N"},
      {"--entry", &choices.entry, "Kernel to run in a FILE.cu, FILE.ptx or launch file", "NAME"},
      {.name = "--compiler",
       .value = &choices.compiler,
       .help = "Compiler for CUDA C++ (default: WARPLENS_COMPILER, else NVRTC if it is installed)",
       .allowed = {"nvrtc", "clang"}},
      {"--recorded", &choices.launch,
       "Number of a launch of a recording (warplens recording FILE lists them)", "N"},
  };
}

std::vector<CliOption> gpu_options(RunChoices& choices) {
  return {
      {"--no-preflight{false}", &choices.preflight,
       "Real GPU: do not run the launch on the virtual GPU first; there are then no counts"},
      {"--time-limit", &choices.time_limit,
       "Real GPU: seconds after which one pass over the launch is stopped (default: 10)", "SECONDS"},
  };
}

Result<RunOptions> run_options(const RunChoices& choices) {
  RunOptions options;
  const auto count = [](const char* name, const std::string& text, uint64_t minimum, uint64_t maximum,
                        auto& value) {
    Result<uint64_t> parsed = parse_count(name, text, minimum, maximum);
    if (parsed) value = static_cast<std::remove_reference_t<decltype(value)>>(*parsed);
    return parsed;
  };
  for (const Result<uint64_t>& parsed :
       {count("--seed", choices.seed, 0, UINT64_MAX, options.seed),
        count("--workers", choices.workers, 0, max_workers, options.workers),
        count("--repeat", choices.repeat, 1, max_repeats, options.repeat),
        choices.steps.empty() ? Result<uint64_t>(uint64_t{0})
                              : count("--steps", choices.steps, 1, UINT64_MAX, options.step_budget)})
    if (!parsed) return parsed.error();
  if (!choices.time_limit.empty()) {
    const Result<uint64_t> seconds = parse_count("--time-limit", choices.time_limit, 1, max_time_limit_s);
    if (!seconds) return seconds.error();
    options.time_limit_ms = static_cast<uint32_t>(*seconds * 1000);
  }
  options.preflight = choices.preflight;
  options.observe = choices.observe == "none"    ? Observe::none
                    : choices.observe == "trace" ? Observe::trace
                                                 : Observe::counters;
  options.caches = choices.observe.empty();
  options.sanitize = choices.sanitize == "off"   ? Sanitize::off
                     : choices.sanitize == "all" ? Sanitize::all
                                                 : Sanitize::memory;
  options.passes_faults = choices.on_fault == "continue";
  options.check = choices.check;
  return options;
}

Result<void> adopt_session(RunChoices& choices, Cli& cli) {
  if (Result<void> adopted = adopt_recording(choices); !adopted) return adopted;
  if (ending_of(choices.target) != ".json") return {};
  const Result<std::string> text = read_text(choices.target, max_session_bytes);
  if (!text || !is_session(*text)) return {};  // a launch file, or whatever its reader will say
  Result<Session> session = read_session(choices.target);
  if (!session) return session.error();
  for (const std::string& warning : session->warnings) cli.say(warning);
  choices.target = session->own() ? session->code_name : session->kernel;
  if (choices.device.empty()) choices.device = session->device;
  if (choices.entry.empty() && session->own()) choices.entry = session->code_entry;
  choices.session = std::make_shared<const Session>(std::move(session).value());
  return {};
}

static Result<CompiledKernel> open_code(const RunChoices& choices, const Device& device,
                                        std::stop_token stop) {
  if (choices.challenge != nullptr) {
    const Result<std::string> text = read_text(choices.target, max_own_source_bytes);
    if (!text) return text.error();
    const std::string name = std::filesystem::path(choices.target).filename().string();
    // The lines stay those of the file.
    const std::string source =
        choices.challenge->as_own_kernel(fmt::format("#line 1 \"{}\"\n{}", name, *text));
    return make_own_kernel({source, name, choices.target, choices.entry, ""}, device, std::move(stop));
  }
  const Session* session = choices.session.get();
  if (session == nullptr) return open_own_kernel(choices.target, device, choices.entry, std::move(stop));
  if (!session->has_code_text)
    return open_own_kernel(session->code_path, device, choices.entry, std::move(stop));
  return make_own_kernel(
      {session->code_text, session->code_name, session->code_path, choices.entry, session->copy_of}, device,
      std::move(stop));
}

// The compiler that was asked for takes what is compiled from now on.
static Result<void> take_compiler(const RunChoices& choices) {
  if (choices.compiler.empty()) return {};
  const std::string ending = ending_of(choices.target);
  if (ending != ".cu" && ending != ".json" && !choices.session)
    return bad_input(fmt::format("--compiler {}: {} is PTX already and is not compiled; give a FILE.cu",
                                 choices.compiler, choices.target));
  prefer_compiler(*compiler_named(choices.compiler));
  return {};
}

Result<ChosenKernel> chosen_kernel(const RunChoices& choices, const Device& device, Cli& cli) {
  if (const Result<void> taken = take_compiler(choices); !taken) return taken.error();
  if (is_own_kernel_path(choices.target)) {
    const Result<CompiledKernel> opened = open_code(choices, device, cli.stop.get_token());
    if (!opened) return opened.error();
    if (choices.compiler_said != nullptr)
      *choices.compiler_said = opened->own.diagnostics;
    else if (opened->own.kernel)
      cli.err << to_text(opened->own.diagnostics);
    if (!opened->own.kernel) return error_of(opened->own.diagnostics);
    return ChosenKernel{opened->own.kernel,
                        opened->compile_ms > 0 ? std::optional(opened->compile_ms) : std::nullopt};
  }
  const Result<const KernelDescription*> kernel = find_kernel(choices.target);
  if (!kernel) return kernel.error();
  if (!choices.entry.empty() && choices.entry != (*kernel)->entry)
    return bad_input(fmt::format("--entry {}: the built-in kernel {} has the one entry {}", choices.entry,
                                 (*kernel)->name, (*kernel)->entry));
  return ChosenKernel{borrowed(**kernel), std::nullopt};
}

Result<KernelSetup> kernel_setup(const KernelDescription& kernel, const RunChoices& choices) {
  KernelSetup setup = choices.session ? choices.session->setup : default_setup(kernel);
  if (choices.session) setup.kernel = kernel.name;
  if (const Result<void> done = apply_settings(kernel, choices, setup); !done) return done.error();
  if (const Result<void> done = apply_image(kernel, choices, setup); !done) return done.error();
  bool grid_given = false;
  if (const Result<void> done =
          apply_shape(choices, setup.grid, grid_given, setup.block, setup.shared_dynamic_bytes);
      !done)
    return done.error();
  if (grid_given) setup.fit_grid = false;
  if (!choices.data_seed.empty()) {
    const Result<uint64_t> seed = parse_count("--data-seed", choices.data_seed, 0, UINT64_MAX);
    if (!seed) return seed.error();
    setup.data_seed = *seed;
  }
  return setup;
}

Result<Job> job_of(const RunChoices& choices, const Device& device, const RunOptions& options, Cli& cli) {
  if (const Result<void> taken = take_compiler(choices); !taken) return taken.error();
  if (choices.recorded != nullptr) return recording_job(choices, device, options);
  const std::string ending = ending_of(choices.target);
  if (ending == ".json" && !choices.session) return launch_file_job(choices, device, options, cli);
  return kernel_job(choices, device, options, cli);
}

}  // namespace warplens

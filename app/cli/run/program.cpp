// warplens program: runs a CUDA program on the virtual GPU or a real one, and says at its end what it did.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <ostream>

#include "app/cli/run/program_devices.h"
#include "app/cli/run/run_page.h"
#include "app/cli/shared/commands.h"
#include "app/cli/shared/diagnostics.h"
#include "app/cli/shared/values.h"
#include "app/user_program/compiled_program.h"
#include "app/user_program/environment.h"
#include "app/user_program/execution_target.h"
#include "app/user_program/folder.h"
#include "app/user_program/nvcc_words.h"
#include "app/user_program/program_file.h"
#include "core/base/system/files.h"
#include "core/compile/choice.h"
#include "core/device/device.h"
#include "core/job/files/device_figures.h"
#include "core/recording/journal.h"
#include "core/recording/recorder.h"
#include "core/recording/recording.h"
#include "core/recording/summary.h"
#include "core/system/attached.h"
#include "core/system/places.h"

namespace warplens {

namespace {

namespace fs = std::filesystem;

struct ProgramChoices {
  std::vector<std::string> command, with;
  std::string nvcc_options, device, devices = "1", clock, sanitize = "off", on_fault = "stop", steps, json,
                                    diagnostics, page, record, launches, record_limit = "256", compiler,
                                    stream_order, observe;
  bool strict = false, quiet = false, ptx = false, no_lines = false, no_waits = false;
};

constexpr uint64_t largest_journal = uint64_t{1} << 30;
constexpr uint64_t most_record_mib = 3072;

// Each is named until the user saves or removes it.
void tell_left_overs(Cli& cli) {
  for (const std::string& folder : program_run::left_overs())
    cli.say(
        fmt::format("An earlier run was killed. warplens recording {} --out FILE.warplens saves what it "
                    "recorded; remove the folder if you do not need it.",
                    folder));
}

Result<program_run::ExecutionTarget> execution_target(const ProgramChoices& choices, const Device& device) {
  const bool is_real = !device.is_virtual;
  const std::pair<const char*, bool> of_virtual[] = {
      {"--sanitize", choices.sanitize != "off"}, {"--on-fault", choices.on_fault != "stop"},
      {"--no-waits", choices.no_waits},          {"--stream-order", !choices.stream_order.empty()},
      {"--clock", !choices.clock.empty()},       {"--steps", !choices.steps.empty()},
      {"--observe", !choices.observe.empty()}};
  for (const auto& [option, given] : of_virtual)
    if (is_real && given)
      return bad_input(
          fmt::format("{} is for the virtual GPU: leave it or --device {} out.", option, choices.device));
  return program_run::execution_target(device);
}

recording::ProgramSummary read_journals(const std::string& folder, const Device& device) {
  recording::SummaryReader reader;
  std::error_code error;
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (entry.path().extension() == ".journal") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) {
    if (const Result<std::string> text = read_text(file.string(), largest_journal)) reader.add(*text);
  }
  recording::ProgramSummary summary = reader.take(figures_of_device(device.id));
  summary.cut = recording::has_lost(folder);
  return summary;
}

// What --record and its related options mean.
Result<uint64_t> check_record(const ProgramChoices& choices) {
  const Result<uint64_t> mib = parse_count("--record-limit", choices.record_limit, 1, most_record_mib);
  if (!mib) return mib.error();
  if (!choices.launches.empty()) {
    if (choices.record.empty()) return bad_input("--launches chooses what --record FILE writes: give both.");
    if (!recording::parse_selection(choices.launches))
      return bad_input(
          fmt::format("--launches {}: give numbers from 1 and ranges, such as 1-10,25", choices.launches));
  }
  if (!choices.record.empty()) {
    if (!choices.record.ends_with(".warplens"))
      return bad_input(
          fmt::format("--record {}: the name of a recording ends with .warplens", choices.record));
    if (const auto writable = check_writable(choices.record); !writable) return writable.error();
  }
  return *mib << 20;
}

Result<void> write_recording(const ProgramChoices& choices, const program_run::ProgramEnvironment& made,
                             const recording::ProgramEnd& end, uint64_t limit, Cli& cli) {
  const Result<bool> whole =
      recording::join_recording(made.journals, made.launches, end, limit, choices.record);
  if (!whole) return whole.error();
  if (*whole || choices.quiet) return {};
  if (recording::has_lost(made.journals) || recording::has_lost(made.launches))
    cli.say(
        fmt::format("{} is incomplete: the folder of the run could not be written. Is the disk full? "
                    "TMPDIR names another folder.",
                    choices.record));
  else
    cli.say(
        fmt::format("{} reached its limit of {} MiB, so not all launches that were asked for can be run "
                    "again: choose fewer with --launches, or more room with --record-limit",
                    choices.record, limit >> 20));
  return {};
}

// A text that becomes a program, alone or with other files: in one of them is the main().
bool is_compiled_here(const ProgramChoices& choices) {
  const std::string& first = choices.command.front();
  return nvcc::is_program_source(first) || (!choices.with.empty() && nvcc::is_source(first));
}

std::vector<std::string> ids_after_first(const std::vector<Device>& devices) {
  std::vector<std::string> ids;
  for (size_t i = 1; i < devices.size(); ++i) ids.push_back(devices[i].id);
  return ids;
}

// Removes the recording that only the page needs.
struct RecordingOfPage {
  fs::path path;
  ~RecordingOfPage() {
    std::error_code ignored;
    if (!path.empty()) fs::remove(path, ignored);
  }
};

Result<void> write_page(const ProgramChoices& choices, const recording::ProgramSummary& summary) {
  const Result<recording::Recording> read = recording::read_recording(choices.record);
  if (!read) return read.error();
  const std::string name = fs::path(choices.command.front()).filename().string();
  return save_program_page(*read, name, recording::summary_text(summary, recording::Follows::the_program),
                           choices.page);
}

// The source that the user named; of another command, its first word.
std::string named_source(const ProgramChoices& choices) {
  const auto is_source = [](const std::string& word) {
    return nvcc::is_source(word) || program_run::is_script(word);
  };
  const auto source = std::ranges::find_if(choices.command, is_source);
  return source == choices.command.end() ? choices.command.front() : *source;
}

Result<void> run_program(ProgramChoices choices, Cli& cli) {
  if (choices.command.empty()) return bad_input("There is no program to run: warplens program -- COMMAND…");
  const Result<std::vector<Device>> devices = program_devices(choices.device, choices.devices, cli.real_gpus);
  if (!devices) return devices.error();
  const Result<program_run::ExecutionTarget> target = execution_target(choices, devices->front());
  if (!target) return target.error();
  if (!choices.json.empty()) {
    if (choices.json == "-") return bad_input("The program writes to standard output: give --json a file.");
    if (const auto writable = check_writable(choices.json); !writable) return writable.error();
  }
  const Result<std::optional<DiagnosticsChoice>> diagnostics = checked_diagnostics(choices.diagnostics);
  if (!diagnostics) return diagnostics.error();
  if (*diagnostics && (*diagnostics)->file.empty() && (*diagnostics)->format != DiagnosticsFormat::gcc)
    return bad_input(
        fmt::format("The program writes to standard output: give --diagnostics a file, as {0}=FILE.",
                    choices.diagnostics));
  // Editors would read the summary's lines as further messages.
  if (*diagnostics && (*diagnostics)->file.empty()) choices.quiet = true;
  if (!choices.stream_order.empty() && choices.stream_order != "late") {
    if (!parse_count("--stream-order", choices.stream_order, 0, UINT64_MAX))
      return bad_input(
          fmt::format("--stream-order {}: it is late, or a seed: a whole number", choices.stream_order));
  }
  if (!choices.steps.empty()) {
    if (const auto steps = parse_count("--steps", choices.steps, 0, UINT64_MAX); !steps) return steps.error();
  }
  RecordingOfPage of_page;
  if (!choices.page.empty()) {
    if (const auto writable = check_writable(choices.page); !writable) return writable.error();
    if (choices.record.empty()) of_page.path = choices.record = choices.page + ".warplens";
  }
  const Result<uint64_t> limit = check_record(choices);
  if (!limit) return limit.error();
  // The program's own nvcc, which starts this program again, asks for it too.
  if (!choices.compiler.empty()) prefer_compiler(*compiler_named(choices.compiler));
  const SignalsForProgram signals;
  if (!choices.quiet) tell_left_overs(cli);
  const auto made =
      program_run::make_environment(target->driver,
                                    {.device = target->device.id,
                                     .further_devices = ids_after_first(*devices),
                                     .clock = choices.clock.empty() ? "modelled" : choices.clock,
                                     .sanitize = choices.sanitize,
                                     .counts = choices.observe != "none" && choices.clock != "host",
                                     .steps = choices.steps,
                                     .passes_faults = choices.on_fault == "continue",
                                     .finds_waits = !choices.no_waits,
                                     .stream_order = choices.stream_order,
                                     .quiet = choices.quiet,
                                     .record = !choices.record.empty(),
                                     .command = choices.command,
                                     .launches = choices.launches,
                                     .record_limit = *limit,
                                     .lines = !choices.no_lines,
                                     .ptx = choices.ptx,
                                     .gpu_variables = target->gpu_variables},
                                    choices.command.front());
  if (!made) return made.error();
  const program_run::FolderGuard guard(*made);
  cli.out.flush();
  std::vector<std::string> command = choices.command;
  if (target->gpu_variables.empty() && is_compiled_here(choices)) {
    Result<std::string> compiled = nvcc::compile_program({.main = command.front(),
                                                          .further = choices.with,
                                                          .options = nvcc::split_words(choices.nvcc_options)},
                                                         *made);
    if (!compiled) return compiled.error();
    command.front() = *compiled;
  } else if (!choices.with.empty() || !choices.nvcc_options.empty()) {
    return bad_input(
        fmt::format("--with and --nvcc are for a program in CUDA C++ that is compiled here for the virtual "
                    "GPU, and {} is "
                    "none: a file FILE.cu that has a main().",
                    command.front()));
  }
  const auto start = std::chrono::steady_clock::now();
  const Result<int> ended = run_attached(command, made->variables);
  if (!ended) return ended.error();
  const double wall_ms =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  const recording::ProgramSummary summary = read_journals(made->journals, target->device);
  cli.status = *ended;
  if (!choices.quiet)
    cli.err << recording::summary_text(summary, recording::Follows::the_program) << std::flush;
  if (*diagnostics)
    if (const auto written =
            write_diagnostics(**diagnostics, found_in(summary), named_source(choices), cli.err);
        !written)
      return written.error();
  if (!choices.record.empty()) {
    if (const auto written = write_recording(
            choices, *made, {choices.command, target->device.id, *ended, wall_ms}, *limit, cli);
        !written)
      return written.error();
  }
  if (!choices.json.empty()) {
    if (const auto written = write_text(choices.json, recording::summary_json(summary, *ended, wall_ms));
        !written)
      return written.error();
  }
  if (!choices.page.empty())
    if (const auto written = write_page(choices, summary); !written) return written.error();
  if (choices.strict && !summary.findings.empty() && *ended == 0) {
    cli.status = exit_status::not_held;
    cli.say(fmt::format(
        "{} under --strict, the first: {}",
        summary.findings.size() == 1 ? "one finding" : fmt::format("{} findings", summary.findings.size()),
        summary.findings.front().message));
  }
  return {};
}

// Which words of `run OPTIONS FILES OPTIONS -- ARGUMENTS` are files of a program: none unless one has a
// main(). Without "--" they stand together, and a file that is not there is an argument.
std::vector<size_t> files_of_program(const std::vector<std::string>& words, size_t dashes) {
  const auto is_file = [&](const std::string& word) {
    std::error_code ignored;
    return (nvcc::is_source(word) || nvcc::is_object(word)) && !word.starts_with("-") &&
           (dashes < words.size() || fs::is_regular_file(word, ignored));
  };
  std::vector<size_t> files;
  bool has_main = false;
  for (size_t i = 2; i < dashes; ++i) {
    if (!is_file(words[i])) {
      if (has_main && dashes == words.size()) break;
      if (dashes == words.size()) files.clear();
      continue;
    }
    files.push_back(i);
    has_main = has_main || nvcc::is_program_source(words[i]);
  }
  return has_main ? files : std::vector<size_t>();
}

}  // namespace

// `warplens run script.py …` is `warplens program -- python3 script.py …`; WARPLENS_PYTHON names another
// Python. `warplens run main.cu kernel.cu -- …` is `warplens program --with kernel.cu -- main.cu …` where one
// of the files has a main(), unless one of its kernels is asked for (--entry). Without "--", all that follows
// the files is the program's.
std::vector<std::string> program_arguments(int argc, const char* const* argv) {
  std::vector<std::string> words(argv, argv + argc);
  if (argc < 3 || words[1] != "run") return words;
  const auto dashes = static_cast<size_t>(std::ranges::find(words, "--") - words.begin());
  // One kernel of a file, or a GPU on which NVIDIA's own library works: such a file is no program here.
  const bool has_devices = std::any_of(words.begin(), words.end(), [](const std::string& word) {
    return word == "--devices" || word.starts_with("--devices=");
  });
  const bool is_kernel = std::any_of(words.begin(), words.end(), [has_devices](const std::string& word) {
    // Several real GPUs are refused as for any program.
    return word.starts_with("--entry") || (word.find("cuda:") != std::string::npos && !has_devices);
  });
  if (const std::vector<size_t> files = files_of_program(words, dashes); !is_kernel && !files.empty()) {
    const size_t main =
        *std::ranges::find_if(files, [&](size_t index) { return nvcc::is_program_source(words[index]); });
    // Where the program's own words begin, and what comes before them without the files.
    const size_t end = dashes < words.size() ? dashes + 1 : files.back() + 1;
    std::vector<std::string> command{words[0], "program"};
    for (size_t i = 2; i < std::min(end, dashes); ++i)
      if (std::ranges::find(files, i) == files.end()) command.push_back(words[i]);
    for (const size_t index : files)
      if (index != main) command.insert(command.end(), {"--with", words[index]});
    command.insert(command.end(), {"--", words[main]});
    command.insert(command.end(), words.begin() + static_cast<ptrdiff_t>(end), words.end());
    return command;
  }
  for (size_t i = 2; i < words.size(); ++i) {
    if (!program_run::is_script(words[i])) continue;
    words[1] = "program";
    words.insert(words.begin() + static_cast<ptrdiff_t>(i), {"--", chosen_python()});
    break;
  }
  return words;
}

CliCommand program_command(Cli& cli) {
  const auto choices = std::make_shared<ProgramChoices>();
  CliCommand command{
      "program",
      "Run a program of your own on the virtual GPU or a real one: warplens program -- COMMAND…",
      {{.name = "command",
        .value = &choices->command,
        .help = "The program and its arguments, after --",
        .value_name = "COMMAND"},
       {.name = "--device",
        .value = &choices->device,
        .help = "The device that it finds (warplens devices; default: RTX 3060); cuda:0: the first real GPU, "
                "with NVIDIA's driver",
        .value_name = "NAME"},
       {.name = "--devices",
        .value = &choices->devices,
        .help =
            "Several virtual devices: a number of them, as --devices 2 (all are that of --device), or their "
            "names,\nas --devices h100,t4",
        .value_name = "N|NAMES"},
       {.name = "--compiler",
        .value = &choices->compiler,
        .help =
            "Compiler for CUDA C++: NVIDIA's (nvrtc, here nvcc) or clang with headers of our own (default: "
            "WARPLENS_COMPILER,\n"
            "else NVIDIA's, else clang)",
        .allowed = {"nvrtc", "clang"}},
       {.name = "--with",
        .value = &choices->with,
        .help = "For a program FILE.cu: a further source, object or archive of it; may be given again.\n"
                "warplens run main.cu kernel.cu -- ARGUMENTS is the short form",
        .value_name = "FILE"},
       {.name = "--nvcc",
        .value = &choices->nvcc_options,
        .help = "For a program FILE.cu: options of nvcc, as --nvcc \"-std=c++20 -I include\"",
        .value_name = "OPTIONS"},
       {.name = "--clock",
        .value = &choices->clock,
        .help =
            "What events of the virtual GPU tell: modelled device time (the default), or this machine's own",
        .allowed = {"modelled", "host"}},
       {.name = "--observe",
        .value = &choices->observe,
        .help =
            "none: accesses are not counted, so kernels run faster and their times on the GPU are not known. "
            "--clock host\nimplies it",
        .allowed = {"counters", "none"}},
       {.name = "--sanitize",
        .value = &choices->sanitize,
        .help = "What to check in addition to bounds and alignment; all: also races and reads of memory that "
                "nobody\n"
                "wrote, several times slower",
        .allowed = {"off", "memory", "all"}},
       {.name = "--on-fault",
        .value = &choices->on_fault,
        .help =
            "continue: a kernel goes on after an access outside of memory, which becomes a finding; the read "
            "gives\n0, and the write is not made",
        .allowed = {"stop", "continue"}},
       {.name = "--no-waits",
        .value = &choices->no_waits,
        .help = "Missing waits between streams, and of the program for the device, are not looked for"},
       {.name = "--stream-order",
        .value = &choices->stream_order,
        .help = "Do the work of streams in another order that CUDA allows: late, when the program waits for "
                "it, the\n"
                "newest first; or in an order chosen by a seed. What a missing wait can break shows in the "
                "results",
        .value_name = "late|SEED"},
       {.name = "--steps",
        .value = &choices->steps,
        .help = "Steps after which a kernel counts as endless; 0 for no limit",
        .value_name = "N"},
       {.name = "--strict", .value = &choices->strict, .help = "Exit status 1 if there are findings"},
       {.name = "--quiet",
        .value = &choices->quiet,
        .help = "Nothing on standard error but the program's own output"},
       {.name = "--json", .value = &choices->json, .help = "Write the summary as JSON", .value_name = "FILE"},
       diagnostics_option(choices->diagnostics),
       {.name = "--page",
        .value = &choices->page,
        .help = "Write the summary, the launches and their time line as one page for browsers",
        .value_name = "FILE.html"},
       {.name = "--record",
        .value = &choices->record,
        .help = "Write what it did to a FILE.warplens, with launches that can be run again",
        .value_name = "FILE"},
       {.name = "--launches",
        .value = &choices->launches,
        .help =
            "Which launches of each process can be run again, such as 1-10,25 (default: the first three of\n"
            "each kernel)",
        .value_name = "LIST"},
       {
           .name = "--ptx",
           .value = &choices->ptx,
           .help = "On a real GPU: numba-cuda hands over PTX, so that its launches can be run again. "
                   "NVIDIA's linker\n"
                   "(nvJitLink) is hidden from the program; PyTorch and others that need it do not start",
       },
       {.name = "--no-lines",
        .value = &choices->no_lines,
        .help =
            "Leave Numba's kernels without line information, which they get here so that faults name lines"},
       {.name = "--record-limit",
        .value = &choices->record_limit,
        .help = "The largest recording, in MiB",
        .value_name = "MIB"}},
      [choices, &cli] { return run_program(*choices, cli); }};
  return command;
}

}  // namespace warplens

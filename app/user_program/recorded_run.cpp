#include "app/user_program/recorded_run.h"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <utility>

#include "app/user_program/compiled_program.h"
#include "app/user_program/environment.h"
#include "app/user_program/execution_target.h"
#include "app/user_program/folder.h"
#include "app/user_program/given_program.h"
#include "app/user_program/program_file.h"
#include "core/recording/launch_count.h"
#include "core/system/process.h"

namespace warplens::program_run {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr uint64_t record_limit = uint64_t{256} << 20;  // as warplens program has it
constexpr auto time_to_clean_up = std::chrono::seconds(3);
constexpr auto between_news = std::chrono::milliseconds(100);

void read_back(const std::string& device, const std::vector<std::string>& command,
               const ProgramEnvironment& made, const ProcessEnd& ended, RecordedEnd& end) {
  std::error_code error;
  if (fs::is_empty(made.journals, error)) return;
  const std::string path = made.folder + "/run.warplens";
  Result<bool> joined = recording::join_recording(
      made.journals, made.launches, {command, device, ended.status, ended.milliseconds}, record_limit, path);
  Result<recording::Recording> read =
      joined ? recording::read_recording(path) : Result<recording::Recording>(joined.error());
  if (read)
    end.recording = std::move(read).value();
  else
    end.not_recorded = read.error().message;
}

void take_end(const ProcessEnd& ended, RecordedEnd& end) {
  end.status = ended.status;
  end.signal = ended.signal;
  end.stopped = ended.stopped;
  end.so_far.seconds = ended.milliseconds / 1000;
}

Result<nvcc::CompiledProgram> plan_source(const RecordedRun& run, const ProgramEnvironment& made) {
  if (!run.device.is_virtual)
    return failed(fmt::format(
        "{} is compiled for the virtual GPU here. For a real one build it with nvcc, and open the program.",
        run.path));
  const std::string folder = run.text ? fs::path(run.path).parent_path().string() : std::string();
  return nvcc::plan_program({.main = run.path, .folder = folder, .variables = run.variables}, made);
}

void note_printed(std::string_view piece, RunSoFar& so_far) {
  const size_t room = lesson::most_printed_bytes - so_far.printed.size();
  so_far.prints_more = so_far.prints_more || piece.size() > room;
  so_far.printed += piece.substr(0, room);
}

}  // namespace

static Result<RecordedEnd> run_file(const RecordedRun& run, const std::function<void(const RunSoFar&)>& told,
                                    std::stop_token stop) {
  std::vector<std::string> command = command_of(run.path);
  command.insert(command.end(), run.arguments.begin(), run.arguments.end());
  const Result<ExecutionTarget> target = execution_target(run.device);
  if (!target) return target.error();
  Choices choices;
  choices.device = target->device.id;
  choices.sanitize = run.looks_for_all && run.device.is_virtual ? "all" : "off";
  choices.gpu_variables = target->gpu_variables;
  choices.stream_order = run.stream_order;
  choices.record = true;
  choices.command = command;
  choices.launches = run.launches;
  choices.record_limit = record_limit;
  Result<ProgramEnvironment> made = make_environment(target->driver, choices, command.front());
  if (!made) return made.error();
  const FolderGuard guard(*made);
  // When its output is a pipe, Python would buffer it until it ends.
  made->variables.emplace_back("PYTHONUNBUFFERED", "1");

  RecordedEnd end;
  recording::LaunchCount launches;
  Clock::time_point begin = Clock::now();
  Clock::time_point last = begin;
  const auto heard = [&](ProgramStream stream, std::string_view piece) {
    end.so_far.output.add(piece);
    if (stream == ProgramStream::out && !end.so_far.compiling) note_printed(piece, end.so_far);
    const Clock::time_point now = Clock::now();
    if (now - last < between_news) return;
    last = now;
    end.so_far.seconds = std::chrono::duration<double>(now - begin).count();
    end.so_far.launches = launches.count(made->journals);
    told(end.so_far);
  };
  HeardProgram program;
  program.words = command;
  program.folder = fs::path(run.path).parent_path().string();
  program.variables = made->variables;
  program.time_to_clean_up = time_to_clean_up;
  if (nvcc::is_program_source(run.path)) {
    const Result<nvcc::CompiledProgram> compiled = plan_source(run, *made);
    if (!compiled) return compiled.error();
    if (!compiled->command.empty()) {
      program.words = compiled->command;
      end.so_far.compiling = true;
      const Result<ProcessEnd> ended = run_heard(program, heard, stop);
      end.so_far.compiling = false;
      if (!ended) return ended.error();
      take_end(*ended, end);
      end.compiles = ended->status == 0;
      if (ended->status != 0 && !ended->stopped)
        end.not_recorded = fmt::format("{} does not compile: its output has the compiler's words.",
                                       fs::path(run.path).filename().string());
      if (ended->status != 0 || ended->stopped) return end;
      begin = Clock::now();
    }
    program.words = {compiled->path};
    program.words.insert(program.words.end(), run.arguments.begin(), run.arguments.end());
  }
  const Result<ProcessEnd> ended = run_heard(program, heard, std::move(stop));
  if (!ended) return ended.error();
  take_end(*ended, end);
  end.so_far.launches = launches.count(made->journals);
  read_back(choices.device, command, *made, *ended, end);
  return end;
}

Result<RecordedEnd> run_recorded(const RecordedRun& run, const std::function<void(const RunSoFar&)>& told,
                                 std::stop_token stop) {
  if (!run.text) return run_file(run, told, std::move(stop));
  Result<std::string> path = file_of_text(*run.text, fs::path(run.path).filename().string());
  if (!path) return path.error();
  RecordedRun of_file = run;
  of_file.path = *std::move(path);
  return run_file(of_file, told, std::move(stop));
}

}  // namespace warplens::program_run

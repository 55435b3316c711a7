// warplens precompile: what a program without a compiler needs of one, for all kernels, lessons and
// challenges that are built in.
#include <fmt/format.h>

#include <ostream>
#include <set>

#include "app/cli/shared/commands.h"
#include "core/base/system/files.h"
#include "core/compile/cuda_source/host_code.h"
#include "core/compile/stored.h"
#include "core/kernels/catalogue.h"
#include "core/lesson/format/challenge.h"
#include "core/lesson/format/lesson.h"
#include "core/lesson/play/stage.h"
#include "core/ptx/parser/parse.h"

namespace warplens {

namespace {

// From sm_100 on, compilers say best where variables are (core/job/named_variables.cpp).
constexpr ComputeCapability for_variables{10, 0};
constexpr const char* default_lesson_device = "rtx_3060";

struct Precompiler {
  Cli& cli;
  StoredCode code = {};
  std::set<std::pair<std::string, uint32_t>> seen = {};  // source, architecture
  size_t refused = 0;

  Result<const StoredCompilation*> compile(const std::string& source, const std::string& name,
                                           const CompileOptions& options) {
    const Result<Compilation> made = compile_cuda(source, name, options);
    if (!made) return made.error();
    refused += !made->ok;
    auto& all = code.compilations[stored_key(source, options)];
    all.push_back({options.architecture, name, made->ok, made->ptx, made->log});
    return &all.back();
  }

  void note_resources(const std::string& ptx, const std::string& name, ComputeCapability architecture) {
    const ptx::ParseResult parsed = ptx::parse(ptx, name);
    if (!parsed.module) return;
    for (const ptx::Function& function : parsed.module->functions) {
      if (!function.is_entry) continue;
      if (const auto found = resources_of(ptx, function.name, architecture))
        code.resources[stored_key(ptx, function.name, architecture, {})] = *found;
    }
  }

  // Once more for Step, and, for what it compares, without fusing.
  Result<void> compile_for_step(const std::string& source, const std::string& name,
                                ComputeCapability architecture, const std::string& ptx) {
    const bool asks = source.find("__CUDA_ARCH") != std::string::npos;
    CompileOptions options;
    options.architecture = asks ? architecture : for_variables;
    options.debug = true;
    if (!seen.insert({"debug " + source, options.architecture.number()}).second) return {};
    if (const auto made = compile(source, name, options); !made) return made.error();
    if (ptx.find("fma.rn.f") == std::string::npos) return {};
    options.debug = false;
    options.extra = {"--fmad=false"};
    if (const auto made = compile(source, name, options); !made) return made.error();
    return {};
  }

  Result<void> add(const std::string& source, const std::string& name, const Device& device) {
    CompileOptions options;
    options.architecture = device.compute_capability;
    const std::string device_code = main_line(source) ? without_host_code(source) : source;
    if (!seen.insert({device_code, options.architecture.number()}).second) return {};
    const auto made = compile(device_code, name, options);
    if (!made) return made.error();
    if (!(*made)->ok) return {};
    const std::string ptx = (*made)->ptx;  // what comes next may move it
    note_resources(ptx, name, device.compute_capability);
    return compile_for_step(source, name, device.compute_capability, ptx);
  }
};

Result<void> add_kernels(Precompiler& to) {
  for (const KernelDescription& kernel : built_in_kernels()) {
    std::set<ComputeCapability> seen;
    for (const Device& device : built_in_devices())
      if (seen.insert(device.compute_capability).second)
        to.note_resources(kernel.ptx, kernel.source_name, device.compute_capability);
    const Result<Device> device = find_device(default_lesson_device);
    if (!device) return device.error();
    if (auto done =
            to.compile_for_step(kernel.source, kernel.source_name, device->compute_capability, kernel.ptx);
        !done)
      return done;
    // An editor begins with a copy.
    if (auto done = to.add(kernel.source, kernel.source_name, *device); !done) return done;
  }
  return {};
}

// The device that these name, the last one first.
Result<Device> device_named(std::initializer_list<std::string> names) {
  for (const std::string& name : names)
    if (!name.empty())
      for (const Device& device : built_in_devices())
        if (device.id == name) return device;
  return find_device(default_lesson_device);
}

// The code that a step shows, what solves it, and what does not.
Result<void> add_step(Precompiler& to, const lesson::Folder& folder, const lesson::Lesson& lesson,
                      const lesson::LessonStep& step) {
  for (const lesson::Show& show :
       {step.show, lesson::with_changes(step.show, step.solution.changes),
        lesson::with_changes(step.show, step.wrong.changes), lesson::with_changes(step.show, step.reveal)}) {
    const auto file = folder.files.find(show.code.value_or(""));
    const auto kernel = find_kernel(show.kernel.value_or(""));
    if (file == folder.files.end() && (!kernel || show.code)) continue;
    const bool own = file != folder.files.end();
    const std::string text = lesson::with_edits(own ? file->second : (*kernel)->source, show.edits);
    const Result<Device> device = device_named({show.device.value_or(""), lesson.device});
    if (!device) return device.error();
    if (auto done = to.add(text, own ? *show.code : (*kernel)->source_name, *device); !done) return done;
  }
  return {};
}

bool is_cuda(const std::string& name) { return name.ends_with(".cu"); }

Result<void> add_lessons(Precompiler& to) {
  for (const lesson::Folder& folder : lesson::embedded_folders("lessons")) {
    const lesson::Lesson lesson = lesson::load_lesson(folder).lesson;
    const Result<Device> device = device_named({lesson.device});
    if (!device) return device.error();
    for (const auto& [name, text] : folder.files)
      if (is_cuda(name))
        if (auto done = to.add(text, name, *device); !done) return done;
    for (const lesson::LessonStep& step : lesson.steps)
      if (auto done = add_step(to, folder, lesson, step); !done) return done;
  }
  return {};
}

// As the window shows an answer, and as the judge takes what the challenge itself has.
Result<void> add_challenges(Precompiler& to) {
  for (const lesson::Folder& folder : lesson::embedded_folders("challenges")) {
    const lesson::Challenge challenge = lesson::load_challenge(folder).challenge;
    const Result<Device> device = device_named({challenge.device});
    if (!device) return device.error();
    for (const auto& [name, text] : folder.files)
      if (is_cuda(name))
        if (auto done = to.add(challenge.as_own_kernel(text), folder.name + ".cu", *device); !done)
          return done;
    for (const lesson::ChallengeFile* file : {challenge.starter(".cu"), challenge.reference(".cu")})
      if (file != nullptr)
        if (auto done = to.add(folder.files.at(file->name), file->name, *device); !done) return done;
  }
  return {};
}

Result<void> precompile(const std::string& out, Cli& cli) {
  Precompiler to{cli};
  for (const auto add : {add_kernels, add_lessons, add_challenges})
    if (auto done = add(to); !done) return done;
  size_t compilations = 0;
  for (const auto& [key, all] : to.code.compilations) compilations += all.size();
  const std::string text = stored_text(to.code);
  if (auto written = write_text(out, text); !written) return written;
  cli.out << fmt::format(
      "{}: {} compilations, {} of which say what is wrong, registers of {} kernels; {} bytes\n", out,
      compilations, to.refused, to.code.resources.size(), text.size());
  return {};
}

}  // namespace

CliCommand precompile_command(Cli& cli) {
  const auto out = std::make_shared<std::string>();
  return {"precompile",
          "Compile all built-in kernels, lessons and challenges for programs without a compiler",
          {{.name = "--out",
            .value = out.get(),
            .help = "File to write",
            .value_name = "FILE",
            .required = true}},
          [out, &cli] { return precompile(*out, cli); }};
}

}  // namespace warplens

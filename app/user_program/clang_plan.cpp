#include "app/user_program/clang_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <utility>

#include "app/user_program/clang_options.h"
#include "core/base/hash.h"

namespace warplens::nvcc {

namespace {

using Words = std::vector<std::string>;

void append(Words& to, const Words& words) { to.insert(to.end(), words.begin(), words.end()); }

// One command line, and what is made of it.
struct Planner {
  const Command& command;
  const ClangTools& tools;
  const ClangWords& words;
  Plan& plan;
  Words sources, others;  // of the inputs
  size_t made = 0;        // files in between

  bool is_cuda(std::string_view source) const {
    return words.language.empty() ? source.ends_with(".cu") : words.language == "cu";
  }

  Words driver() const { return {tools.clang, "--driver-mode=g++"}; }

  // What both passes over a text in CUDA C++ begin with. The version is not the toolkit's: it says which
  // calls a launch becomes, and every clang knows it.
  // With -rdc, kernels of one file's own get a name that both passes make of the same word.
  Words cuda(const char* pass, const std::string& source) const {
    Words all = driver();
    append(all, {"-x", "cuda", pass, "-nocudainc", "-nocudalib", "-Xclang", "-target-sdk-version=11.0",
                 "-Wno-unknown-cuda-version", "-std=c++17", "-isystem", tools.headers, "-include",
                 "warplens_program.h"});
    if (tools.major >= 16) all.emplace_back("--no-offload-new-driver");
    if (command.rdc) {
      const std::string word = fmt::format("-cuid={:016x}", hash_of(source, hash_of(tools.scratch)));
      append(all, {"-fgpu-rdc", word, "-Xclang", word});
    }
    return all;
  }

  void add_device_pass(const std::string& source, const std::string& ptx, const std::string& fat_binary) {
    Words all = cuda("--cuda-device-only", source);
    append(all, tools.device_words);
    append(all, {"-O3", "-gline-directives-only"});
    append(all, words.device);
    // Only the other pass prints warnings.
    append(all, {"-w", "-S", "-o", ptx, source});
    plan.steps.push_back({.words = std::move(all),
                          .source = source,
                          .ptx = ptx,
                          .fat_binary = fat_binary,
                          .may_lack = command.rdc});
  }

  // `last`: "-c", "-E" and the like.
  void add_host_pass(const std::string& source, const char* last, const std::string& output,
                     const std::string& fat_binary) {
    Words all = is_cuda(source) ? cuda("--cuda-host-only", source) : driver();
    if (!is_cuda(source)) {
      if (source.ends_with(".c") && words.language.empty()) append(all, {"-x", "c"});
      append(all, {"-isystem", tools.headers});
    }
    if (!fat_binary.empty()) append(all, {"-Xclang", "-fcuda-include-gpubinary", "-Xclang", fat_binary});
    all.emplace_back("-g");
    append(all, words.host);
    append(all, {last, source});
    if (!output.empty()) append(all, {"-o", output});
    plan.steps.push_back({.words = std::move(all), .source = is_cuda(source) ? source : ""});
  }

  void add_object(const std::string& source, const std::string& object, size_t source_number) {
    std::string fat_binary;
    if (is_cuda(source)) {
      const std::string between = fmt::format("{}/{}", tools.scratch, ++made);
      fat_binary = between + ".fatbin";
      add_device_pass(source, between + ".ptx", fat_binary);
    }
    add_host_pass(source, "-c", object, fat_binary);
    Words& pass = plan.steps.back().words;
    if (const auto at = std::ranges::find(pass, "-MF"); at != pass.end() && at + 1 != pass.end())
      at[1] = dependencies_of(at[1], source_number);
  }

  // C that registers what the objects hold, and its object: clang names what a device link would join as nvcc
  // does.
  void add_stub(Words objects, const std::string& object) {
    const std::string stub = tools.scratch + "/device_link.c";
    plan.steps.push_back({.stub = stub, .objects = std::move(objects)});
    Words all{tools.clang};
    for (const std::string& word : words.host)
      if (word.starts_with("-f")) all.push_back(word);  // -fPIC
    append(all, {"-x", "c", "-c", stub, "-o", object});
    plan.steps.push_back({.words = std::move(all)});
  }

  Words objects_of_sources() {
    Words objects;
    for (const std::string& source : sources) {
      objects.push_back(fmt::format("{}/{}.o", tools.scratch, objects.size() + 1));
      add_object(source, objects.back(), objects.size() - 1);
    }
    return objects;
  }

  void add_link() {
    Words objects = objects_of_sources();
    Words all = driver();
    append(all, objects);
    if (command.rdc || command.has_objects) {
      Words registered = objects;
      append(registered, objects_of(command));
      const std::string stub = tools.scratch + "/device_link.o";
      add_stub(std::move(registered), stub);
      all.push_back(stub);
    }
    append(all, others);
    const std::string output = command.output.empty() ? "a.out" : command.output;
    append(all, {"-o", output, "-L" + tools.libraries});
    append(all, words.link);
    all.emplace_back("-lcudart");
    plan.steps.push_back({.words = std::move(all)});
    if (command.has("--run"))
      plan.steps.push_back({.words = {output.find('/') == std::string::npos ? "./" + output : output}});
  }

  void add_archive() {
    Words all{"ar", "rcs"};
    append(all, words.archive);
    all.push_back(command.output.empty() ? "a.a" : command.output);
    append(all, objects_of_sources());
    append(all, others);
    plan.steps.push_back({.words = std::move(all)});
  }

  std::string output_for(const std::string& source, std::string_view ending) const {
    if (!command.output.empty()) return command.output;
    return (words.folder.empty() ? "" : words.folder + "/") + std::filesystem::path(source).stem().string() +
           std::string(ending);
  }

  // Phases that link nothing, once for each source.
  Result<void> add_phase() {
    if (sources.size() > 1 && !command.output.empty())
      return bad_input("-o names one file, and there are several sources: leave -o out, or link them.");
    for (const std::string& source : sources) {
      if (command.has("--ptx")) {
        add_device_pass(source, output_for(source, ".ptx"), "");
      } else if (command.has("--cubin")) {
        add_device_pass(source, output_for(source, ".cubin"), "");
      } else if (command.has("--fatbin")) {
        add_device_pass(source, output_for(source, ".fatbin"), "");
      } else if (command.has("--preprocess")) {
        add_host_pass(source, "-E", command.output, "");
      } else if (command.has("--generate-dependencies")) {
        add_host_pass(source, "-M", command.output, "");
      } else if (command.has("--generate-nonsystem-dependencies")) {
        add_host_pass(source, "-MM", command.output, "");
      } else {
        add_object(source, output_for(source, ".o"), 0);
      }
    }
    return {};
  }
};

std::string version_text(const ClangTools& tools) {
  return fmt::format(
      "nvcc: in its place clang {} with the headers of WarpLens, for programs of CUDA 12.9\n"
      "Cuda compilation tools, release 12.9, V12.9.0\n",
      tools.version);
}

Result<void> plan_inputs(Planner& planner) {
  const Command& command = planner.command;
  for (const char* phase : {"--list-gpu-code", "--list-gpu-arch"})
    if (command.has(phase))
      return bad_input(fmt::format("{} is an option of nvcc's that clang has not.", phase));
  if (command.has("--version") || command.has("--help")) {
    planner.plan.said = version_text(planner.tools);
    if (command.has("--help"))
      planner.plan.said +=
          "Options are nvcc's; those that clang has not are refused by name: docs/clang.md.\n";
    return {};
  }
  if (planner.sources.empty() && planner.others.empty())
    return bad_input("There is no file to compile or to link: name one.");
  if (command.has("--device-link")) {
    Words objects = objects_of(command);
    planner.add_stub(std::move(objects), command.output.empty() ? "a_dlink.o" : command.output);
    return {};
  }
  if (command.has("--lib")) {
    planner.add_archive();
    return {};
  }
  const bool links = std::ranges::all_of(command.phases, [](std::string_view phase) {
    return phase == "--dryrun" || phase == "--link" || phase == "--run";
  });
  if (links) {
    planner.add_link();
    return {};
  }
  if (planner.sources.empty())
    return bad_input("There is no source to compile: name one that ends in .cu or .cpp.");
  return planner.add_phase();
}

}  // namespace

Result<Plan> clang_plan(const std::vector<std::string>& words, const ClangTools& tools,
                        const ReadText& read) {
  const Result<Command> command = read_command(words, read);
  if (!command) return command.error();
  const Result<ClangWords> own = clang_words(*command, tools.is_toolkit);
  if (!own) return own.error();
  Plan plan;
  plan.notes = own->notes;
  plan.dry = command->has("--dryrun");
  Planner planner{*command, tools, *own, plan, {}, {}};
  for (const Word& word : command->words) {
    if (word.kind != Kind::input) continue;
    const std::string& path = word.words[0];
    const bool is_read =
        is_source(path) || (!own->language.empty() && !is_object(path) && !path.ends_with(".so"));
    if (path.ends_with("libcudadevrt.a") || path.ends_with("libcudart_static.a") ||
        path.ends_with("libcudart.so"))
      continue;
    (is_read ? planner.sources : planner.others).push_back(path);
  }
  if (const Result<void> planned = plan_inputs(planner); !planned) return planned.error();
  if (std::string note = note_on_architecture(*command, tools.capability); !note.empty())
    plan.notes.push_back(std::move(note));
  return plan;
}

}  // namespace warplens::nvcc

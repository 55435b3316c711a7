#include "app/user_program/nvcc_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <string_view>

namespace warplens::nvcc {

namespace {

// Options that every step gets. `keep` says which words of the command line they are.
template <class Keep>
std::vector<std::string> words_of(const Command& command, const Toolchain& tools, Keep keep) {
  std::vector<std::string> words{tools.nvcc};
  for (const Word& word : command.words) {
    if (word.kind == Kind::architecture || word.kind == Kind::cudart || word.kind == Kind::lto ||
        word.kind == Kind::no_link || word.kind == Kind::own || !keep(word))
      continue;
    words.insert(words.end(), word.words.begin(), word.words.end());
  }
  words.emplace_back("-gencode");
  words.push_back(fmt::format("arch=compute_{0},code=compute_{0}", tools.target));
  words.insert(words.end(), {"-cudart", "shared"});
  if (!command.has_line_info) words.emplace_back("-lineinfo");
  // Lines of the host program, for messages about its calls; its code does not change.
  const bool has_it = std::any_of(command.words.begin(), command.words.end(), [](const Word& word) {
    return word.words[0] == "-g" || word.words[0] == "--debug";
  });
  if (!has_it) words.emplace_back("-g");
  return words;
}

constexpr auto everything = [](const Word&) { return true; };

// Machine code becomes PTX; the names of files stay, which PyCUDA looks for.
Plan plan_device_code(const Command& command, const Toolchain& tools, std::string_view ending) {
  std::vector<std::string> words = words_of(
      command, tools, [](const Word& word) { return word.name != "--cubin" && word.name != "--fatbin"; });
  words.emplace_back("--ptx");
  const auto source = std::find_if(command.words.begin(), command.words.end(),
                                   [](const Word& word) { return word.kind == Kind::input; });
  if (command.output.empty() && source != command.words.end()) {
    std::string name = source->words[0];
    name = name.substr(name.rfind('/') + 1);
    words.insert(words.end(), {"-o", name.substr(0, name.rfind('.')) + "." + std::string(ending)});
  }
  // -gencode is for several: --ptx takes one architecture.
  const auto at = std::find(words.begin(), words.end(), "-gencode");
  *at = fmt::format("-arch=compute_{}", tools.target);
  words.erase(at + 1);
  return {{{std::move(words), {}, {}}}, {}};
}

bool is_compile_option(const Word& word) {
  return word.kind != Kind::input && word.kind != Kind::output && word.kind != Kind::phase &&
         word.kind != Kind::rdc && word.kind != Kind::link_library && word.name != "--linker-options";
}

bool is_source_word(const Word& word) { return word.kind == Kind::input && is_source(word.words[0]); }

bool is_about_dependencies(const Word& word) {
  return (word.name.starts_with("--generate-") && word.name.find("dependenc") != word.name.npos) ||
         word.name.starts_with("--dependency-");
}

std::string value_of(const Command& command, std::string_view name) {
  const auto at = std::ranges::find(command.words, name, &Word::name);
  return at == command.words.end() ? std::string() : at->value;
}

// C that registers what the objects hold, and its object.
void add_stub(const Command& command, const Toolchain& tools, std::vector<std::string> objects,
              const std::string& object, Plan& plan) {
  const std::string stub = tools.scratch + "/device_link.c";
  plan.steps.push_back({{}, stub, std::move(objects)});
  std::vector<std::string> words{tools.nvcc};
  for (const Word& word : command.words)
    if (word.name == "--compiler-bindir" || word.name == "--compiler-options" || word.name == "--machine")
      words.insert(words.end(), word.words.begin(), word.words.end());
  words.insert(words.end(), {"-c", stub, "-o", object});
  plan.steps.push_back({std::move(words), {}, {}});
}

Plan plan_link(const Command& command, const Toolchain& tools) {
  Plan plan;
  std::vector<std::string> objects = objects_of(command), made;
  const std::string dependencies = value_of(command, "--dependency-output");
  // nvcc writes the files that it read for the last of several sources only.
  const bool split =
      command.rdc || (!dependencies.empty() && std::ranges::count_if(command.words, is_source_word) > 1);
  for (const Word& word : command.words) {
    if (!split || !is_source_word(word)) continue;
    const std::string object = fmt::format("{}/{}.o", tools.scratch, made.size() + 1);
    std::vector<std::string> words = words_of(command, tools, is_compile_option);
    std::ranges::replace(words, dependencies, dependencies_of(dependencies, made.size()));
    if (command.rdc) words.emplace_back("-rdc=true");
    words.insert(words.end(), {"-c", word.words[0], "-o", object});
    plan.steps.push_back({std::move(words), {}, {}});
    made.push_back(object);
  }
  std::vector<std::string> link = words_of(command, tools, [&](const Word& word) {
    return word.kind != Kind::rdc && !(split && (is_source_word(word) || is_about_dependencies(word)));
  });
  link.insert(link.end(), {"-nodlink", "-cudadevrt", "none"});
  link.insert(link.end(), made.begin(), made.end());
  if (command.rdc || command.has_objects) {
    objects.insert(objects.begin(), made.begin(), made.end());
    const std::string stub = tools.scratch + "/device_link.o";
    add_stub(command, tools, std::move(objects), stub, plan);
    link.push_back(stub);
  }
  plan.steps.push_back({std::move(link), {}, {}});
  return plan;
}

Plan plan_steps(const Command& command, const Toolchain& tools) {
  if (command.has("--cubin")) return plan_device_code(command, tools, "cubin");
  if (command.has("--fatbin")) return plan_device_code(command, tools, "fatbin");
  if (command.has("--ptx")) return plan_device_code(command, tools, "ptx");
  if (command.has("--device-link")) {
    Plan plan;
    add_stub(command, tools, objects_of(command), command.output.empty() ? "a_dlink.o" : command.output,
             plan);
    return plan;
  }
  const bool has_input = std::any_of(command.words.begin(), command.words.end(),
                                     [](const Word& word) { return word.kind == Kind::input; });
  const bool links = command.phases.empty() || command.has("--link") || command.has("--run");
  if (links && has_input) return plan_link(command, tools);
  // Questions such as --version, and phases that link nothing.
  if (!has_input) {
    std::vector<std::string> words{tools.nvcc};
    for (const Word& word : command.words)
      if (word.kind != Kind::own) words.insert(words.end(), word.words.begin(), word.words.end());
    return {{{std::move(words), {}, {}}}, {}};
  }
  return {{{words_of(command, tools, everything), {}, {}}}, {}};
}

}  // namespace

std::string dependencies_of(const std::string& path, size_t source) {
  return source == 0 ? path : fmt::format("{}.{}", path, source);
}

Result<Plan> plan(const std::vector<std::string>& words, const Toolchain& tools, const ReadText& read) {
  const Result<Command> read_words = read_command(words, read);
  if (!read_words) return read_words.error();
  const Command& command = *read_words;
  Plan made = plan_steps(command, tools);
  if (std::string note = note_on_architecture(command, tools.capability); !note.empty())
    made.notes.push_back(std::move(note));
  return made;
}

std::string stub_of(const std::string& symbols) {
  constexpr std::string_view prefix = "__cudaRegisterLinkedBinary";
  std::set<std::string, std::less<>> wanted, defined;
  for (size_t begin = 0; begin < symbols.size();) {
    const size_t end = std::min(symbols.find('\n', begin), symbols.size());
    const std::string_view line = std::string_view(symbols).substr(begin, end - begin);
    begin = end + 1;
    const size_t at = line.find(prefix);
    if (at == std::string_view::npos || at < 2 || line[at - 1] != ' ') continue;
    const std::string_view id = line.substr(at + prefix.size());
    const bool is_name = std::all_of(id.begin(), id.end(), [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
    });
    if (is_name && !id.empty()) (line[at - 2] == 'U' ? wanted : defined).insert(std::string(id));
  }
  std::string text =
      "void warplens_register_linked_binary(const void*, void (*)(void**), const void*);\nstatic char "
      "link;\n";
  for (const std::string& id : wanted) {
    if (defined.contains(id)) continue;
    text += fmt::format(
        "extern const char __fatbinwrap{0}[];\n"
        "void __cudaRegisterLinkedBinary{0}(void (*call)(void**), void* b, void* n, void (*d)(void*)) {{\n"
        "  (void)b; (void)n; (void)d;\n"
        "  warplens_register_linked_binary(&link, call, __fatbinwrap{0});\n}}\n",
        id);
  }
  return text;
}

}  // namespace warplens::nvcc

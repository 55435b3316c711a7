#include "app/program/nvcc_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <set>
#include <string_view>

namespace warplens::nvcc {

namespace {

enum class Kind : uint8_t {
  input,
  other,         // an option that stays as it is
  architecture,  // -arch, -code, -gencode: the device's comes in their place
  cudart,        // -cudart: the shared library
  lto,           // link-time optimisation makes no PTX
  rdc,
  output,
  phase,         // -c, -dc, -dlink, …
  line_info,     // -lineinfo, -G
  no_link,       // -nodlink
  link_library,  // -l and -L, which archives are looked for by
  explain,
};

// Options that are looked at, and all that take a value, by nvcc's own list (nvcc --help).
struct Option {
  std::string_view name, short_name;
  Kind kind;
  bool has_value;
};
constexpr Option options[] = {
    {"--gpu-architecture", "-arch", Kind::architecture, true},
    {"--gpu-code", "-code", Kind::architecture, true},
    {"--generate-code", "-gencode", Kind::architecture, true},
    {"--cudart", "-cudart", Kind::cudart, true},
    {"--dlink-time-opt", "-dlto", Kind::lto, false},
    {"--lto", "-lto", Kind::lto, false},
    {"--gen-opt-lto", "-gen-opt-lto", Kind::lto, false},
    {"--relocatable-device-code", "-rdc", Kind::rdc, true},
    {"--output-file", "-o", Kind::output, true},
    {"--compile", "-c", Kind::phase, false},
    {"--device-c", "-dc", Kind::phase, false},
    {"--device-w", "-dw", Kind::phase, false},
    {"--device-link", "-dlink", Kind::phase, false},
    {"--link", "-link", Kind::phase, false},
    {"--lib", "-lib", Kind::phase, false},
    {"--run", "-run", Kind::phase, false},
    {"--ptx", "-ptx", Kind::phase, false},
    {"--cubin", "-cubin", Kind::phase, false},
    {"--fatbin", "-fatbin", Kind::phase, false},
    {"--preprocess", "-E", Kind::phase, false},
    {"--generate-dependencies", "-M", Kind::phase, false},
    {"--generate-nonsystem-dependencies", "-MM", Kind::phase, false},
    {"--dryrun", "-dryrun", Kind::phase, false},
    {"--help", "-h", Kind::phase, false},
    {"--version", "-V", Kind::phase, false},
    {"--list-gpu-code", "-code-ls", Kind::phase, false},
    {"--list-gpu-arch", "-arch-ls", Kind::phase, false},
    {"--generate-line-info", "-lineinfo", Kind::line_info, false},
    {"--device-debug", "-G", Kind::line_info, false},
    {"--no-device-link", "-nodlink", Kind::no_link, false},
    {"--library", "-l", Kind::link_library, true},
    {"--library-path", "-L", Kind::link_library, true},
    {"--explain", "--explain", Kind::explain, false},
    // The rest is here for its value.
    {"--pre-include", "-include", Kind::other, true},
    {"--define-macro", "-D", Kind::other, true},
    {"--undefine-macro", "-U", Kind::other, true},
    {"--include-path", "-I", Kind::other, true},
    {"--system-include", "-isystem", Kind::other, true},
    {"--output-directory", "-odir", Kind::other, true},
    {"--dependency-output", "-MF", Kind::other, true},
    {"--dependency-target-name", "-MT", Kind::other, true},
    {"--compiler-bindir", "-ccbin", Kind::other, true},
    {"--archiver-binary", "-arbin", Kind::other, true},
    {"--cudadevrt", "-cudadevrt", Kind::cudart, true},
    {"--libdevice-directory", "-ldir", Kind::other, true},
    {"--target-directory", "-target-dir", Kind::other, true},
    {"--optimization-info", "-opt-info", Kind::other, true},
    {"--optimize", "-O", Kind::other, true},
    {"--Ofast-compile", "-Ofc", Kind::other, true},
    {"--dopt", "-dopt", Kind::other, true},
    {"--ftemplate-backtrace-limit", "-ftemplate-backtrace-limit", Kind::other, true},
    {"--ftemplate-depth", "-ftemplate-depth", Kind::other, true},
    {"--x", "-x", Kind::other, true},
    {"--std", "-std", Kind::other, true},
    {"--machine", "-m", Kind::other, true},
    {"--compiler-options", "-Xcompiler", Kind::other, true},
    {"--linker-options", "-Xlinker", Kind::other, true},
    {"--archive-options", "-Xarchive", Kind::other, true},
    {"--ptxas-options", "-Xptxas", Kind::other, true},
    {"--nvlink-options", "-Xnvlink", Kind::other, true},
    {"-Xcudafe", "-Xcudafe", Kind::other, true},
    {"-Xfatbin", "-Xfatbin", Kind::other, true},
    {"--static-global-template-stub", "-static-global-template-stub", Kind::other, true},
    {"--device-entity-has-hidden-visibility", "-device-entity-has-hidden-visibility", Kind::other, true},
    {"--threads", "-t", Kind::other, true},
    {"--split-compile", "-split-compile", Kind::other, true},
    {"--split-compile-extended", "-split-compile-extended", Kind::other, true},
    {"--keep-dir", "-keep-dir", Kind::other, true},
    {"--time", "-time", Kind::other, true},
    {"--run-args", "-run-args", Kind::other, true},
    {"--entries", "-e", Kind::other, true},
    {"--maxrregcount", "-maxrregcount", Kind::other, true},
    {"--ftz", "-ftz", Kind::other, true},
    {"--prec-div", "-prec-div", Kind::other, true},
    {"--prec-sqrt", "-prec-sqrt", Kind::other, true},
    {"--fmad", "-fmad", Kind::other, true},
    {"--default-stream", "-default-stream", Kind::other, true},
    {"--Werror", "-Werror", Kind::other, true},
    {"--diag-error", "-diag-error", Kind::other, true},
    {"--diag-suppress", "-diag-suppress", Kind::other, true},
    {"--diag-warn", "-diag-warn", Kind::other, true},
    {"--brief-diagnostics", "-brief-diag", Kind::other, true},
    {"--compress-mode", "-compress-mode", Kind::other, true},
    {"--frandom-seed", "-frandom-seed", Kind::other, true},
};

struct Word {
  Kind kind = Kind::other;
  std::string name;                // the option's long name
  std::string value;               // after = or in the next word
  std::vector<std::string> words;  // as it was given
};

// What nvcc takes as one option although the value follows at once: -Ifolder, -lname, -O3.
bool may_be_joined(const Option& option) { return option.short_name.size() == 2 && option.has_value; }

Word word_of(const std::vector<std::string>& all, size_t& at) {
  const std::string& text = all[at];
  Word word{Kind::other, {}, {}, {text}};
  if (text.empty() || text[0] != '-' || text == "-") {
    word.kind = Kind::input;
    return word;
  }
  const size_t equals = text.find('=');
  const std::string_view head = std::string_view(text).substr(0, equals);
  const auto* option = std::find_if(std::begin(options), std::end(options), [&](const Option& row) {
    return row.name == head || row.short_name == head;
  });
  if (option == std::end(options)) {
    const auto* joined = std::find_if(std::begin(options), std::end(options), [&](const Option& row) {
      return may_be_joined(row) && text.starts_with(row.short_name);
    });
    // No output is joined: -objtemp is another option.
    if (joined == std::end(options) || joined->kind == Kind::output) return word;
    word.kind = joined->kind;
    word.name = joined->name;
    word.value = text.substr(2);
    return word;
  }
  word.kind = option->kind;
  word.name = option->name;
  if (equals != std::string::npos) {
    word.value = text.substr(equals + 1);
  } else if (option->has_value && at + 1 < all.size()) {
    word.value = all[++at];
    word.words.push_back(word.value);
  }
  return word;
}

// The words of a response file: parted by blanks; quotes hold words together.
std::vector<std::string> split_words(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  bool inside = false;
  char quote = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote != 0) {
      if (c == quote) {
        quote = 0;
      } else {
        word += c;
      }
    } else if (c == '"' || c == '\'') {
      quote = c;
      inside = true;
    } else if (c == '\\' && i + 1 < text.size()) {
      if (text[++i] != '\n') word += text[i];
      inside = true;
    } else if (std::isspace(static_cast<unsigned char>(c)) != 0) {
      if (inside || !word.empty()) words.push_back(word);
      word.clear();
      inside = false;
    } else {
      word += c;
    }
  }
  if (inside || !word.empty()) words.push_back(word);
  return words;
}

Result<void> expand(const std::vector<std::string>& words, const ReadText& read, int depth,
                    std::vector<std::string>& all) {
  constexpr int deepest = 8;
  constexpr size_t most_words = 100'000;
  for (size_t i = 0; i < words.size(); ++i) {
    std::string path;
    if (words[i].size() > 1 && words[i][0] == '@') path = words[i].substr(1);
    for (const std::string_view name : {"--options-file", "-optf"}) {
      if (words[i] == name && i + 1 < words.size()) path = words[++i];
      if (words[i].starts_with(std::string(name) + "=")) path = words[i].substr(name.size() + 1);
    }
    if (path.empty()) {
      all.push_back(words[i]);
      continue;
    }
    if (depth == deepest) return bad_input(fmt::format("The response file {} contains itself.", path));
    const Result<std::string> text = read(path);
    if (!text) return text.error();
    if (auto expanded = expand(split_words(*text), read, depth + 1, all); !expanded) return expanded;
    if (all.size() > most_words)
      return bad_input(fmt::format("The response file {} has too many words.", path));
  }
  return {};
}

bool ends_with_any(std::string_view text, std::initializer_list<std::string_view> ends) {
  return std::any_of(ends.begin(), ends.end(), [&](std::string_view end) { return text.ends_with(end); });
}

bool is_source(std::string_view path) {
  return ends_with_any(path, {".cu", ".cpp", ".cc", ".cxx", ".c++", ".C", ".c"});
}
bool is_object(std::string_view path) { return ends_with_any(path, {".o", ".obj", ".a"}); }

struct Command {
  std::vector<Word> words;
  std::set<std::string, std::less<>> phases;
  bool rdc = false, has_line_info = false, has_objects = false;
  std::string output;
  bool has(std::string_view phase) const { return phases.contains(phase); }
};

Command command_of(const std::vector<std::string>& all) {
  Command command;
  for (size_t at = 0; at < all.size(); ++at) {
    Word word = word_of(all, at);
    if (word.kind == Kind::phase) command.phases.insert(word.name);
    if (word.kind == Kind::rdc) command.rdc = word.value == "true";
    if (word.kind == Kind::line_info) command.has_line_info = true;
    if (word.kind == Kind::output) command.output = word.value;
    if (word.kind == Kind::input && is_object(word.words[0])) command.has_objects = true;
    if (word.kind == Kind::link_library && word.name == "--library") command.has_objects = true;
    command.words.push_back(std::move(word));
  }
  if (command.has("--device-c")) command.rdc = true;
  return command;
}

// The numbers of architectures that are asked for, as 35 of sm_35 and compute_35.
void collect_architectures(std::string_view value, std::set<uint32_t>& asked) {
  for (size_t at = 0; at < value.size(); ++at) {
    const std::string_view rest = value.substr(at);
    const size_t skip = rest.starts_with("sm_") ? 3 : rest.starts_with("compute_") ? 8 : 0;
    if (skip == 0) continue;
    uint32_t number = 0;
    for (size_t i = skip;
         i < rest.size() && i < skip + 3 && std::isdigit(static_cast<unsigned char>(rest[i])) != 0; ++i)
      number = number * 10 + static_cast<uint32_t>(rest[i] - '0');
    if (number != 0) asked.insert(number);
  }
}

void add_note(const Command& command, const Toolchain& tools, Plan& plan) {
  std::set<uint32_t> asked;
  for (const Word& word : command.words)
    if (word.kind == Kind::architecture) collect_architectures(word.value, asked);
  if (asked.empty() || asked.contains(tools.capability)) return;
  plan.notes.push_back(fmt::format(
      "The program asks for sm_{}; it is compiled for the device that it finds, compute capability {}.{}.",
      *asked.rbegin(), tools.capability / 10, tools.capability % 10));
}

// Options that every step gets. `keep` says which words of the command line they are.
template <class Keep>
std::vector<std::string> words_of(const Command& command, const Toolchain& tools, Keep keep) {
  std::vector<std::string> words{tools.nvcc};
  for (const Word& word : command.words) {
    if (word.kind == Kind::architecture || word.kind == Kind::cudart || word.kind == Kind::lto ||
        word.kind == Kind::no_link || word.kind == Kind::explain || !keep(word))
      continue;
    words.insert(words.end(), word.words.begin(), word.words.end());
  }
  words.emplace_back("-gencode");
  words.push_back(fmt::format("arch=compute_{0},code=compute_{0}", tools.capability));
  words.insert(words.end(), {"-cudart", "shared"});
  if (!command.has_line_info) words.emplace_back("-lineinfo");
  // Lines of the host program, for what is said of its calls; its code stays as it is.
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
  *at = fmt::format("-arch=compute_{}", tools.capability);
  words.erase(at + 1);
  return {{{std::move(words), {}, {}}}, {}};
}

// The objects and archives of a link, archives of -l in the folders of -L among them. Not the device's own
// runtime library: what it would bring, our linker of PTX has.
std::vector<std::string> objects_of(const Command& command) {
  std::vector<std::string> objects;
  for (const Word& word : command.words) {
    if (word.kind == Kind::input && is_object(word.words[0]) && !word.words[0].ends_with("libcudadevrt.a"))
      objects.push_back(word.words[0]);
  }
  for (const Word& library : command.words) {
    if (library.name != "--library" || library.value == "cudadevrt") continue;
    for (const Word& folder : command.words)
      if (folder.name == "--library-path")
        objects.push_back(fmt::format("{}/lib{}.a", folder.value, library.value));
  }
  return objects;
}

bool is_compile_option(const Word& word) {
  return word.kind != Kind::input && word.kind != Kind::output && word.kind != Kind::phase &&
         word.kind != Kind::rdc && word.kind != Kind::link_library && word.name != "--linker-options";
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
  const bool split = command.rdc;
  for (const Word& word : command.words) {
    if (!split || word.kind != Kind::input || !is_source(word.words[0])) continue;
    const std::string object = fmt::format("{}/{}.o", tools.scratch, made.size() + 1);
    std::vector<std::string> words = words_of(command, tools, is_compile_option);
    words.insert(words.end(), {"-rdc=true", "-c", word.words[0], "-o", object});
    plan.steps.push_back({std::move(words), {}, {}});
    made.push_back(object);
  }
  std::vector<std::string> link = words_of(command, tools, [&](const Word& word) {
    return word.kind != Kind::rdc && !(split && word.kind == Kind::input && is_source(word.words[0]));
  });
  link.insert(link.end(), {"-nodlink", "-cudadevrt", "none"});
  link.insert(link.end(), made.begin(), made.end());
  if (split || command.has_objects) {
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
      if (word.kind != Kind::explain) words.insert(words.end(), word.words.begin(), word.words.end());
    return {{{std::move(words), {}, {}}}, {}};
  }
  return {{{words_of(command, tools, everything), {}, {}}}, {}};
}

}  // namespace

Result<Plan> plan(const std::vector<std::string>& words, const Toolchain& tools, const ReadText& read) {
  std::vector<std::string> all;
  if (auto expanded = expand(words, read, 0, all); !expanded) return expanded.error();
  const Command command = command_of(all);
  Plan made = plan_steps(command, tools);
  for (Step& step : made.steps) step.compiles = std::any_of(step.words.begin(), step.words.end(), is_source);
  add_note(command, tools, made);
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

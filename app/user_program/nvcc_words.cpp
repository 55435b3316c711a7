#include "app/user_program/nvcc_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>

namespace warplens::nvcc {

namespace {

// Options that have an effect here, and all that take a value, by nvcc's own list (nvcc --help).
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
    {"--explain", "--explain", Kind::own, false},
    {"--add-options", "--add-options", Kind::own, false},
    // The rest is here for its value, or its name.
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
    {"--use_fast_math", "-use_fast_math", Kind::other, false},
    {"--extended-lambda", "-extended-lambda", Kind::other, false},
    {"--expt-extended-lambda", "-expt-extended-lambda", Kind::other, false},
    {"--expt-relaxed-constexpr", "-expt-relaxed-constexpr", Kind::other, false},
    {"--debug", "-g", Kind::other, false},
    {"--disable-warnings", "-w", Kind::other, false},
    {"--shared", "-shared", Kind::other, false},
    {"--profile", "-pg", Kind::other, false},
    {"--generate-dependencies-with-compile", "-MD", Kind::other, false},
    {"--generate-nonsystem-dependencies-with-compile", "-MMD", Kind::other, false},
    {"--generate-dependency-targets", "-MP", Kind::other, false},
    {"--resource-usage", "-res-usage", Kind::other, false},
    {"--source-in-ptx", "-src-in-ptx", Kind::other, false},
    {"--restrict", "-restrict", Kind::other, false},
    {"--keep", "-keep", Kind::other, false},
    {"--save-temps", "-save-temps", Kind::other, false},
    {"--verbose", "-v", Kind::other, false},
    {"--forward-unknown-to-host-compiler", "-forward-unknown-to-host-compiler", Kind::other, false},
    {"--forward-unknown-opts", "-forward-unknown-opts", Kind::other, false},
    {"--no-exceptions", "-noeh", Kind::other, false},
    {"--Wno-deprecated-gpu-targets", "-Wno-deprecated-gpu-targets", Kind::other, false},
    {"--Wreorder", "-Wreorder", Kind::other, false},
    {"--extra-device-vectorization", "-extra-device-vectorization", Kind::other, false},
    {"--display-error-number", "-err-no", Kind::other, false},
    {"--no-display-error-number", "-no-err-no", Kind::other, false},
    {"--Wmissing-launch-bounds", "-Wmissing-launch-bounds", Kind::other, false},
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

}  // namespace

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

bool is_source(std::string_view path) {
  return ends_with_any(path, {".cu", ".cpp", ".cc", ".cxx", ".c++", ".C", ".c"});
}
bool is_object(std::string_view path) { return ends_with_any(path, {".o", ".obj", ".a"}); }

namespace {

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

}  // namespace

Result<Command> read_command(const std::vector<std::string>& words, const ReadText& read) {
  std::vector<std::string> all;
  if (auto expanded = expand(words, read, 0, all); !expanded) return expanded.error();
  return command_of(all);
}

std::string note_on_architecture(const Command& command, uint32_t capability) {
  std::set<uint32_t> asked;
  for (const Word& word : command.words)
    if (word.kind == Kind::architecture) collect_architectures(word.value, asked);
  if (asked.empty() || asked.contains(capability)) return {};
  return fmt::format(
      "The program asks for sm_{}; it is compiled for the device that it finds, compute capability {}.{}.",
      *asked.rbegin(), capability / 10, capability % 10);
}

// Not the device's own
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

}  // namespace warplens::nvcc

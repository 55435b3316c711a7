#include "app/user_program/clang_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string_view>

namespace warplens::nvcc {

namespace {

// What becomes of an option.
enum class Form : uint8_t {
  nothing,   // clang does it by itself, or it concerns only NVIDIA's tools
  fixed,     // the words, parted by blanks
  joined,    // the option, joined with its value
  separate,  // the word, then the value
  split,     // the values themselves, parted by commas
  pairs,     // the option before each of them
  if_true,   // the words where the value is true (or none is given)
  if_false,  // the words where the value is false
};
constexpr unsigned device = 1, host = 2, link = 4, archive = 8;

struct Row {
  std::string_view name;  // nvcc's long one
  Form form;
  unsigned where;
  std::string_view word;
};
// nvcc's list is in nvcc_words.cpp; what is not here is refused.
constexpr Row rows[] = {
    {"--define-macro", Form::joined, device | host, "-D"},
    {"--undefine-macro", Form::joined, device | host, "-U"},
    {"--include-path", Form::joined, device | host, "-I"},
    {"--system-include", Form::separate, device | host, "-isystem"},
    {"--pre-include", Form::separate, device | host, "-include"},
    {"--std", Form::joined, device | host, "-std="},
    {"--ftemplate-depth", Form::joined, device | host, "-ftemplate-depth="},
    {"--optimize", Form::joined, host, "-O"},
    {"--device-debug", Form::fixed, device, "-O0 -g --cuda-noopt-device-debug"},
    {"--use_fast_math", Form::if_true, device, "-ffast-math -fcuda-flush-denormals-to-zero"},
    {"--ftz", Form::if_true, device, "-fcuda-flush-denormals-to-zero"},
    {"--fmad", Form::if_false, device, "-Xclang -ffp-contract=off"},
    {"--compiler-options", Form::split, host | link, ""},
    {"--linker-options", Form::pairs, link, "-Xlinker"},
    {"--archive-options", Form::split, archive, ""},
    {"--disable-warnings", Form::fixed, host, "-w"},
    {"--no-exceptions", Form::fixed, host, "-fno-exceptions"},
    {"--profile", Form::fixed, host | link, "-pg"},
    {"--shared", Form::fixed, link, "-shared"},
    {"--library-path", Form::joined, link, "-L"},
    {"--generate-dependencies-with-compile", Form::fixed, host, "-MD"},
    {"--generate-nonsystem-dependencies-with-compile", Form::fixed, host, "-MMD"},
    {"--generate-dependency-targets", Form::fixed, host, "-MP"},
    {"--dependency-output", Form::separate, host, "-MF"},
    {"--dependency-target-name", Form::separate, host, "-MT"},
    // clang does it in any case.
    {"--debug", Form::nothing, 0, ""},
    {"--generate-line-info", Form::nothing, 0, ""},
    {"--extended-lambda", Form::nothing, 0, ""},
    {"--expt-extended-lambda", Form::nothing, 0, ""},
    {"--expt-relaxed-constexpr", Form::nothing, 0, ""},
    {"--forward-unknown-to-host-compiler", Form::nothing, 0, ""},
    {"--forward-unknown-opts", Form::nothing, 0, ""},
    // Options for NVIDIA's own tools or their messages; they change no result.
    {"--ptxas-options", Form::nothing, 0, ""},
    {"--nvlink-options", Form::nothing, 0, ""},
    {"-Xcudafe", Form::nothing, 0, ""},
    {"-Xfatbin", Form::nothing, 0, ""},
    {"--maxrregcount", Form::nothing, 0, ""},
    {"--prec-div", Form::nothing, 0, ""},
    {"--prec-sqrt", Form::nothing, 0, ""},
    {"--dopt", Form::nothing, 0, ""},
    {"--Ofast-compile", Form::nothing, 0, ""},
    {"--extra-device-vectorization", Form::nothing, 0, ""},
    {"--restrict", Form::nothing, 0, ""},
    {"--threads", Form::nothing, 0, ""},
    {"--split-compile", Form::nothing, 0, ""},
    {"--split-compile-extended", Form::nothing, 0, ""},
    {"--diag-error", Form::nothing, 0, ""},
    {"--diag-suppress", Form::nothing, 0, ""},
    {"--diag-warn", Form::nothing, 0, ""},
    {"--brief-diagnostics", Form::nothing, 0, ""},
    {"--display-error-number", Form::nothing, 0, ""},
    {"--no-display-error-number", Form::nothing, 0, ""},
    {"--Wno-deprecated-gpu-targets", Form::nothing, 0, ""},
    {"--Wreorder", Form::nothing, 0, ""},
    {"--Wmissing-launch-bounds", Form::nothing, 0, ""},
    {"--compress-mode", Form::nothing, 0, ""},
    {"--frandom-seed", Form::nothing, 0, ""},
    {"--resource-usage", Form::nothing, 0, ""},
    {"--optimization-info", Form::nothing, 0, ""},
    {"--source-in-ptx", Form::nothing, 0, ""},
    {"--verbose", Form::nothing, 0, ""},
    {"--static-global-template-stub", Form::nothing, 0, ""},
    {"--device-entity-has-hidden-visibility", Form::nothing, 0, ""},
};

// What becomes a sentence.
struct Left {
  std::string_view name, why;
};
constexpr Left left_out[] = {
    {"--compiler-bindir", "clang compiles the host's code too"},
    {"--keep", "intermediate files are not kept"},
    {"--save-temps", "intermediate files are not kept"},
    {"--keep-dir", "intermediate files are not kept"},
};

std::vector<std::string> parts(std::string_view text, char between) {
  std::vector<std::string> found;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(between, begin), text.size());
    if (end > begin) found.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return found;
}

std::vector<std::string> words_for(const Row& row, const Word& word) {
  const bool is_true = word.value.empty() || word.value == "true";
  switch (row.form) {
    case Form::nothing:
      return {};
    case Form::fixed:
      return parts(row.word, ' ');
    case Form::joined:
      return {std::string(row.word) + word.value};
    case Form::separate:
      return {std::string(row.word), word.value};
    case Form::split:
      return parts(word.value, ',');
    case Form::pairs: {
      std::vector<std::string> words;
      for (std::string& part : parts(word.value, ','))
        words.insert(words.end(), {std::string(row.word), std::move(part)});
      return words;
    }
    case Form::if_true:
      return is_true ? parts(row.word, ' ') : std::vector<std::string>();
    case Form::if_false:
      return is_true ? std::vector<std::string>() : parts(row.word, ' ');
  }
  return {};
}

void add(const std::vector<std::string>& words, unsigned where, ClangWords& made) {
  for (const auto& [bit, to] : {std::pair<unsigned, std::vector<std::string>*>{device, &made.device},
                                {host, &made.host},
                                {link, &made.link},
                                {archive, &made.archive}})
    if ((where & bit) != 0) to->insert(to->end(), words.begin(), words.end());
}

Error refused(const std::string& option) {
  return bad_input(
      fmt::format("{} is an option of nvcc's that clang has not: leave it out, or compile with nvcc "
                  "(WARPLENS_COMPILER=nvrtc).",
                  option));
}

// Those that are not a row of the table. False: none of them.
Result<bool> add_special(const Word& word, ClangWords& made) {
  if (word.name == "--machine") {
    if (word.value != "64") return refused(word.words[0]);
  } else if (word.name == "--x") {
    made.language = word.value;
  } else if (word.name == "--output-directory") {
    made.folder = word.value;
  } else if (word.name == "--default-stream") {
    if (word.value == "per-thread")
      add({"-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1"}, device | host, made);
    else if (word.value != "legacy" && word.value != "null")
      return refused(fmt::format("--default-stream {}", word.value));
  } else if (word.name == "--Werror") {
    if (word.value.find("all-warnings") != std::string::npos) add({"-Werror"}, host, made);
  } else if (word.name == "--library") {
    // The runtime library is ours, and the device's own is in our linker of PTX.
    if (word.value != "cudadevrt" && word.value != "cudart" && word.value != "cudart_static")
      add({"-l" + word.value}, link, made);
  } else {
    return false;
  }
  return true;
}

Result<void> add_option(const Word& word, bool forwards,
                        const std::function<bool(const std::string&)>& is_toolkit, ClangWords& made) {
  // nvcc takes one or two dashes; options that it does not know are passed on, if it is told to.
  if (word.name.empty()) {
    if (!forwards) return refused(word.words[0]);
    add(word.words, host | link, made);
    return {};
  }
  const Result<bool> special = add_special(word, made);
  if (!special) return special.error();
  if (*special) return {};
  for (const Left& left : left_out)
    if (left.name == word.name) {
      made.notes.push_back(fmt::format("{} is left out: {}.", word.words[0], left.why));
      return {};
    }
  const auto* const row = std::ranges::find(rows, word.name, &Row::name);
  if (row == std::end(rows)) return refused(word.words[0]);
  if ((row->word == "-I" || row->word == "-isystem") && is_toolkit && is_toolkit(word.value)) return {};
  add(words_for(*row, word), row->where, made);
  return {};
}

}  // namespace

Result<ClangWords> clang_words(const Command& command,
                               const std::function<bool(const std::string&)>& is_toolkit) {
  const bool forwards = std::ranges::any_of(
      command.words, [](const Word& word) { return word.name.starts_with("--forward-unknown"); });
  ClangWords made;
  for (const Word& word : command.words) {
    const bool is_option =
        word.kind == Kind::other || word.kind == Kind::line_info || word.kind == Kind::link_library;
    if (!is_option) continue;
    if (const Result<void> added = add_option(word, forwards, is_toolkit, made); !added) return added.error();
  }
  return made;
}

}  // namespace warplens::nvcc

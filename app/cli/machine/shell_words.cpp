#include "app/cli/machine/shell_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "app/user_program/program_libraries.h"
#include "core/base/text.h"

namespace warplens {
namespace {

constexpr std::string_view origin_words = "made by `warplens describe";

bool takes_value(const CliOption& option) { return !std::holds_alternative<bool*>(option.value); }

// The first sentence, on one line: what a list has room for.
std::string brief_help(std::string_view help) {
  std::string text = replace_all(std::string(help.substr(0, help.find('\n'))), "\t", " ");
  if (const size_t end = text.find(". "); end != text.npos) text.resize(end);
  if (text.ends_with('.')) text.pop_back();
  return text;
}

std::vector<std::string> all_options(const CliCommand& command) {
  std::vector<std::string> names;
  for (const CliOption& option : command.options)
    for (std::string& name : names_of_option(option.name).options) names.push_back(std::move(name));
  names.emplace_back("--help");
  if (command.name.empty()) names.emplace_back("--version");
  return names;
}

bool takes_kernel(const CliCommand& command) {
  return std::ranges::any_of(command.options, [](const CliOption& option) {
    return !names_of_option(option.name).argument.empty() && option.value_name.starts_with("KERNEL");
  });
}

// What may stand for its arguments, other than files: words that it allows, kernels.
std::vector<std::string> words_of_arguments(const CliCommand& command, std::span<const std::string> kernels) {
  std::vector<std::string> words;
  for (const CliOption& option : command.options)
    if (!names_of_option(option.name).argument.empty())
      words.insert(words.end(), option.allowed.begin(), option.allowed.end());
  if (takes_kernel(command)) words.insert(words.end(), kernels.begin(), kernels.end());
  return words;
}

std::string joined_words(std::span<const std::string> words) {
  return fmt::format("{}", fmt::join(words, " "));
}

}  // namespace

OptionNames names_of_option(std::string_view name) {
  OptionNames names;
  while (!name.empty()) {
    const size_t end = std::min(name.find(','), name.size());
    std::string_view one = name.substr(0, end);
    one = one.substr(0, one.find('{'));
    if (one.starts_with('-'))
      names.options.emplace_back(one);
    else
      names.argument = one;
    name.remove_prefix(std::min(end + 1, name.size()));
  }
  return names;
}

std::string bash_completions(std::span<const CliCommand> commands, std::span<const std::string> kernels) {
  std::string names, options, values;
  for (const CliCommand& command : commands) {
    if (!command.name.empty()) names += (names.empty() ? "" : " ") + command.name;
    std::string words = nvcc::quoted(joined_words(words_of_arguments(command, {})));
    if (takes_kernel(command)) words += "\" $kernels\"";
    options += fmt::format("    {}) options={} words={} ;;\n", nvcc::quoted(command.name),
                           nvcc::quoted(joined_words(all_options(command))), words);
    for (const CliOption& option : command.options) {
      if (!takes_value(option)) continue;
      std::string patterns;
      for (const std::string& name : names_of_option(option.name).options)
        patterns += (patterns.empty() ? "" : "|") + nvcc::quoted(command.name + " " + name);
      if (!patterns.empty())
        values += fmt::format("    {}) values={} ;;\n", patterns, nvcc::quoted(joined_words(option.allowed)));
    }
  }
  return fmt::format(R"(# bash completion for warplens, {} bash`
_warplens() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}}
  local commands={} kernels={}
  local command= options= words= values=none at
  COMPREPLY=()
  for ((at = 1; at < COMP_CWORD; ++at)); do
    [[ ${{COMP_WORDS[at]}} != -- ]] || return 0  # another program's words
    if [[ -z $command && " $commands " == *" ${{COMP_WORDS[at]}} "* ]]; then command=${{COMP_WORDS[at]}}; fi
  done
  case $command in
{}  esac
  case "$command $before" in
{}  esac
  if [[ $values != none ]]; then
    [[ -z $values ]] || mapfile -t COMPREPLY < <(compgen -W "$values" -- "$word")
  elif [[ $word == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
  elif [[ -z $command ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$commands" -- "$word")
  else
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
  fi
}}
complete -o default -F _warplens warplens
)",
                     origin_words, nvcc::quoted(names), nvcc::quoted(joined_words(kernels)), options, values);
}

std::string zsh_completions(std::span<const CliCommand> commands, std::span<const std::string> kernels) {
  // In a specification, brackets and colons have a meaning.
  const auto plain = [](std::string text) {
    for (const char* special : {"\\", "[", "]", ":"})
      text = replace_all(std::move(text), special, std::string("\\") + special);
    return text;
  };
  std::string list, cases, others;
  for (const CliCommand& command : commands) {
    if (!command.name.empty())
      list += fmt::format("    {}\n", nvcc::quoted(command.name + ":" + brief_help(command.help)));
    std::string specs;
    for (const CliOption& option : command.options) {
      const OptionNames names = names_of_option(option.name);
      std::string value;
      if (takes_value(option))
        value = ":" + plain(option.value_name.empty() ? "value" : option.value_name) + ":" +
                (option.allowed.empty() ? "_files" : "(" + joined_words(option.allowed) + ")");
      for (const std::string& name : names.options)
        specs +=
            fmt::format(" \\\n        {}",
                        nvcc::quoted(fmt::format("*{}[{}]{}", name, plain(brief_help(option.help)), value)));
    }
    specs += fmt::format(" \\\n        {}", nvcc::quoted("--help[What the command can do]"));
    const std::vector<std::string> words = words_of_arguments(command, {});
    specs +=
        fmt::format(" \\\n        {}", takes_kernel(command) ? "'*: :_warplens_kernels'"
                                       : words.empty()       ? "'*: :_files'"
                                                       : nvcc::quoted("*: :(" + joined_words(words) + ")"));
    if (!command.name.empty())
      cases += fmt::format("    {})\n      _arguments{} ;;\n", command.name, specs);
    else
      others = fmt::format("    *)\n      _arguments{} ;;\n", specs);
  }
  return fmt::format(R"(#compdef warplens
# zsh completion for warplens, {} zsh`
_warplens_kernels() {{
  local -a kernels=({})
  _alternative 'kernels:kernel:compadd -a kernels' 'files:file:_files'
}}
_warplens() {{
  local -a commands=(
{}  )
  if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then
    _describe command commands
    _files
    return
  fi
  case $words[2] in
{}  esac
}}
_warplens "$@"
)",
                     origin_words, joined_words(kernels), list, cases + others);
}

std::string fish_completions(std::span<const CliCommand> commands, std::span<const std::string> kernels) {
  const auto word = [](std::string_view text) {
    return "'" + replace_all(replace_all(std::string(text), "\\", "\\\\"), "'", "\\'") + "'";
  };
  std::string text = fmt::format("# fish completion for warplens, {} fish`\n", origin_words);
  for (const CliCommand& command : commands) {
    const std::string where =
        command.name.empty() ? "__fish_use_subcommand" : "__fish_seen_subcommand_from " + command.name;
    if (!command.name.empty())
      text += fmt::format("complete -c warplens -n __fish_use_subcommand -a {} -d {}\n", command.name,
                          word(brief_help(command.help)));
    if (const std::vector<std::string> words = words_of_arguments(command, kernels); !words.empty())
      text += fmt::format("complete -c warplens -n {} -a {}\n", word(where), word(joined_words(words)));
    for (const CliOption& option : command.options) {
      std::string names;
      for (const std::string& name : names_of_option(option.name).options)
        names += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      if (names.empty()) continue;
      text += fmt::format("complete -c warplens -n {}{}{}{} -d {}\n", word(where), names,
                          takes_value(option) ? " -r" : "",
                          option.allowed.empty() ? "" : " -f -a " + word(joined_words(option.allowed)),
                          word(brief_help(option.help)));
    }
  }
  return text + "complete -c warplens -l help -d 'What the command can do'\n" +
         "complete -c warplens -n __fish_use_subcommand -l version -d 'The version'\n";
}

namespace {

// Text of a manual page: no character of it is a request.
std::string roff(std::string_view text) {
  std::string result = replace_all(replace_all(std::string(text), "\\", "\\e"), "-", "\\-");
  if (result.starts_with('.') || result.starts_with('\'')) result.insert(0, "\\&");
  return replace_all(replace_all(result, "\n.", "\n\\&."), "\n'", "\n\\&'");
}

std::string option_entry(const CliOption& option) {
  const OptionNames names = names_of_option(option.name);
  std::string head;
  for (const std::string& name : names.options)
    head += (head.empty() ? "" : ", ") + ("\\fB" + roff(name) + "\\fR");
  if (!names.argument.empty())
    head += (head.empty() ? "" : ", or ") +
            ("\\fI" + roff(option.value_name.empty() ? names.argument : option.value_name) + "\\fR");
  else if (takes_value(option))
    head += " \\fI" + roff(option.value_name.empty() ? "VALUE" : option.value_name) + "\\fR";
  std::string help = option.help;
  if (!option.allowed.empty()) help += fmt::format(" ({})", fmt::join(option.allowed, ", "));
  return fmt::format(".TP\n{}\n{}\n", head, roff(help));
}

}  // namespace

std::string manual_page(std::span<const CliCommand> commands, const ManualTexts& texts) {
  std::string text = fmt::format(
      ".\\\" {} man`\n.TH WARPLENS 1 \"\" \"WarpLens {}\" \"User Commands\"\n.SH NAME\nwarplens \\- {}\n"
      ".SH SYNOPSIS\n.B warplens\n[\\fIoptions\\fR] [\\fIfile\\fR]\n.br\n.B warplens\n\\fIcommand\\fR "
      "[\\fIoptions\\fR]\n.SH DESCRIPTION\n{}\n.PP\nWithout a command it opens the window.\n",
      origin_words, roff(texts.version), roff(texts.sentence), roff(texts.summary));
  std::string list;
  for (const CliCommand& command : commands) {
    std::string entries;
    for (const CliOption& option : command.options) entries += option_entry(option);
    if (command.name.empty())
      text += ".SH OPTIONS\n" + entries;
    else
      list += fmt::format(".SS {}\n{}.\n{}", roff(command.name), roff(brief_help(command.help)), entries);
  }
  text += ".SH COMMANDS\n" + list;
  // Its lines are broken where --help breaks them.
  text += ".SH EXAMPLES AND EXIT STATUS\n.nf\n" + roff(texts.footer) + "\n.fi\n";
  return text;
}

}  // namespace warplens

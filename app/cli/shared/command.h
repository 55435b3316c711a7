// A command of the command line as data: its name, its options and its function. Only cli.cpp includes
// CLI11, because the headers of that library take seconds to compile.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/result.h"

namespace warplens {

struct CliOption {
  std::string name;  // "--grid"; "grid" for a positional argument; "--no-x{false}" for a flag that clears
  // The variable for the value. A bool is a flag; a vector takes all occurrences of the option.
  std::variant<bool*, double*, std::string*, std::vector<std::string>*> value;
  std::string help;
  std::string value_name = {};            // for example "X[,Y[,Z]]"
  std::vector<std::string> allowed = {};  // empty if any word is allowed
  std::optional<std::pair<double, double>> range = {};
  bool required = false;
};

struct CliCommand {
  std::string name;  // empty for the program without a command
  std::string help;  // help text of the command; for the program itself, the heading of its options
  std::vector<CliOption> options;
  std::function<Result<void>()> run;  // its error is printed and decides the exit status

  void add(std::vector<CliOption> more) {
    for (CliOption& option : more) options.push_back(std::move(option));
  }
};

}  // namespace warplens

// A command of the command line as data: what it is called, what it takes and what it does. cli.cpp hands it
// to CLI11, and no other file sees that library: its headers take seconds to compile.
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
  std::string name;  // "--grid"; without dashes, a word by its place; "--no-x{false}", a flag that clears
  // Where the value goes. A bool is a flag; a vector takes every occurrence of the option.
  std::variant<bool*, double*, std::string*, std::vector<std::string>*> value;
  std::string help;
  std::string value_name = {};            // as in "X[,Y[,Z]]"
  std::vector<std::string> allowed = {};  // empty: any word
  std::optional<std::pair<double, double>> range = {};
  bool required = false;
};

struct CliCommand {
  std::string name;  // empty: what the program does without a command
  std::string help;  // of a command; of the program itself, the heading over its options
  std::vector<CliOption> options;
  std::function<Result<void>()> run;  // its error is told, and decides the exit status

  void add(std::vector<CliOption> more) {
    for (CliOption& option : more) options.push_back(std::move(option));
  }
};

}  // namespace warplens

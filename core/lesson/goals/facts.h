// The names that expressions in lessons and challenges can use (docs/lessons.md, "Expressions"): names with
// values, and names that are known but have no value yet.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/kernels/catalogue.h"
#include "core/kernels/formula.h"
#include "core/launch/run_result.h"
#include "core/lesson/format/program.h"
#include "core/lesson/format/show.h"

namespace warplens::lesson {

struct Facts {
  Names known;
  std::set<std::string, std::less<>> unknown;  // no value yet
  std::set<std::string, std::less<>> arrays;   // out[8], sum(out); unknown without the functions
  std::function<expression::Value(std::string_view array, uint64_t index)> element;
  std::function<expression::Value(std::string_view array)> total;  // sum(out)

  // Gives the name a value; without one it is unknown. Counts are whole numbers, so the type is a part of it.
  void set(std::string_view name, expression::Value value);
  bool has(std::string_view name) const;
  std::vector<std::string_view> names() const;
};

// The position of the Step view.
struct SteppedTo {
  uint32_t line = 0, active = 0;
  uint64_t position = 0;
  bool end = false;
};

// What the window or a test shows, as far as expressions can use it. A null pointer means not known.
struct Situation {
  const KernelDescription* kernel = nullptr;
  const KernelSetup* setup = nullptr;
  const Device* device = nullptr;
  std::optional<LaunchShape> shape;  // of the setup
  std::optional<Dim3> problem;
  std::shared_ptr<const RunResult> result;  // of the current setup; null until there is one
  std::shared_ptr<const RunResult> baseline;
  std::string view, part;
  uint64_t order = 0;
  uint32_t text_percent = 100, runs = 0;
  bool own_image = false, edited = false;
  std::vector<Target> pins;
  std::optional<SteppedTo> step;
  std::string kernel_name;  // of the built-in kernel; empty for others
  // Of a step with a program: its run, and the one with the work of its streams in another order.
  const ProgramOutcome* program = nullptr;
  const ProgramOutcome* reordered = nullptr;
  std::string prints;  // the lines that it must print
};

Facts facts_of(const Situation& situation);
// Adds the facts of a run, also for goals. `prefix` is added before each name ("reference."). If the result
// is null, they are unknown.
void add_run(Facts& facts, const std::string& prefix, const RunResult* result);
void add_launch(Facts& facts, const std::string& prefix, const std::optional<LaunchShape>& shape);
void add_numbers(Facts& facts, const KernelDescription& kernel, const KernelSetup& setup);
void add_arrays(Facts& facts, const std::shared_ptr<const RunResult>& result);

// The value of an expression. Empty if it uses a name without a value, or if it has none, as 1 / 0. An error
// is the author's mistake: a name that does not exist, or a syntax error.
Result<std::optional<double>> value_of(std::string_view expression, const Facts& facts);
// Of a part of a tree; empty also if it uses a name that does not exist.
std::optional<double> value_of_part(const expression::Tree& tree, uint32_t part, const Facts& facts);
// Whether a condition holds. False if it is not known.
Result<bool> holds(std::string_view condition, const Facts& facts);
// The mistake in an expression with these names, whatever their values; empty if there is none.
std::string mistake_in(std::string_view expression, const Facts& facts);

// The text with {{expression}} replaced by its value, except in fenced code. Unknown values, and expressions
// that begin with a hidden name, become "?".
std::string filled_in(std::string_view text, const Facts& facts, std::span<const std::string> hidden = {});
// The expressions of a text, each with its line.
std::vector<Placed> expressions_in(const Placed& text);
// A number for students: whole numbers have no separators, "157", so that they can be typed; others have four
// digits, "0.25", and from 10,000 on separators in place of a power of ten: "2,702,000".
std::string number_text(double value);
// The text of any number with this many digits.
std::string digits_text(double value, int digits);

// Element `index` of an array; none if there is no such element.
expression::Value element_at(std::span<const std::byte> bytes, DType type, uint64_t index);

}  // namespace warplens::lesson

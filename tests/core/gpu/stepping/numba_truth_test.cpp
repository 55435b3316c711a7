// Programs of numba-cuda (numba/programs.py; numba/make.sh compiled them): each value that stepping shows
// before a line's first instruction equals what print, put there, printed. With WARPLENS_LIST_VARIABLES in
// the environment, what has no value is listed.
#include <fmt/format.h>

#include <bit>
#include <cstdlib>
#include <map>
#include <set>
#include <sstream>

#include "core/base/system/files.h"
#include "core/ptx/parser/parse.h"
#include "tests/core/gpu/stepping/support.h"
#include "tests/paths.h"

namespace warplens {
namespace THIS_FILE {

using stepping::BlockStepper;
using stepping::VariableView;

constexpr uint32_t count_of_threads = 64;

std::string numba_text(const std::string& name) {
  const Result<std::string> text =
      read_text((test_files::source_dir() / "tests/core/gpu/stepping/numba" / name).string(), 1 << 20);
  EXPECT_TRUE(text) << name;
  return text ? *text : std::string();
}

// Numba hands over an array as seven parameters: two objects of the host, counts, the address, shape,
// strides.
void pass_array(LaunchRequest& request, LaunchStep& step, const char* name, const std::vector<int>& data) {
  const auto number = [&](uint64_t value) { step.arguments.emplace_back(ScalarArgument{DType::i64, value}); };
  BufferSpec buffer;
  buffer.name = name;
  buffer.bytes = data.size() * sizeof(int);
  buffer.dtype = DType::i32;
  const auto* first = reinterpret_cast<const std::byte*>(data.data());
  buffer.initial = std::make_shared<Bytes>(first, first + buffer.bytes);
  number(0);
  number(0);
  number(data.size());
  number(sizeof(int));
  step.arguments.emplace_back(BufferArgument{static_cast<uint32_t>(request.buffers.size()), 0});
  number(data.size());
  number(sizeof(int));
  request.buffers.push_back(std::move(buffer));
}

BlockStepper numba_block(const std::string& file) {
  LaunchRequest request;
  auto module = std::make_shared<ModuleText>();
  module->ptx = numba_text(file);
  module->ptx_name = file;
  LaunchStep step;
  const ptx::ParseResult parsed = ptx::parse(module->ptx, file);
  for (const ptx::Function& function : parsed.module->functions)
    if (function.is_entry) step.entry = std::string(function.name);
  request.module = std::move(module);
  request.kernel = file;
  step.grid = {1, 1, 1};
  step.block = {count_of_threads, 1, 1};
  std::vector<int> data(count_of_threads);
  for (size_t i = 0; i < data.size(); ++i) data[i] = static_cast<int>((i * 7919 + 13) % 101) - 40;
  pass_array(request, step, "out", std::vector<int>(count_of_threads));
  pass_array(request, step, "data", data);
  step.arguments.emplace_back(ScalarArgument{DType::i32, count_of_threads});
  request.steps.emplace_back(std::move(step));
  return test::stepper(request);
}

struct NumbaProbe {
  uint32_t line = 0;
  std::string variable;
};

std::vector<NumbaProbe> probes_of(const std::string& program) {
  std::vector<NumbaProbe> probes;
  std::istringstream in(numba_text(program + ".probes"));
  uint32_t number = 0;
  for (NumbaProbe probe; in >> number >> probe.line >> probe.variable;) probes.push_back(probe);
  return probes;
}

using Printed = std::map<std::pair<uint32_t, uint32_t>, std::vector<double>>;  // by probe and thread

Printed printed_by(const std::string& file) {
  BlockStepper stepper = numba_block(file);
  stepper.run({});
  EXPECT_EQ(stepper.end(), stepping::End::finished) << stepper.end_message();
  Printed printed;
  std::istringstream in(stepper.console());
  long long probe = 0, thread = 0, bits = 0;
  while (in >> probe >> thread >> bits)
    printed[{static_cast<uint32_t>(probe), static_cast<uint32_t>(thread)}].push_back(
        std::bit_cast<double>(bits));
  return printed;
}

double number_in(const std::string& text, const std::string& type) {
  if (text == "true") return 1;
  if (text == "false") return 0;
  return type == "float32" ? double{std::strtof(text.c_str(), nullptr)} : std::strtod(text.c_str(), nullptr);
}

struct NumbaTotals {
  uint64_t compared = 0, missing = 0;
  std::set<std::string> without, mixed;
};

class NumbaProgram {
 public:
  NumbaProgram(std::string name, NumbaTotals& totals)
      : m_name(std::move(name)),
        m_totals(totals),
        m_probes(probes_of(m_name)),
        m_printed(printed_by(m_name + ".probed.ptx")) {}

  void run() {
    BlockStepper stepper = numba_block(m_name + ".ptx");
    ASSERT_EQ(stepper.no_variables(), "");
    const std::map<uint32_t, uint32_t> begins = begins_of(stepper);
    while (const std::optional<TraceEntry> next = stepper.next()) {
      if (const auto begin = begins.find(next->instruction); begin != begins.end())
        look(stepper, *next, begin->second);
      stepper.run({.kind = stepping::Goal::Kind::instructions});
    }
    EXPECT_GT(m_compared, 200u) << m_name;
  }

 private:
  // The first instruction of a line is where its code begins in the text. LLVM puts some code of a line
  // before that of the line above, in the same basic block: there, that line has not run yet. Such lines are
  // left out.
  std::map<uint32_t, uint32_t> begins_of(const BlockStepper& stepper) {
    std::map<uint32_t, uint32_t> begins;  // instruction, line
    std::set<uint32_t> seen;
    const auto& block_of = stepper.table().program().flow.block_of;
    for (uint32_t i = 0; i < stepper.table().instructions(); ++i) {
      const uint32_t line = stepper.place(i).line;
      if (stepper.place(i).file != "programs.py" || !seen.insert(line).second) continue;
      bool mixed = false;
      for (uint32_t k = i; k < stepper.table().instructions() && block_of[k] == block_of[i]; ++k)
        mixed = mixed || (stepper.place(k).line != 0 && stepper.place(k).line < line);
      if (mixed)
        m_totals.mixed.insert(fmt::format("{} line {}", m_name, line));
      else
        begins[i] = line;
    }
    return begins;
  }

  void look(const BlockStepper& stepper, const TraceEntry& next, uint32_t line) {
    for (uint32_t p = 0; p < m_probes.size(); ++p) {
      if (m_probes[p].line != line) continue;
      const auto view = stepper.find_variable(next.warp, m_probes[p].variable, next.active);
      for (uint32_t rest = next.active; rest != 0; rest &= rest - 1)
        look_at(stepper, next.warp, p, view, static_cast<uint32_t>(std::countr_zero(rest)));
    }
  }

  void look_at(const BlockStepper& stepper, uint32_t warp, uint32_t p,
               const std::optional<VariableView>& view, uint32_t lane) {
    const NumbaProbe& probe = m_probes[p];
    const uint32_t thread = warp * warp_lanes + lane;
    const size_t time = m_times[{p, thread}]++;
    const auto all = m_printed.find({p, thread});
    ASSERT_TRUE(all != m_printed.end() && time < all->second.size())
        << m_name << " line " << probe.line << " " << probe.variable << " of thread " << thread;
    if (!view || (view->has >> lane & 1) == 0) {
      ++m_totals.missing;
      m_totals.without.insert(fmt::format("{} line {} {}: {}", m_name, probe.line, probe.variable,
                                          view ? stepper.text_of(warp, *view, lane) : "not in scope"));
      return;
    }
    ++m_totals.compared;
    ++m_compared;
    const std::string text = stepper.text_of(warp, *view, lane);
    EXPECT_EQ(number_in(text, view->type), all->second[time])
        << m_name << " line " << probe.line << " " << probe.variable << " of thread " << thread << " at time "
        << time << " as " << view->type << " " << text;
  }

  std::string m_name;
  NumbaTotals& m_totals;
  std::vector<NumbaProbe> m_probes;
  Printed m_printed;
  std::map<std::pair<uint32_t, uint32_t>, size_t> m_times;
  uint64_t m_compared = 0;
};

TEST(VariablesOfNumba, AreWhatPrintPrints) {
  NumbaTotals totals;
  for (const char* program : {"loops", "choices", "early", "arrays", "nested", "widths"})
    NumbaProgram(program, totals).run();
  // Numba describes no variables of for loops, no targets of tuples, and few booleans.
  EXPECT_LT(static_cast<double>(totals.missing), 0.2 * static_cast<double>(totals.compared + totals.missing));
  EXPECT_LE(totals.mixed.size(), 8u);
  if (std::getenv("WARPLENS_LIST_VARIABLES") == nullptr) return;
  for (const std::string& one : totals.mixed) fmt::print("  {} has code before the line above\n", one);
  fmt::print("{} values, {} without\n", totals.compared, totals.missing);
  for (const std::string& one : totals.without) fmt::print("  {}\n", one);
}

}  // namespace THIS_FILE
}  // namespace warplens

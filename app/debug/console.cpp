// Commands of the debugger's console, for editors without buttons for them: ":back", ":focus block 3".
#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "app/debug/places.h"
#include "app/debug/session.h"
#include "core/base/text.h"

namespace warplens::dap {

namespace {

constexpr const char* help =
    ":back [N]                step back by a line, or by N lines\n"
    ":back-instruction [N]    the same by instructions of the PTX\n"
    ":reverse                 back to the last breakpoint, or to the start of the block\n"
    ":start, :end             to the start or the end of the block\n"
    ":position [N]            where the block is, or go there\n"
    ":focus block X[,Y[,Z]]   another block, from its start; also with thread X[,Y[,Z]], or warp N lane N\n"
    ":focus thread X[,Y[,Z]]  another thread of this block\n"
    ":focus launch N          another launch, counted from 0\n"
    ":launches                what is launched\n"
    ":counters                what the whole launch counted in each line\n"
    ":writer PLACE            back to the thread that wrote it last: a variable in memory, or an element\n"
    ":next-write PLACE        on to the thread that writes it next\n"
    ":lanes EXPRESSION        its values in all lanes of the warp\n";

std::optional<uint64_t> number_of(std::string_view word) {
  if (!is_digits(word) || word.size() > 18) return std::nullopt;
  return std::stoull(std::string(word));
}

struct Focus {
  std::optional<Dim3> block, thread;
  std::optional<uint64_t> launch, warp, lane;
};

Result<Focus> focus_of(const std::vector<std::string>& words) {
  Focus focus;
  for (size_t i = 1; i < words.size(); i += 2) {
    const std::string& what = words[i];
    const std::string value = i + 1 < words.size() ? words[i + 1] : "";
    const bool known =
        what == "block" || what == "thread" || what == "launch" || what == "warp" || what == "lane";
    const auto place = parse_place(value);
    if (!known || !place)
      return bad_input(
          ":focus: write block X[,Y[,Z]], thread X[,Y[,Z]], warp N, lane N or launch N, as in :focus block 3 "
          "thread 5");
    if (what == "block") focus.block = place;
    if (what == "thread") focus.thread = place;
    if (what == "launch") focus.launch = place->x;
    if (what == "warp") focus.warp = place->x;
    if (what == "lane") focus.lane = place->x;
  }
  return focus;
}

}  // namespace

Session::Answer Session::console(std::string_view text, uint32_t thread,
                                 const std::optional<stepping::FrameView>& frame,
                                 const std::stop_token& stop) {
  Debuggee& debuggee = *m_debuggee;
  std::vector<std::string> words;
  std::istringstream stream{std::string(text)};
  for (std::string word; stream >> word;) words.push_back(word);
  const std::string& name = words[0];
  const std::string rest(trimmed(text.substr(name.size())));
  const auto says = [](const std::string& result) {
    return Json{{"result", result}, {"variablesReference", 0}};
  };
  const auto moves = [&](const auto& move) -> Answer {
    answer_now(says(""));
    stopped(move());
    return Json::object();
  };
  const auto count = [&]() -> uint64_t {
    return std::clamp<uint64_t>(number_of(rest).value_or(1), 1, 100'000);
  };
  const auto repeats = [&](bool instruction) {
    return moves([&, times = count()] {
      Halt halt;
      for (uint64_t i = 0; i < times && !stop.stop_requested(); ++i) {
        halt = debuggee.step_back(instruction, debuggee.thread(), stop);
        if (debuggee.stepper().position() == 0) break;
      }
      return halt;
    });
  };
  if (name == ":help") return says(help);
  if (name == ":back") {
    debuggee.choose_thread(thread);
    return repeats(false);
  }
  if (name == ":back-instruction") {
    debuggee.choose_thread(thread);
    return repeats(true);
  }
  if (name == ":reverse") return moves([&] { return debuggee.run_back(stop); });
  if (name == ":start") return moves([&] { return debuggee.go_to_position(0, stop); });
  if (name == ":end") return moves([&] { return debuggee.go_to_position(UINT64_MAX, stop); });
  if (name == ":position") {
    const stepping::BlockStepper& stepper = debuggee.stepper();
    const auto position = number_of(rest);
    if (!rest.empty() && !position) return bad_input(":position: write a number of instructions");
    if (position) return moves([&] { return debuggee.go_to_position(*position, stop); });
    return says(fmt::format("position {}{} of block {}, launch {}", stepper.position(),
                            stepper.length() ? fmt::format(" of {}", *stepper.length()) : "",
                            text_of(stepper.block()), debuggee.launch_number()));
  }
  if (name == ":launches") {
    std::string all;
    for (size_t i = 0; i < debuggee.target().launches.size(); ++i)
      all += fmt::format("{}{} {}\n", i == debuggee.launch_number() ? "* " : "  ", i,
                         debuggee.target().launches[i].title);
    return says(all);
  }
  if (name == ":counters") {
    const Result<std::vector<LineCounters>> counted = debuggee.line_counters(stop);
    if (!counted) return counted.error();
    std::string all;
    for (const LineCounters& line : *counted)
      all += fmt::format("{}:{}  {}\n", line.file, line.line, words_of(line));
    return says(all);
  }
  if (name == ":lanes") {
    const uint32_t warp = thread / warp_lanes, live = debuggee.stepper().warp(warp).live;
    const stepping::FrameView* at = frame ? &*frame : nullptr;
    const auto view = debuggee.stepper().find_part(warp, rest, live, at);
    const auto values = view ? Result<std::vector<expression::Value>>(std::vector<expression::Value>())
                             : debuggee.stepper().evaluate(warp, rest, live, at);
    if (!values) return values.error();
    std::vector<std::string> texts;
    for (uint32_t lane = 0; lane < warp_lanes; ++lane)
      if ((live >> lane & 1) != 0)
        texts.push_back(view ? debuggee.stepper().text_of(warp, *view, lane)
                             : expression::text_of((*values)[lane]));
    return says(fmt::format("warp {}: {}", warp, folded(texts)));
  }
  if (name == ":writer" || name == ":next-write") {
    const Result<Watched> place = m_values.watched(debuggee, 0, rest, thread);
    if (!place) return place.error();
    if (!place->space)
      return bad_input(fmt::format(
          "{} is no place in memory that threads share: set a data breakpoint on it, then :reverse.", rest));
    return moves([&, back = name == ":writer"] {
      return debuggee.go_to_write(*place->space, place->address, place->bytes, back, stop);
    });
  }
  if (name == ":focus") {
    const Result<Focus> focus = focus_of(words);
    if (!focus) return focus.error();
    const uint64_t launch = focus->launch.value_or(debuggee.launch_number());
    if (focus->block || launch != debuggee.launch_number()) {
      const Result<void> opened =
          debuggee.focus(static_cast<size_t>(launch), focus->block.value_or(Dim3{0, 0, 0}), stop);
      if (!opened) return opened.error();
    }
    const Dim3 extent = debuggee.stepper().launch().block;
    uint64_t chosen = debuggee.thread();
    if (focus->thread) {
      const Dim3 at = *focus->thread;
      if (at.x >= extent.x || at.y >= extent.y || at.z >= extent.z)
        return bad_input(
            fmt::format(":focus: the block has {} × {} × {} threads", extent.x, extent.y, extent.z));
      chosen = linear_index(at, extent);
    } else if (focus->warp || focus->lane) {
      chosen = focus->warp.value_or(chosen / warp_lanes) * warp_lanes + focus->lane.value_or(0);
    }
    if (chosen >= debuggee.threads())
      return bad_input(fmt::format(":focus: the block has {} threads", debuggee.threads()));
    debuggee.choose_thread(static_cast<uint32_t>(chosen));
    return moves([] { return Halt{.why = Halt::Why::moved}; });
  }
  return bad_input(fmt::format("The command \"{}\" is not known. There are:\n{}", name.substr(0, 40), help));
}

}  // namespace warplens::dap

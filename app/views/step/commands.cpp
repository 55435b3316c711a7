#include "app/views/step/commands.h"

#include <algorithm>

namespace warplens {
namespace {

constexpr KeyPress key(std::string_view name) { return {false, false, name, false}; }
constexpr KeyPress shift(std::string_view name) { return {false, true, name, false}; }
constexpr KeyPress alt(std::string_view name) { return {false, false, name, true}; }
constexpr KeyPress ctrl(std::string_view name) { return {true, false, name, false}; }

constexpr StepCommand rows[] = {
    // Move.
    {StepVerb::move, StepMoveKind::back_line, "◀", "Back by a line of the shown warp", shift("F10"), "◀"},
    {StepVerb::move, StepMoveKind::line, "line ▶", "To the next line of the shown warp", key("F10"), "▶"},
    {StepVerb::move, StepMoveKind::over, "over", "To the next line, past the functions that this one calls",
     ctrl("F10")},
    {StepVerb::move, StepMoveKind::instruction, "instr.",
     "The next instruction, of the warp whose turn it is", alt("F10")},
    {StepVerb::move,
     StepMoveKind::back_instruction,
     "",
     "Back by an instruction",
     {false, true, "F10", true}},
    {StepVerb::move, StepMoveKind::this_warp, "this warp",
     "An instruction of the shown warp, though another has its turn", key("T")},
    // Play.
    {StepVerb::play, StepMoveKind::look, "play", "One line after the other", key("P"), "play", true},
    {StepVerb::slower, StepMoveKind::look, "–", "Half as many lines a second", key(",")},
    {StepVerb::faster, StepMoveKind::look, "+", "Twice as many lines a second", key(".")},
    // Jump.
    {StepVerb::start, StepMoveKind::look, "|◀", "Back to the block's start", key("Home"), "", true},
    {StepVerb::move, StepMoveKind::last_stop, "◀ stop", "Back to the breakpoint before", shift("F8")},
    {StepVerb::move, StepMoveKind::next_stop, "stop ▶", "To the next breakpoint", key("F8"), "stop ▶"},
    {StepVerb::move, StepMoveKind::to_end, "▶|", "To the block's end", key("End")},
    // Search.
    {StepVerb::move, StepMoveKind::barrier, "barrier", "To the next __syncthreads() of any warp", key("Y"),
     "", true},
    {StepVerb::move, StepMoveKind::divergence, "divergence", "To where the lanes of a warp part", key("D")},
    {StepVerb::move, StepMoveKind::conflict, "conflict", "To an access with bank conflicts", key("C")},
    {StepVerb::move, StepMoveKind::who_wrote, "writer", "Who wrote it? Back to the write of the chosen value",
     key("U")},
    {StepVerb::move, StepMoveKind::next_write, "next write", "To the next write of the chosen value",
     key("N")},
    {StepVerb::order, StepMoveKind::look, "", "Another order of warps and paths, by the next seed", key("O")},
    {StepVerb::in_turn, StepMoveKind::look, "", "The ordinary order again", shift("O")},
    {StepVerb::launch, StepMoveKind::look, "", "The next launch of the request", key("G")},
    {StepVerb::earlier, StepMoveKind::look, "", "Let the blocks before this one run first, or not", key("E")},
    {StepVerb::break_here, StepMoveKind::look, "", "Set or clear a breakpoint on the current line",
     key("F9")},
    {StepVerb::condition, StepMoveKind::look, "", "Write the condition of the current line's breakpoint",
     shift("F9")},
    {StepVerb::next_lane, StepMoveKind::look, "", "The next lane", key("L")},
    {StepVerb::lane_before, StepMoveKind::look, "", "The lane before", shift("L")},
    {StepVerb::next_warp, StepMoveKind::look, "", "The next warp", key("W")},
    {StepVerb::warp_before, StepMoveKind::look, "", "The warp before", shift("W")},
    {StepVerb::more, StepMoveKind::look, "", "All buttons, where there is little room", key("M"), "more"},
    {StepVerb::ptx, StepMoveKind::look, "", "The PTX, or the source again", key("X")},
};

}  // namespace

std::span<const StepCommand> step_commands() { return rows; }

const StepCommand& step_command(StepVerb verb, StepMoveKind move) {
  const auto* found = std::ranges::find_if(
      rows, [&](const StepCommand& row) { return row.verb == verb && row.move == move; });
  return found == std::end(rows) ? rows[0] : *found;
}

Click click_of(const StepCommand& command) {
  return command.verb == StepVerb::move ? Click(command.verb, static_cast<uint64_t>(command.move))
                                        : Click(command.verb);
}

}  // namespace warplens

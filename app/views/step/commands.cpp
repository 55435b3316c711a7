#include "app/views/step/commands.h"

#include <algorithm>

#include "app/views/step/picture.h"

namespace warplens {
namespace {

constexpr KeyPress key(std::string_view name) { return {false, false, name, false}; }
constexpr KeyPress shift(std::string_view name) { return {false, true, name, false}; }
constexpr KeyPress alt(std::string_view name) { return {false, false, name, true}; }
constexpr KeyPress ctrl(std::string_view name) { return {true, false, name, false}; }

// Those of a move are "do:" and the number of its StepMoveKind, which commands_test.cpp holds against it.
constexpr StepCommand rows[] = {
    // Move.
    {"do:3", "◀", "Back by a line of the shown warp", shift("F10"), "◀"},
    {"do:1", "line ▶", "To the next line of the shown warp", key("F10"), "▶"},
    {"do:2", "over", "To the next line, past the functions that this one calls", ctrl("F10")},
    {"do:4", "instr.", "The next instruction, of the warp whose turn it is", alt("F10")},
    {"do:5", "", "Back by an instruction", {false, true, "F10", true}},
    {"do:6", "this warp", "An instruction of the shown warp, though another has its turn", key("T")},
    // Play.
    {step_play_id, "play", "One line after the other", key("P"), "play", true},
    {step_slower_id, "–", "Half as many lines a second", key(",")},
    {step_faster_id, "+", "Twice as many lines a second", key(".")},
    // Jump.
    {step_start_id, "|◀", "Back to the block's start", key("Home"), "", true},
    {"do:16", "◀ stop", "Back to the breakpoint before", shift("F8")},
    {"do:15", "stop ▶", "To the next breakpoint", key("F8"), "stop ▶"},
    {"do:12", "▶|", "To the block's end", key("End")},
    // Search.
    {"do:7", "barrier", "To the next __syncthreads() of any warp", key("Y"), "", true},
    {"do:8", "divergence", "To where the lanes of a warp part", key("D")},
    {"do:9", "conflict", "To an access with bank conflicts", key("C")},
    {"do:13", "writer", "Who wrote it? Back to the write of the chosen value", key("U")},
    {"do:14", "next write", "To the next write of the chosen value", key("N")},
    {step_order_id, "", "Another order of warps and paths, by the next seed", key("O")},
    {step_in_turn_id, "", "The ordinary order again", shift("O")},
    {step_launch_id, "", "The next launch of the request", key("G")},
    {step_earlier_id, "", "Let the blocks before this one run first, or not", key("E")},
    {"break", "", "Set or clear a breakpoint on the current line", key("F9")},
    {"condition", "", "Write the condition of the current line's breakpoint", shift("F9")},
    {"next lane", "", "The next lane", key("L")},
    {"lane before", "", "The lane before", shift("L")},
    {"next warp", "", "The next warp", key("W")},
    {"warp before", "", "The warp before", shift("W")},
    {step_more_id, "", "All buttons, where there is little room", key("M"), "more"},
    {step_ptx_id, "", "The PTX, or the source again", key("X")},
};

}  // namespace

std::span<const StepCommand> step_commands() { return rows; }

const StepCommand& step_command(std::string_view id) {
  const auto* found = std::ranges::find(rows, id, &StepCommand::id);
  return found == std::end(rows) ? rows[0] : *found;
}

}  // namespace warplens

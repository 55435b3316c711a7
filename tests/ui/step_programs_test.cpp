// The Step view with programs of each kind: what is shown are the values that the program has there.
#include <filesystem>

#include "core/base/system/files.h"
#include "core/compile/compiler.h"
#include "tests/paths.h"
#include "tests/ui/driver.h"

namespace warplens {
namespace THIS_FILE {

namespace fs = std::filesystem;

class StepPrograms : public WindowTest {};

const StepSnapshot& seen(Driver& d) { return *d.state().step.shown; }

bool is_at_rest(Driver& d) {
  const StepState& step = d.state().step;
  return step.shown && step.shown->timeline && !step.moving && step.moves.empty();
}

// Runs what is chosen, and opens the block that the view takes by itself.
bool open_view(Driver& d) {
  if (!d.wait_for_result()) return false;
  d.shell.actions().push(ShowView{View::step});
  return d.wait_until([&] { return is_at_rest(d); }, 60);
}
bool open_kernel(Driver& d, const char* kernel) {
  if (!d.wait_for_result()) return false;
  d.shell.actions().push(ChooseKernel{kernel});
  return open_view(d);
}
bool open_source(Driver& d, const std::string& path) {
  if (!d.wait_for_result()) return false;
  d.shell.actions().push(OpenFile{path});
  d.ui->Yield(2);
  return open_view(d);
}

bool pin_block(Driver& d, Dim3 block, Dim3 thread) {
  Pick pick;
  pick.block = block;
  pick.thread = thread;
  d.shell.actions().push(Pin{pick});
  return d.wait_until([&] { return d.state().step.block == block && is_at_rest(d); }, 60);
}

bool move_by(Driver& d, StepMoveKind kind, uint64_t value = 0) {
  const auto before = d.state().step.shown;
  StepMove move;
  move.kind = kind;
  move.warp = before->warp;
  move.value = value;
  d.shell.actions().push(StepBy{move});
  return d.wait_until([&] { return d.state().step.shown != before && is_at_rest(d); }, 60);
}

bool choose_frame(Driver& d, const std::string& item) {
  const auto before = d.state().step.shown;
  d.ui->ItemClick(("//###step/" + item).c_str());
  return d.wait_until([&] { return d.state().step.shown != before && is_at_rest(d); }, 60);
}

// The value of a variable in a lane of the shown warp: of several with the name, the innermost.
std::string value_of(Driver& d, const std::string& name, uint32_t lane) {
  const StepValue* found = nullptr;
  for (const StepValue& value : seen(d).variables)
    if (value.name == name && (value.set >> lane & 1) != 0) found = &value;
  return found == nullptr ? "none" : found->lanes[lane];
}

std::string temporary_source(const char* name, const char* text) {
  const fs::path path = fs::path(testing::TempDir()) / name;
  EXPECT_TRUE(write_text(path.string(), text));
  return path.string();
}

bool lacks_compiler() { return !compiler_version().ok(); }

TEST_F(StepPrograms, VectorAddLeavesItsTailOut) {
  if (lacks_compiler()) GTEST_SKIP() << "there is no NVRTC here";
  drive([](Driver& d) {
    ASSERT_TRUE(open_kernel(d, "vector_add"));
    ASSERT_TRUE(pin_block(d, {39, 0, 0}, {0, 0, 0}));
    ASSERT_TRUE(move_by(d, StepMoveKind::to_line, 6));
    EXPECT_EQ(value_of(d, "i", 0), "9984");
    EXPECT_EQ(value_of(d, "i", 31), "10015");
    EXPECT_EQ(value_of(d, "n", 5), "10000");
    ASSERT_TRUE(move_by(d, StepMoveKind::divergence));
    EXPECT_EQ(seen(d).next->active, 0xffffu) << "16 threads are before the end";
    d.screenshot("step_tail_1920x1080_dark");
  });
}

TEST_F(StepPrograms, MandelbrotPartsItsLanes) {
  if (lacks_compiler()) GTEST_SKIP() << "there is no NVRTC here";
  drive([](Driver& d) {
    ASSERT_TRUE(open_kernel(d, "mandelbrot"));
    ASSERT_TRUE(pin_block(d, {41, 20, 0}, {0, 0, 0})) << "at the edge of the set";
    ASSERT_TRUE(move_by(d, StepMoveKind::divergence));
    ASSERT_TRUE(seen(d).next.has_value());
    EXPECT_NE(seen(d).next->active, 0xffffffffu);
    EXPECT_NE(seen(d).next->active, 0u);
    EXPECT_EQ(value_of(d, "x", 3), "659") << "block 41 of 16 threads, lane 3";
    EXPECT_GT(seen(d).warps[seen(d).warp].paths.size(), 1u);
    d.screenshot("step_mandelbrot_1920x1080_dark");
  });
}

TEST_F(StepPrograms, ReduceSharedWaitsAndHalves) {
  if (lacks_compiler()) GTEST_SKIP() << "there is no NVRTC here";
  drive([](Driver& d) {
    ASSERT_TRUE(open_kernel(d, "reduce_shared"));
    ASSERT_TRUE(move_by(d, StepMoveKind::to_line, 14));
    EXPECT_EQ(value_of(d, "active", 0), "256");
    EXPECT_EQ(value_of(d, "half", 0), "128");
    ASSERT_TRUE(move_by(d, StepMoveKind::to_line, 14));
    EXPECT_EQ(value_of(d, "active", 0), "128");
    EXPECT_EQ(value_of(d, "half", 31), "64");
    ASSERT_EQ(seen(d).arrays.size(), 1u);
    EXPECT_EQ(seen(d).arrays[0].array.name, "values");
    d.screenshot("step_tree_1920x1080_dark");
  });
}

TEST_F(StepPrograms, TransposeTiledMeetsAllOfItsBanks) {
  if (lacks_compiler()) GTEST_SKIP() << "there is no NVRTC here";
  drive([](Driver& d) {
    ASSERT_TRUE(open_kernel(d, "transpose_tiled"));
    ASSERT_TRUE(move_by(d, StepMoveKind::conflict));
    ASSERT_EQ(seen(d).access.accesses.size(), 1u);
    EXPECT_EQ(seen(d).access.accesses[0].wavefronts, 32u);
    EXPECT_EQ(seen(d).access.accesses[0].source_line, 14u);
    EXPECT_EQ(value_of(d, "out_x", 7), "7");
    EXPECT_EQ(value_of(d, "tile", 0), "32");
    d.screenshot("step_banks_1920x1080_dark");
  });
}

TEST_F(StepPrograms, PrefixSumComesToItsEnd) {
  if (lacks_compiler()) GTEST_SKIP() << "there is no NVRTC here";
  drive([](Driver& d) {
    ASSERT_TRUE(open_kernel(d, "prefix_sum"));
    ASSERT_TRUE(move_by(d, StepMoveKind::barrier));
    EXPECT_FALSE(seen(d).variables.empty());
    d.screenshot("step_prefix_sum_1920x1080_dark");
    ASSERT_TRUE(move_by(d, StepMoveKind::to_end));
    EXPECT_EQ(seen(d).end, stepping::End::finished);
    ASSERT_TRUE(move_by(d, StepMoveKind::to_position, 1));
    EXPECT_EQ(seen(d).position, 1u);
  });
}

// Without the barrier, warp 0 reads what warp 1 has not written yet.
TEST_F(StepPrograms, AMissingBarrierShowsWhatIsNotThereYet) {
  if (lacks_compiler()) GTEST_SKIP() << "there is no NVRTC here";
  const std::string path = temporary_source("warplens_step_race.cu",
                                            "extern \"C\" __global__ void race(int* out) {\n"
                                            "  __shared__ int tile[64];\n"
                                            "  int t = threadIdx.x;\n"
                                            "  tile[t] = t + 100;\n"
                                            "  int other = tile[63 - t];\n"
                                            "  out[blockIdx.x * 64 + t] = other;\n"
                                            "}\n");
  drive([&](Driver& d) {
    ASSERT_TRUE(d.wait_for_result());
    d.shell.actions().push(OpenFile{path});
    d.ui->Yield(2);
    ASSERT_TRUE(d.wait_for_result());
    d.shell.actions().push(SetBlock{{64, 1, 1}});
    ASSERT_TRUE(open_view(d));
    ASSERT_TRUE(move_by(d, StepMoveKind::to_line, 6));
    EXPECT_EQ(value_of(d, "t", 4), "4");
    EXPECT_EQ(value_of(d, "other", 4), "0") << "warp 1 has not written tile[59]";
    d.screenshot("step_race_1920x1080_dark");
  });
}

TEST_F(StepPrograms, ADeadlockEndsWhereLanesWait) {
  if (lacks_compiler()) GTEST_SKIP() << "there is no NVRTC here";
  const std::string path = temporary_source("warplens_step_deadlock.cu",
                                            "extern \"C\" __global__ void stuck(int* out) {\n"
                                            "  int t = threadIdx.x;\n"
                                            "  if (t < 16) {\n"
                                            "    __syncwarp(0xffffffff);\n"
                                            "  } else {\n"
                                            "    asm volatile(\"bar.sync 1, 64;\");\n"
                                            "  }\n"
                                            "  out[t] = t;\n"
                                            "}\n");
  drive([&](Driver& d) {
    ASSERT_TRUE(d.wait_for_result());
    d.shell.actions().push(OpenFile{path});
    d.ui->Yield(2);
    ASSERT_TRUE(d.wait_for_result());
    d.shell.actions().push(SetBlock{{32, 1, 1}});
    ASSERT_TRUE(open_view(d));
    ASSERT_TRUE(move_by(d, StepMoveKind::to_end));
    EXPECT_EQ(seen(d).end, stepping::End::fault);
    EXPECT_FALSE(seen(d).message.empty());
    EXPECT_EQ(value_of(d, "t", 20), "20");
    d.screenshot("step_deadlock_1920x1080_dark");
  });
}

TEST_F(StepPrograms, AFaultHasTheVariablesThatCausedIt) {
  if (lacks_compiler()) GTEST_SKIP() << "there is no NVRTC here";
  drive([](Driver& d) {
    ASSERT_TRUE(open_kernel(d, "vector_add_unchecked"));
    EXPECT_EQ(d.state().step.block, (Dim3{39, 0, 0})) << "the block of the fault";
    ASSERT_TRUE(move_by(d, StepMoveKind::to_end));
    EXPECT_EQ(seen(d).end, stepping::End::fault);
    EXPECT_EQ(seen(d).line, 6u);
    EXPECT_EQ(value_of(d, "i", 16), "10000") << "the first index behind the end";
    d.screenshot("step_out_of_bounds_1920x1080_dark");
  });
}

TEST_F(StepPrograms, RecursionHasTheValuesOfItsActivation) {
  if (lacks_compiler()) GTEST_SKIP() << "there is no NVRTC here";
  drive([](Driver& d) {
    ASSERT_TRUE(open_kernel(d, "lucas_recursive"));
    ASSERT_TRUE(move_by(d, StepMoveKind::to_line, 5));
    EXPECT_EQ(value_of(d, "i", 9), "9");
    ASSERT_TRUE(move_by(d, StepMoveKind::to_line, 6));
    EXPECT_EQ(value_of(d, "i", 9), "9");
    ASSERT_TRUE(move_by(d, StepMoveKind::to_line, 5));
    EXPECT_EQ(value_of(d, "i", 9), "8") << "the first call is of i - 1";
    // Each level has its own values; the step's last choice is gone with the next step.
    d.shell.actions().push(ShowLane{9});
    d.ui->Yield(2);
    for (const auto& [frame, i] : {std::pair{"frame:1", "9"}, {"frame:2", "9"}, {"frame:0", "8"}}) {
      ASSERT_TRUE(choose_frame(d, frame));
      EXPECT_EQ(value_of(d, "i", 9), i) << frame;
    }
    ASSERT_TRUE(choose_frame(d, "frame:1"));
    ASSERT_TRUE(seen(d).frame);
    EXPECT_EQ(seen(d).frame->function, "lucas_number");
    d.screenshots("step_recursion");
    ASSERT_TRUE(move_by(d, StepMoveKind::line));
    EXPECT_FALSE(seen(d).frame);
  });
}

TEST_F(StepPrograms, StructuresAndLocalArraysHaveTheirParts) {
  if (lacks_compiler()) GTEST_SKIP() << "there is no NVRTC here";
  const std::string path = temporary_source("warplens_step_parts.cu",
                                            "struct Point { float x; int tag[2]; };\n"
                                            "extern \"C\" __global__ void parts(float* out) {\n"
                                            "  int i = threadIdx.x;\n"
                                            "  Point p = {i * 0.5f, {i, -i}};\n"
                                            "  int list[3];\n"
                                            "  for (int k = 0; k < 3; ++k) list[k] = i * k;\n"
                                            "  p.x += list[2];\n"
                                            "  out[i] = p.x + p.tag[1];\n"
                                            "}\n");
  drive([&](Driver& d) {
    ASSERT_TRUE(open_source(d, path));
    ASSERT_TRUE(move_by(d, StepMoveKind::to_line, 8));
    EXPECT_EQ(value_of(d, "p", 6), "{x = 15, tag = {6, -6}}");
    EXPECT_EQ(value_of(d, "list", 6), "{0, 6, 12}");
    d.screenshot("step_parts_of_structures_1920x1080_dark");
  });
}

// PTX of numba-cuda says where its variables are. Alone it has no arrays to work on, so it is stepped to
// where it reads one.
TEST_F(StepPrograms, NumbasPtxHasNames) {
  drive([](Driver& d) {
    ASSERT_TRUE(d.wait_for_result());
    d.shell.actions().push(
        OpenFile{(test_files::source_dir() / "tests/core/gpu/stepping/numba/loops.ptx").string()});
    d.ui->Yield(2);
    ASSERT_TRUE(open_view(d));
    EXPECT_EQ(seen(d).no_variables, "");
    ASSERT_TRUE(move_by(d, StepMoveKind::to_line, 8));
    EXPECT_EQ(value_of(d, "i", 21), "21");
    EXPECT_EQ(value_of(d, "total", 3), "0");
    d.screenshot("step_numba_1920x1080_dark");
  });
}

}  // namespace THIS_FILE
}  // namespace warplens

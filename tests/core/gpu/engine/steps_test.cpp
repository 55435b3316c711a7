// Sequences of steps over named buffers, arguments, module variables, and what a run records.
#include <algorithm>
#include <numeric>

#include "core/gpu/engine/replay.h"
#include "tests/core/gpu/engine/support.h"

namespace warplens::test {
namespace THIS_FILE {

const std::string add_one =
    "mov.u32 %r0, %tid.x; mad.wide.u32 %d0, %r0, 4, %p0; ld.global.u32 %r1, [%d0]; add.u32 %r1, %r1, 1; "
    "st.global.u32 [%d0], %r1; ret;";

std::string error_of(const Request& request) {
  const auto result = request.run();
  return result.ok() ? "" : result.error().message;
}

LaunchStep launch_of(const std::string& entry, std::vector<Argument> arguments) {
  LaunchStep step;
  step.entry = entry;
  step.block = {4, 1, 1};
  step.arguments = std::move(arguments);
  return step;
}

TEST(Steps, LaunchesShareDataOnTheDevice) {
  Request request(kernel("add", 1, add_one));
  request.buffer("x", std::vector<uint32_t>{1, 2, 3, 4})
      .launch("add", {1, 1, 1}, {4, 1, 1})
      .launch("add", {1, 1, 1}, {4, 1, 1});
  const auto result = request.run();
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_EQ(output<uint32_t>(*result, 0), (std::vector<uint32_t>{3, 4, 5, 6}));
  EXPECT_EQ(result->counters->global_load_requests, 2u);
}

TEST(Steps, ExplicitMemoryStepsRunInTheirOrder) {
  Request request(kernel("add", 1, add_one));
  request.buffer("x", std::vector<uint32_t>{1, 2, 3, 4});
  request.value.steps = {AllocateStep{0},
                         CopyInStep{0},
                         launch_of("add", {BufferArgument{0, 0}}),
                         CopyOutStep{0},
                         launch_of("add", {BufferArgument{0, 0}}),
                         FreeStep{0}};
  const auto result = request.run();
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_EQ(output<uint32_t>(*result, 0),
            (std::vector<uint32_t>{2, 3, 4, 5}));  // as it was when it was copied
}

// The host has one array: the values that were copied out are copied in again.
TEST(Steps, WhatWasCopiedOutIsCopiedIn) {
  Request request(kernel("add", 1, add_one));
  request.buffer("x", std::vector<uint32_t>{1, 2, 3, 4});
  request.value.steps = {
      AllocateStep{0}, CopyInStep{0}, launch_of("add", {BufferArgument{0, 0}}), CopyOutStep{0}, FreeStep{0},
      AllocateStep{0}, CopyInStep{0}, launch_of("add", {BufferArgument{0, 0}}), CopyOutStep{0}, FreeStep{0}};
  request.value.repeat = 2;  // each from the initial bytes
  const auto result = request.run();
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_EQ(output<uint32_t>(*result, 0), (std::vector<uint32_t>{3, 4, 5, 6}));
}

TEST(Steps, WrongOrdersAreErrorsThatNameTheBuffer) {
  const auto message = [](std::vector<Step> steps) {
    Request request(kernel("add", 1, add_one));
    request.buffer("x", zeros(4));
    steps.emplace_back(launch_of("add", {BufferArgument{0, 0}}));
    request.value.steps = std::move(steps);
    return error_of(request);
  };
  EXPECT_NE(message({AllocateStep{0}, AllocateStep{0}}).find("x is allocated twice"), std::string::npos);
  EXPECT_NE(message({AllocateStep{0}, FreeStep{0}}).find("x is not allocated"), std::string::npos);
  EXPECT_NE(message({AllocateStep{0}, FreeStep{0}, FreeStep{0}}).find("x is freed"), std::string::npos);
  EXPECT_NE(message({AllocateStep{0}, FreeStep{0}, CopyInStep{0}}).find("x is copied to"), std::string::npos);
  EXPECT_NE(message({AllocateStep{0}, FreeStep{0}, CopyOutStep{0}}).find("x is copied from"),
            std::string::npos);
  EXPECT_NE(message({AllocateStep{7}}).find("lacks"), std::string::npos);
}

TEST(Arguments, MustFitTheKernelsParameters) {
  const std::string text =
      ".visible .entry k(.param .u64 p, .param .u8 b, .param .s16 h, .param .u32 w, .param .f32 f)\n{ret;}\n";
  const auto message = [&](std::vector<Argument> arguments) {
    Request request(text);
    request.buffer("x", zeros(4));
    request.value.steps = {launch_of("k", std::move(arguments))};
    return error_of(request);
  };
  const Argument x = BufferArgument{0, 0}, byte = ScalarArgument{DType::u8, 200},
                 half = ScalarArgument{DType::i16, 0xffff}, word = ScalarArgument{DType::u32, 0xffffffff},
                 real = ScalarArgument{DType::f32, 0x3f800000};
  EXPECT_EQ(message({x, byte, half, word, real}), "");
  EXPECT_NE(message({x, byte, half, word}).find("takes 5 arguments; 4 were given"), std::string::npos);
  EXPECT_NE(message({x, ScalarArgument{DType::u32, 256}, half, word, real}).find("Argument 1"),
            std::string::npos);
  EXPECT_NE(message({x, byte, ScalarArgument{DType::i32, 0xfffeffff}, word, real}).find("Argument 2"),
            std::string::npos);
  EXPECT_NE(message({x, byte, half, ScalarArgument{DType::u64, uint64_t{1} << 32}, real}).find("Argument 3"),
            std::string::npos);
  EXPECT_NE(message({x, byte, half, x, real}).find("no pointer"), std::string::npos);
  EXPECT_NE(message({x, byte, half, word, ScalarArgument{DType::i32, 1}}).find("floating-point"),
            std::string::npos);
  EXPECT_NE(message({BufferArgument{3, 0}, byte, half, word, real}).find("lacks"), std::string::npos);
}

TEST(Arguments, ReachTheKernelSignedAndUnsigned) {
  const std::string text =
      ".visible .entry k(.param .u64 p, .param .u8 b, .param .s16 h, .param .u64 w)\n{\n.reg .b64 %d<4>; "
      ".reg .b32 %r<4>;\n"
      "ld.param.u64 %d0, [p]; ld.param.u8 %r0, [b]; ld.param.s16 %r1, [h]; ld.param.u64 %d1, [w]; "
      "ld.param.u32 %r2, [w+4];\n"
      "st.global.u32 [%d0], %r0; st.global.u32 [%d0+4], %r1; st.global.u64 [%d0+8], %d1; st.global.u32 "
      "[%d0+16], %r2; ret;\n}\n";
  Request request(text);
  request.buffer("x", zeros(6));
  request.value.steps = {
      launch_of("k", {BufferArgument{0, 0}, ScalarArgument{DType::u8, 0xf0},
                      ScalarArgument{DType::i16, 0xfffe}, ScalarArgument{DType::i32, 0xfffffffd}})};
  const auto result = request.run();
  ASSERT_TRUE(result.ok()) << result.error().message;
  const std::vector<uint32_t> wanted{0xf0, 0xfffffffe, 0xfffffffd, 0xffffffff, 0xffffffff, 0};
  EXPECT_EQ(output<uint32_t>(*result, 0), wanted);
}

TEST(Arguments, StructuresAreGivenByValueWithAddressesPutIn) {
  const std::string text =
      ".visible .entry k(.param .align 8 .b8 s[24])\n{\n.reg .b64 %d<4>; .reg .b32 %r<4>;\n"
      "ld.param.u32 %r0, [s]; ld.param.u64 %d0, [s+8]; ld.param.u32 %r1, [s+16];\n"
      "st.global.u32 [%d0], %r0; st.global.u32 [%d0+4], %r1; ret;\n}\n";
  Request request(text);
  request.buffer("x", zeros(4));
  StructArgument given;
  given.bytes.resize(24);
  given.bytes[0] = std::byte{7};
  given.bytes[16] = std::byte{9};
  given.pointers = {{8, {0, 8}}};
  const auto run_with = [&](const StructArgument& argument) {
    request.value.steps = {launch_of("k", {argument})};
    return request.run();
  };
  const auto result = run_with(given);
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_EQ(output<uint32_t>(*result, 0), (std::vector<uint32_t>{0, 0, 7, 9}));

  StructArgument wrong = given;
  wrong.pointers[0].at = 17;
  EXPECT_NE(run_with(wrong).error().message.find("does not fit into 24 bytes"), std::string::npos);
  wrong.pointers = {{8, {1, 0}}};
  EXPECT_NE(run_with(wrong).error().message.find("lacks"), std::string::npos);
  wrong = given;
  wrong.bytes.resize(20);
  EXPECT_NE(run_with(wrong).error().message.find("a structure of 20 bytes"), std::string::npos);
}

TEST(Variables, AreInitialisedAndCanBeSet) {
  const std::string text = kernel(
      "k", 1,
      "ld.const.u32 %r0, [table+4]; ld.global.u32 %r1, [counter]; ld.global.u64 %d0, [pointer]; "
      "ld.global.u32 %r2, [%d0]; st.global.u32 [%p0], %r0; st.global.u32 [%p0+4], %r1; "
      "st.global.u32 [%p0+8], %r2; ret;",
      ".const .u32 table[2] = {10, 20};\n.global .u32 counter = 30;\n.global .u64 pointer = counter;\n");
  Request request(text);
  request.buffer("out", zeros(3)).launch("k", {1, 1, 1}, {1, 1, 1});
  auto result = request.run();
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_EQ(output<uint32_t>(*result, 0), (std::vector<uint32_t>{20, 30, 30}));

  Bytes bytes(4);
  bytes[0] = std::byte{77};
  request.value.globals = {{"counter", bytes}};
  result = request.run();
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_EQ(output<uint32_t>(*result, 0), (std::vector<uint32_t>{20, 77, 77}));

  request.value.globals = {{"nothing", bytes}};
  EXPECT_NE(error_of(request).find("nothing"), std::string::npos);
  request.value.globals = {{"counter", Bytes(5)}};
  EXPECT_NE(error_of(request).find("4 bytes; 5 were given"), std::string::npos) << error_of(request);
}

TEST(SharedMemory, DynamicPartBeginsBehindTheStaticOne) {
  const std::string text =
      kernel("k", 1,
             "mov.u32 %r0, room; mov.u32 %r1, own; sub.u32 %r2, %r0, %r1; st.global.u32 [%p0], %r2; "
             "mov.u32 %r3, 5; st.shared.u32 [%r0+252], %r3; ld.shared.u32 %r4, [%r0+252]; "
             "st.global.u32 [%p0+4], %r4; ret;",
             ".extern .shared .align 128 .b8 room[];\n.shared .align 4 .b8 own[20];\n");
  Request request(text);
  request.buffer("out", zeros(2)).launch("k", {1, 1, 1}, {1, 1, 1}, 256);
  const auto result = request.run();
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_EQ(result->status, RunStatus::ok) << result->message;
  EXPECT_EQ(output<uint32_t>(*result, 0), (std::vector<uint32_t>{128, 5}));
}

TEST(Entries, MayBeSeveralAndHaveTheNamesOfInstructions) {
  const auto store = [](int value) {
    return "mov.u32 %r0, " + std::to_string(value) + "; st.global.u32 [%p0], %r0; ret;";
  };
  const std::string text =
      kernel("add", 1, store(1)) + kernel("exit", 1, store(2)) + kernel("tid", 1, store(3));
  for (const auto& [entry, value] :
       std::vector<std::pair<std::string, uint32_t>>{{"add", 1}, {"exit", 2}, {"tid", 3}}) {
    Request request(text);
    request.buffer("out", zeros(1)).launch(entry, {1, 1, 1}, {1, 1, 1});
    const auto result = request.run();
    ASSERT_TRUE(result.ok()) << result.error().message;
    EXPECT_EQ(output<uint32_t>(*result, 0)[0], value);
  }
  Request request(text);
  request.buffer("out", zeros(1)).launch("nobody", {1, 1, 1}, {1, 1, 1});
  EXPECT_NE(error_of(request).find("add, exit, tid"), std::string::npos) << error_of(request);
}

// A value that does not change is computed once for all blocks, also where it may be read before it is
// written.
TEST(Registers, ConstantsSurviveThePathsAroundThem) {
  const std::string body =
      "mov.u32 %r0, %ctaid.x; and.b32 %r1, %r0, 1; setp.eq.u32 %q0, %r1, 0; @%q0 bra EVEN;\n"
      "mov.u32 %r2, %ntid.x; add.u32 %r3, %r2, 100;\nEVEN:\n@%q0 mov.u32 %r4, 1;\n@!%q0 add.u32 %r4, %r3, "
      "1;\n"
      "mad.wide.u32 %d0, %r0, 4, %p0; st.global.u32 [%d0], %r4; ret;";
  Request request(kernel("k", 1, body));
  request.buffer("out", zeros(4)).launch("k", {4, 1, 1}, {8, 1, 1});
  const auto result = request.run();
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_EQ(output<uint32_t>(*result, 0), (std::vector<uint32_t>{1, 109, 1, 109}));
}

TEST(Registers, VectorRegistersNeedNoBraces) {
  const std::string body =
      ".reg .v4 .u32 %v; ld.global.v4.u32 %v, [%p0]; add.u32 %r0, %v.x, %v.w; st.global.v4.u32 [%p0+16], %v; "
      "st.global.u32 [%p0], %r0; ret;";
  Request request(kernel("k", 1, body));
  request.buffer("x", std::vector<uint32_t>{1, 2, 3, 4, 0, 0, 0, 0}).launch("k", {1, 1, 1}, {1, 1, 1});
  const auto result = request.run();
  if (!result.ok()) GTEST_SKIP() << result.error().message;
  EXPECT_EQ(output<uint32_t>(*result, 0), (std::vector<uint32_t>{5, 2, 3, 4, 1, 2, 3, 4}));
}

// Stores by every third thread; nine elements of two bytes each for a thread.
const std::string scattered =
    "mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x; mad.lo.u32 %r0, %r1, %r2, %r3;\n"
    "rem.u32 %r4, %r0, 3; setp.ne.u32 %q0, %r4, 0; @%q0 bra END; mad.wide.u32 %d0, %r0, 4, %p0; "
    "st.global.u32 [%d0], %r0;\n"
    "END:\nmul.lo.u32 %r5, %r0, 7; and.b32 %r5, %r5, 63; mad.wide.u32 %d1, %r5, 4, %p0; ld.global.u32 %r6, "
    "[%d1]; "
    "mov.u32 %r7, room; mad.lo.u32 %r7, %r3, 8, %r7; st.shared.u32 [%r7], %r6; ret;";
const std::string scattered_room = ".shared .align 8 .b8 room[512];\n";

TEST(Recordings, LastWriters) {
  for (uint32_t workers = 1; workers <= 3; ++workers) {
    Request request(kernel("k", 1, scattered, scattered_room));
    request.buffer("out", zeros(200)).launch("k", {4, 1, 1}, {48, 1, 1});
    request.value.record_writers = true;
    request.value.workers = workers;
    const auto result = request.run();
    ASSERT_TRUE(result.ok()) << result.error().message;
    const WriterMap& map = *result->outputs[0].writers;
    ASSERT_EQ(map.writer.size(), 200u);
    EXPECT_EQ(map.element_bytes, 4u);
    for (uint32_t e = 0; e < 200; ++e) EXPECT_EQ(map.writer[e], e < 192 && e % 3 == 0 ? e + 1 : 0) << e;
  }
}

TEST(Recordings, BlockStatsAddUpToTheCounters) {
  // Long enough that blocks are put aside and taken up again.
  const std::string body =
      scattered.substr(0, scattered.size() - 4) +
      "mov.u32 %r9, 0;\nAGAIN:\nadd.u32 %r9, %r9, 1; setp.lt.u32 %q1, %r9, 400000; @%q1 bra AGAIN; ret;";
  std::vector<uint64_t> first;
  for (uint32_t workers = 1; workers <= 2; ++workers) {
    Request request(kernel("k", 1, body, scattered_room));
    request.buffer("out", zeros(200)).launch("k", {4, 1, 1}, {48, 1, 1});
    request.value.record_blocks = true;
    request.value.workers = workers;
    const auto result = request.run();
    ASSERT_TRUE(result.ok()) << result.error().message;
    const BlockStats& stats = *result->blocks;
    ASSERT_EQ(stats.warp_instructions.size(), 4u);
    const auto sum = [](const std::vector<uint64_t>& v) {
      return std::accumulate(v.begin(), v.end(), uint64_t{0});
    };
    EXPECT_EQ(sum(stats.warp_instructions), result->counters->warp_instructions);
    EXPECT_EQ(sum(stats.divergent_branches), result->counters->divergent_branches);
    EXPECT_EQ(sum(stats.global_sectors),
              result->counters->global_load_sectors + result->counters->global_store_sectors);
    if (workers == 1) first = stats.warp_instructions;
    EXPECT_EQ(stats.warp_instructions, first);
    EXPECT_EQ(stats.warp_instructions[0], stats.warp_instructions[3]);
  }
}

TEST(Replay, ShowsTheAccessesThatTheRunCounted) {
  Request request(kernel("k", 1, scattered, scattered_room));
  request.buffer("out", zeros(200)).launch("k", {4, 1, 1}, {48, 1, 1});
  const auto result = request.run();
  ASSERT_TRUE(result.ok()) << result.error().message;
  uint64_t load_sectors = 0, store_sectors = 0, wavefronts = 0, loads = 0;
  for (uint32_t b = 0; b < 4; ++b) {
    const auto replay = replay_block(request.value, {b, 0, 0}, {});
    ASSERT_TRUE(replay.ok()) << replay.error().message;
    EXPECT_EQ(replay->fault, "");
    for (const WarpAccess& access : replay->accesses) {
      if (access.space == Space::shared) wavefronts += access.wavefronts;
      if (access.space != Space::global) continue;
      EXPECT_EQ(access.buffer, 0);
      EXPECT_EQ(access.bytes_per_lane, 4);
      (access.kind == AccessKind::load ? load_sectors : store_sectors) += access.sectors;
      loads += access.kind == AccessKind::load;
      if (access.kind != AccessKind::store) continue;
      for (uint32_t lane = 0; lane < 32; ++lane) {
        const uint32_t thread = b * 48 + access.warp * 32 + lane;
        if (access.mask >> lane & 1u) {
          EXPECT_EQ(access.offset[lane], 4 * thread);
        }
        EXPECT_EQ(access.mask >> lane & 1u, access.warp * 32 + lane < 48 && thread % 3 == 0 ? 1u : 0u);
      }
    }
  }
  EXPECT_EQ(load_sectors, result->counters->global_load_sectors);
  EXPECT_EQ(store_sectors, result->counters->global_store_sectors);
  EXPECT_EQ(loads, result->counters->global_load_requests);
  EXPECT_EQ(wavefronts, result->counters->shared_store_wavefronts);
}

TEST(Replay, SaysWhatItCannotDo) {
  Request request(kernel("k", 1, scattered, scattered_room));
  request.buffer("out", zeros(200)).launch("k", {4, 1, 1}, {48, 1, 1});
  EXPECT_FALSE(replay_block(request.value, {4, 0, 0}, {}).ok());
  const auto cut = replay_block(request.value, {0, 0, 0}, {}, 1);
  ASSERT_TRUE(cut.ok());
  EXPECT_TRUE(cut->truncated);
  EXPECT_EQ(cut->accesses.size(), 1u);
}

}  // namespace THIS_FILE
}  // namespace warplens::test

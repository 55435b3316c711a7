// Learnt shapes change no result, no count and no fault.
#include "core/gpu/exec/state/access_shape.h"
#include "core/gpu/exec/state/counters.h"

#include <fmt/format.h>

#include <cstring>
#include <numeric>
#include <random>

#include "core/gpu/observe/coalescing.h"
#include "tests/core/gpu/exec/support.h"

namespace warplens::exec::test {

namespace THIS_FILE {

using LaneOffsets = std::array<uint64_t, shape_lanes>;

// Address patterns of real kernels, and some that no kernel should have, in units of an element.
LaneOffsets offsets_of(uint32_t family, std::mt19937& random) {
  LaneOffsets offsets{};
  for (uint64_t lane = 0; lane < shape_lanes; ++lane) {
    const uint64_t column = lane % 16, row = lane / 16;
    const LaneOffsets::value_type choices[] = {
        lane,           column + 40 * row, 20 * row,       0,        3 * column + 100 * row, 31 - lane,
        3 * lane + row, lane * 17 % 32,    random() % 200, lane / 4, column * 16 + row,      random() % 16,
        32 - column,    lane % 8,          lane * 8};
    offsets[lane] = choices[family % std::size(choices)];
  }
  return offsets;
}
constexpr uint32_t families = 15;

TEST(AccessShapes, CostWhatTheirAddressesCost) {
  std::mt19937 random(1);
  for (uint32_t family = 0; family < families; ++family) {
    for (const uint32_t bytes : {1u, 2u, 4u, 8u}) {
      LaneOffsets offsets = offsets_of(family, random);
      for (uint64_t& offset : offsets) offset = 0x10000 + offset * bytes;
      AccessShape shape(offsets, bytes);
      EXPECT_TRUE(shape.is_of(offsets.data()));
      for (uint64_t shift = 0; shift < 512; shift += bytes) {
        LaneOffsets moved = offsets;
        for (uint64_t& offset : moved) offset += shift;
        const observe::Sectors wanted = observe::sectors_of(moved.data(), 0xffffffff, bytes);
        const AccessShape::Cost cost = shape.cost_at(moved[0]);
        EXPECT_EQ(cost.sectors, wanted.touched) << family << " " << bytes << " " << shift;
        EXPECT_EQ(cost.lines, wanted.lines) << family << " " << bytes << " " << shift;
        EXPECT_EQ(cost.sectors_ideal, wanted.ideal) << family << " " << bytes << " " << shift;
        EXPECT_EQ(cost.steps, std::ranges::is_sorted(moved) ? 0 : slow_steps);
      }
    }
  }
}

TEST(AccessShapes, AreLearntAtTheSecondAccessAndSeldomWhereTheyChange) {
  ShapePool pool;
  LearntShape learnt, other;
  LaneOffsets row{}, column{};
  std::iota(row.begin(), row.end(), 1000u);
  for (uint64_t lane = 0; lane < shape_lanes; ++lane) column[lane] = 64 * lane;
  EXPECT_FALSE(learnt.learn(pool, row.data(), 1));
  EXPECT_EQ(learnt.get(), nullptr);
  EXPECT_TRUE(learnt.learn(pool, row.data(), 1));
  ASSERT_NE(learnt.get(), nullptr);
  EXPECT_TRUE(learnt.get()->is_of(row.data()));
  EXPECT_FALSE(learnt.get()->is_of(column.data()));
  for (uint64_t& offset : row) offset += 77;
  EXPECT_TRUE(learnt.get()->is_of(row.data())) << "they all moved together";
  // Another instruction shares the shape; a copy has none.
  EXPECT_FALSE(other.learn(pool, row.data(), 1));
  EXPECT_TRUE(other.learn(pool, row.data(), 1));
  EXPECT_EQ(other.get(), learnt.get());
  EXPECT_EQ(LearntShape(learnt).get(), nullptr);
  uint32_t times = 0;
  for (uint32_t i = 0; i < 4000; ++i) times += learnt.learn(pool, (i % 2 == 0 ? column : row).data(), 1);
  EXPECT_GT(times, 5u);
  EXPECT_LT(times, 4000u * 3 / 4);
  for (uint32_t i = 0; i < 200; ++i) {  // the pool replaces shapes, but users keep theirs
    column[5] += 64;
    LearntShape one;
    one.learn(pool, column.data(), 4);
    EXPECT_TRUE(one.learn(pool, column.data(), 4));
    EXPECT_TRUE(one.get()->is_of(column.data()));
  }
  EXPECT_TRUE(other.get()->is_of(row.data()));
}

// All lanes are within [from, end), and no lane of a 32-bit register wraps around.
bool fits(const LaneOffsets& lanes, uint64_t first, uint32_t bytes, uint64_t from, uint64_t end, bool narrow,
          uint64_t offset) {
  return std::ranges::all_of(lanes, [&](uint64_t lane) {
    const uint64_t moved = lane - lanes[0];
    const uint64_t address = first + moved;
    const uint64_t in_register = first - offset + moved;
    if (narrow && (in_register >> 32 != 0 || (first - offset) >> 32 != 0)) return false;
    return address >= from && address < end && end - address >= bytes;
  });
}

TEST(AccessShapes, ReachExactlyTheAddressesAtWhichAllLanesFit) {
  std::mt19937 random(5);
  uint32_t reached = 0;
  for (uint32_t turn = 0; turn < 4000; ++turn) {
    const uint32_t bytes = 1u << random() % 4;
    LaneOffsets lanes{};
    for (uint64_t& lane : lanes) lane = 4096 + random() % (turn % 3 == 0 ? 8 : 900);
    const AccessShape shape(lanes, bytes);
    const bool narrow = turn % 2 == 0;
    // Near 0, around the end of 32 bits, and beyond the range of 32-bit registers.
    const uint64_t bases[] = {0, 40, (uint64_t{1} << 32) - 700, uint64_t{1} << 40};
    const uint64_t from = bases[random() % 4], end = from + random() % 2000;
    const auto offset = static_cast<uint64_t>(static_cast<int64_t>(random() % 401) - 200);
    const Reach reach = Reach::of(shape, from, end, narrow, offset);
    for (uint32_t i = 0; i < 300; ++i) {
      const uint64_t first = from - 1000 + random() % 4000;
      const bool in_reach = first - reach.begin < reach.count;
      ASSERT_EQ(in_reach, fits(lanes, first, bytes, from, end, narrow, offset))
          << fmt::format("turn {}: {:#x} of [{:#x}, {:#x}), offset {}", turn, first, from, end,
                         static_cast<int64_t>(offset));
      reached += in_reach;
    }
  }
  EXPECT_GT(reached, 10'000u);
  const AccessShape apart({0, uint64_t{1} << 63}, 4);
  EXPECT_EQ(Reach::of(apart, 0, uint64_t{1} << 62, false, 0).count, 0u) << "farther apart than all of it";
  const AccessShape one(LaneOffsets{}, 4);
  EXPECT_EQ(Reach::of(one, 100, 103, false, 0).count, 0u);
  EXPECT_EQ(Reach::of(one, 100, 104, false, 0).count, 1u);
  EXPECT_EQ(Reach::of(one, 104, 100, false, 0).count, 0u);
}

TEST(AccessShapes, HaveTheSimplestForm) {
  LaneOffsets row{}, halves{}, strided{}, far{};
  for (uint64_t lane = 0; lane < shape_lanes; ++lane) {
    row[lane] = 4 * lane;
    halves[lane] = lane / 16 * 4096;
    strided[lane] = 3 * lane;
    far[lane] = 128 * lane;
  }
  EXPECT_EQ(AccessShape(row, 4).form, AccessShape::Form::rows);
  EXPECT_EQ(AccessShape(halves, 4).form, AccessShape::Form::equal_halves);
  EXPECT_EQ(AccessShape(strided, 1).form, AccessShape::Form::windows);
  EXPECT_EQ(AccessShape(far, 4).form, AccessShape::Form::scattered);
  // Two lanes at one address: the later lane's byte is stored.
  LaneOffsets twice = strided;
  twice[5] = twice[4];
  EXPECT_EQ(AccessShape(twice, 1).windows[0].sources[twice[4]], 4 * 5);
}

struct AccessType {
  const char *name, *width;  // of the access, and of its register
};
constexpr AccessType types[] = {{"u8", "rs"}, {"s8", "rs"},  {"u16", "rs"}, {"s16", "rs"},
                                {"u8", "r"},  {"s8", "r"},   {"s16", "r"},  {"u32", "r"},
                                {"f32", "f"}, {"b64", "rd"}, {"s32", "rd"}};

// Each thread moves along its column of the table: at each offset it loads and stores in global and shared
// memory. In some turns a few lanes are inactive. From turn `loose` on, offsets are odd.
std::string kernel_of(const AccessType& type) {
  const uint32_t bytes = static_cast<uint32_t>(std::stoi(type.name + 1)) / 8;
  const std::string w = std::string("%") + type.width;
  const bool half = w == "%rs", wide = w == "%rd", real = w == "%f";
  const auto fold = [&](const std::string& value) {
    const std::string word = half   ? fmt::format("cvt.u32.u16 %r20, {};\n", value)
                             : wide ? fmt::format("cvt.u32.u64 %r20, {};\n", value)
                                    : fmt::format("mov.b32 %r20, {};\n", value);
    return word + "mad.lo.u32 %r9, %r9, 31, %r20;\n";
  };
  const std::string value = half   ? "cvt.u16.u32 %rs9, %r9;\n"
                            : wide ? "cvt.u64.u32 %rd9, %r9; mul.lo.u64 %rd9, %rd9, 4294967297;\n"
                                   : fmt::format("mov.b32 {}9, %r9;\n", real ? "%f" : "%r1");
  const std::string kept = half ? "%rs9" : wide ? "%rd9" : real ? "%f9" : "%r19";
  const std::string stored =
      type.name[0] == 'f' || type.name[0] == 'b' ? type.name : fmt::format("u{}", 8 * bytes);
  return fmt::format(
      ".visible .entry test(.param .u64 table, .param .u64 data, .param .u64 out, .param .u64 ends, .param "
      ".u32 n,"
      " .param .u32 loose, .param .u32 size) {{\n"
      ".reg .b64 %rd<32>; .reg .b32 %r<32>; .reg .f32 %f<32>; .reg .b16 %rs<32>; .reg .pred %p<8>;\n"
      ".shared .align 16 .b8 tile[4096];\n"
      "ld.param.u64 %rd1, [table]; ld.param.u64 %rd2, [data]; ld.param.u64 %rd3, [out]; ld.param.u64 %rd4, "
      "[ends];\n"
      "ld.param.u32 %r1, [n]; ld.param.u32 %r2, [loose]; ld.param.u32 %r3, [size];\n"
      "mov.u32 %r4, %tid.x; mov.u32 %r5, %ntid.x; mov.u32 %r6, %ctaid.x; mov.u32 %r7, tile;\n"
      "mul.lo.u32 %r8, %r6, %r3; cvt.u64.u32 %rd5, %r8; add.u64 %rd3, %rd3, %rd5;\n"
      "mov.u32 %r9, %r4; mov.u32 %r10, 0; cvt.u64.u32 %rd6, %r7;\n"
      "TURN:\n"
      "mad.lo.u32 %r11, %r10, %r5, %r4; mul.wide.u32 %rd7, %r11, 4; add.u64 %rd7, %rd7, %rd1;\n"
      "ld.global.u32 %r12, [%rd7];\n"
      "setp.ge.u32 %p1, %r10, %r2; selp.u32 %r13, 1, 0, %p1; mul.lo.u32 %r12, %r12, {bytes}; or.b32 %r12, "
      "%r12, %r13;\n"
      "and.b32 %r14, %r10, 15; setp.eq.u32 %p2, %r14, 9; setp.lt.u32 %p3, %r4, 5; and.pred %p2, %p2, %p3;\n"
      "@%p2 bra BEHIND;\n"
      "cvt.u64.u32 %rd8, %r12; add.u64 %rd10, %rd2, %rd8; add.u64 %rd11, %rd3, %rd8; add.u64 %rd12, %rd6, "
      "%rd8;\n"
      "add.u32 %r15, %r7, %r12; add.u32 %r16, %r15, 64;\n"
      "ld.global.{type} {w}21, [%rd10+16]; {fold1}"
      "ld.global.nc.{type} {w}22, [%rd10]; {fold2}"
      "{value} st.shared.{stored} [%r15+8], {kept};\n"
      "ld.shared.{type} {w}23, [%r16-56]; {fold3}"
      "{value} st.shared.{stored} [%rd12+16], {kept};\n"
      "ld.shared.{type} {w}24, [%rd12]; {fold4}"
      "ld.shared.{type} {w}25, [tile+8]; {fold5}"
      "{value} st.global.{stored} [%rd11], {kept};\n"
      "ld.global.{type} {w}26, [%rd11]; {fold6}"
      "BEHIND:\n"
      "add.u32 %r10, %r10, 1; setp.lt.u32 %p4, %r10, %r1; @%p4 bra TURN;\n"
      "mad.lo.u32 %r17, %r6, %r5, %r4; mul.wide.u32 %rd13, %r17, 4; add.u64 %rd13, %rd13, %rd4;\n"
      "st.global.u32 [%rd13], %r9; ret;\n}}\n",
      fmt::arg("bytes", bytes), fmt::arg("type", type.name), fmt::arg("w", w), fmt::arg("stored", stored),
      fmt::arg("value", value), fmt::arg("kept", kept), fmt::arg("fold1", fold(w + "21")),
      fmt::arg("fold2", fold(w + "22")), fmt::arg("fold3", fold(w + "23")), fmt::arg("fold4", fold(w + "24")),
      fmt::arg("fold5", fold(w + "25")), fmt::arg("fold6", fold(w + "26")));
}

constexpr uint32_t grid_blocks = 7, turns = 60;

// Runs of turns with one family, shifted a little each time, with a turn of another family in between.
// `reach` is the range of the offsets, in elements.
std::vector<uint32_t> table_of(uint32_t threads, uint32_t reach, std::mt19937& random) {
  std::vector<uint32_t> table;
  uint32_t family = random(), length = 0;
  LaneOffsets offsets{};
  for (uint32_t turn = 0; turn < turns; ++turn) {
    if (length-- == 0) {
      family = random();
      offsets = offsets_of(family, random);
      length = 4 + random() % 10;
    }
    const LaneOffsets now = random() % 8 == 0 ? offsets_of(random(), random) : offsets;
    const uint64_t start = random() % (reach - std::ranges::max(now));
    for (uint32_t t = 0; t < threads; ++t)
      table.push_back(static_cast<uint32_t>(start + now[t % shape_lanes]));
  }
  return table;
}

struct Ended {
  GridOutcome outcome;
  std::vector<std::byte> out, ends;
};

struct Setting {
  uint32_t threads = 32, reach = 300, loose = turns, bytes = 4096, workers = 1, seed = 0;
};

Ended run(const Decoded& decoded, const Setting& setting, bool learns, Tier tier = tier_from_environment()) {
  std::mt19937 random(setting.seed);
  const std::vector<uint32_t> table = table_of(setting.threads, setting.reach, random);
  std::vector<uint32_t> words(setting.bytes / 4 + 1);
  for (uint32_t& word : words) word = static_cast<uint32_t>(random());
  std::vector<std::byte> data(setting.bytes);
  std::memcpy(data.data(), words.data(), data.size());
  Bench bench(decoded.program);
  bench.buffer({std::as_bytes(std::span(table)).begin(), std::as_bytes(std::span(table)).end()});
  bench.buffer(data);
  const Allocation& out = bench.buffer(std::vector<std::byte>(size_t{4096} * grid_blocks));
  const Allocation& ends = bench.buffer(std::vector<std::byte>(size_t{4} * grid_blocks * setting.threads));
  bench.parameter(turns);
  bench.parameter(setting.loose);
  bench.parameter(uint32_t{4096});
  Ended ended{bench.run({grid_blocks, 1, 1}, {setting.threads, 1, 1}, setting.workers, learns, tier), {}, {}};
  ended.out.assign(out.host, out.host + (out.end - out.begin));
  ended.ends.assign(ends.host, ends.host + (ends.end - ends.begin));
  return ended;
}

void expect_alike(const Ended& with, const Ended& without) {
  const Fault &a = with.outcome.fault, &b = without.outcome.fault;
  ASSERT_EQ(with.outcome.end, without.outcome.end);
  EXPECT_EQ(a.kind, b.kind);
  EXPECT_EQ(a.op, b.op);
  EXPECT_EQ(a.lane, b.lane);
  EXPECT_EQ(a.warp, b.warp);
  EXPECT_EQ(a.address, b.address);
  EXPECT_EQ(with.outcome.fault_block_place, without.outcome.fault_block_place);
  if (with.outcome.end == GridOutcome::End::finished) {
    ASSERT_EQ(with.out.size(), without.out.size());
    EXPECT_EQ(std::memcmp(with.out.data(), without.out.data(), with.out.size()), 0);
    EXPECT_EQ(with.ends, without.ends);
    expect_same_accesses(with.outcome, without.outcome);
  }
}

class AccessShapeRuns : public testing::TestWithParam<AccessType> {};
INSTANTIATE_TEST_SUITE_P(Types, AccessShapeRuns, testing::ValuesIn(types), [](const auto& type) {
  return fmt::format("{}_{}", type.param.name, type.param.width);
});

TEST_P(AccessShapeRuns, EndAsWithoutShapes) {
  const auto bytes = static_cast<uint32_t>(std::stoi(GetParam().name + 1)) / 8;
  for (const InstructionSet& set : instruction_sets()) {
    const Decoded decoded = decode(module_text(kernel_of(GetParam())), "test", *set.table);
    ASSERT_NE(decoded.program, nullptr) << decoded.errors;
    for (uint32_t seed = 1; seed <= 12; ++seed) {
      SCOPED_TRACE(fmt::format("{}, seed {}", set.name, seed));
      Setting setting{.threads = seed % 3 == 0 ? 48u : 32u, .seed = seed};
      constexpr uint32_t worker_counts[] = {1, 2, 5};
      setting.workers = worker_counts[seed % 3];
      const Ended without = run(decoded, setting, false), with = run(decoded, setting, true);
      EXPECT_EQ(without.outcome.end, GridOutcome::End::finished);
      expect_alike(with, without);
      // Past the end of the data, past the end of the tile, and at odd addresses.
      setting.bytes = 16 + 200 * bytes;
      expect_alike(run(decoded, setting, true), run(decoded, setting, false));
      setting.bytes = 1 << 16;
      setting.reach = 4096 / bytes + 150;
      expect_alike(run(decoded, setting, true), run(decoded, setting, false));
      setting.reach = 300;
      setting.loose = 40;
      const Ended odd = run(decoded, setting, true);
      EXPECT_EQ(odd.outcome.fault.kind, bytes == 1 ? FaultKind::none : FaultKind::misaligned);
      expect_alike(odd, run(decoded, setting, false));
    }
  }
}

// Machine code (core/gpu/exec/jit) checks shapes itself, and calls the handlers for unknown ones.
TEST_P(AccessShapeRuns, EndAlikeCompiled) {
  const auto bytes = static_cast<uint32_t>(std::stoi(GetParam().name + 1)) / 8;
  const auto sets = instruction_sets();
  const OpsTable& widest = *sets.back().table;
  const OpsTable& next = sets.size() > 2 ? *sets[sets.size() - 2].table : widest;
  const std::string text = module_text(kernel_of(GetParam()));
  const Decoded by_set[] = {decode(text, "test", widest), decode(text, "test", next)};
  for (const Decoded& decoded : by_set) ASSERT_NE(decoded.program, nullptr) << decoded.errors;
  for (uint32_t seed = 101; seed <= 136; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    const Decoded& decoded = by_set[seed % 2];
    constexpr uint32_t worker_counts[] = {1, 2, 5};
    Setting setting{.threads = seed % 3 == 0 ? 48u : 32u, .workers = worker_counts[seed % 3], .seed = seed};
    const auto compare = [&] {
      const Ended with = run(decoded, setting, true, Tier::always);
      expect_alike(with, run(decoded, setting, true, Tier::off));
      expect_alike(run(decoded, setting, false, Tier::always), with);
    };
    compare();
    setting.bytes = 16 + 200 * bytes;
    compare();
    setting.bytes = 1 << 16;
    setting.reach = 4096 / bytes + 150;
    compare();
    setting.reach = 300;
    setting.loose = 40;
    compare();
  }
}

}  // namespace THIS_FILE

}  // namespace warplens::exec::test

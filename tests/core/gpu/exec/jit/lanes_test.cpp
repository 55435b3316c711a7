// Instructions of lanes in machine code: the same bits as the handlers give, for numbers at which results
// change and for many others.
#include <fmt/format.h>

#include <bit>
#include <random>

#include "core/gpu/exec/jit/lower/units.h"
#include "core/gpu/exec/jit/runtime/observers.h"
#include "core/gpu/exec/jit/targets.h"
#include "core/gpu/exec/state/routines.h"
#include "tests/core/gpu/exec/support.h"

namespace warplens::exec::jit::test {

namespace THIS_FILE {

using exec::test::Bench;
using exec::test::Decoded;

enum class Numbers { f32, f64, integers };

// An instruction or a few: sources %fa %fb %fc, %xa …, %ra …, %da …, results %f, %x, %r or %d.
struct Form {
  Numbers numbers;
  std::string code;
  std::string result;        // its register
  bool is_function = false;  // where lanes are in the frame, handlers run it
};

std::vector<Form> forms_of_f32() {
  std::vector<Form> forms;
  const auto add = [&](const std::string& code, const char* result = "%f") {
    forms.push_back({Numbers::f32, code, result});
  };
  for (const char* ftz : {"", ".ftz"}) {
    for (const char* op : {"add", "sub", "mul", "div.rn", "min", "max"})
      add(fmt::format("{}{}.f32 %f, %fa, %fb;", op, ftz));
    add(fmt::format("fma.rn{}.f32 %f, %fa, %fb, %fc;", ftz));
    for (const char* op : {"neg", "abs", "sqrt.rn", "rcp.rn"}) add(fmt::format("{}{}.f32 %f, %fa;", op, ftz));
    for (const char* compare :
         {"eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"})
      add(fmt::format("setp.{}{}.f32 %p, %fa, %fb; selp.b32 %r, 1, 2, %p;", compare, ftz), "%r");
    for (const char* rounding : {"rni", "rzi", "rmi", "rpi"}) {
      add(fmt::format("cvt.{}{}.f32.f32 %f, %fa;", rounding, ftz));
      for (const char* type : {"s32", "u32"})
        add(fmt::format("cvt.{}{}.{}.f32 %r, %fa;", rounding, ftz, type), "%r");
    }
    add(fmt::format("cvt{}.f64.f32 %x, %fa;", ftz), "%x");
    // Flushes that follow one another, and ones that are not needed.
    add(
        fmt::format("mul{0}.f32 %f, %fa, %fb; sub{0}.f32 %f, %f, %fc; neg{0}.f32 %f, %f; "
                    "fma.rn{0}.f32 %f, %f, 0f00000001, %fa; max{0}.f32 %f, %f, 0f00400000; "
                    "mul{0}.f32 %f, %f, 0f3F000000; add{0}.f32 %f, %f, %fc;",
                    ftz));
    add(fmt::format("mul.f32 %f, %fa, %fb; add{0}.f32 %f, %f, %fa; add.f32 %f, %f, %fb;", ftz));
  }
  add("cvt.ftz.f32.f32 %f, %fa;");
  const auto add_function = [&](const std::string& code) {
    forms.push_back({Numbers::f32, code, "%f", true});
  };
  for (const char* ftz : {"", ".ftz"}) {
    for (const char* op : {"rcp", "sqrt", "rsqrt", "sin", "cos", "lg2", "ex2"})
      add_function(fmt::format("{}.approx{}.f32 %f, %fa;", op, ftz));
    for (const char* op : {"approx", "full"})
      add_function(fmt::format("div.{}{}.f32 %f, %fa, %fb;", op, ftz));
    // Values that stay in registers meanwhile, also a predicate.
    add_function(
        fmt::format("setp.lt.f32 %p, %fa, %fb; mul.f32 %f, %fa, %fb; add.f64 %x, %xa, %xb; "
                    "ex2.approx{0}.f32 %fc, %fa; rcp.approx{0}.f32 %fb, %fc; add.f32 %f, %f, %fb; "
                    "cvt.rn.f32.f64 %fb, %x; add.f32 %f, %f, %fb; selp.f32 %f, %f, %fa, %p;",
                    ftz));
  }
  add_function("tanh.approx.f32 %f, %fa;");
  add_function("copysign.f32 %f, %fa, %fb;");
  return forms;
}

std::vector<Form> forms_of_f64() {
  std::vector<Form> forms;
  const auto add = [&](const std::string& code, const char* result = "%x") {
    forms.push_back({Numbers::f64, code, result});
  };
  for (const char* op : {"add", "sub", "mul", "div.rn", "min", "max"})
    add(fmt::format("{}.f64 %x, %xa, %xb;", op));
  add("fma.rn.f64 %x, %xa, %xb, %xc;");
  add("fma.rn.f64 %xc, %xa, %xb, %xc; mov.f64 %x, %xc;");
  for (const char* op : {"neg", "abs", "sqrt.rn", "rcp.rn"}) add(fmt::format("{}.f64 %x, %xa;", op));
  for (const char* compare :
       {"eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"})
    add(fmt::format("setp.{}.f64 %p, %xa, %xb; selp.f64 %x, %xa, %xb, %p;", compare));
  for (const char* rounding : {"rni", "rzi", "rmi", "rpi"}) {
    add(fmt::format("cvt.{}.f64.f64 %x, %xa;", rounding));
    for (const char* type : {"s32", "u32"}) add(fmt::format("cvt.{}.{}.f64 %r, %xa;", rounding, type), "%r");
    for (const char* type : {"s64", "u64"}) add(fmt::format("cvt.{}.{}.f64 %d, %xa;", rounding, type), "%d");
  }
  add("cvt.rn.f32.f64 %f, %xa;", "%f");
  const auto add_function = [&](const char* code, const char* result) {
    forms.push_back({Numbers::f64, code, result, true});
  };
  add_function("cvt.rn.ftz.f32.f64 %f, %xa;", "%f");
  add_function("copysign.f64 %x, %xa, %xb;", "%x");
  for (const char* op : {"rcp.approx.ftz", "rsqrt.approx.ftz", "rsqrt.approx"})
    add_function(fmt::format("{}.f64 %x, %xa;", op).c_str(), "%x");
  return forms;
}

std::vector<Form> forms_of_integers() {
  std::vector<Form> forms;
  const auto add = [&](const std::string& code, const char* result = "%r") {
    forms.push_back({Numbers::integers, code, result});
  };
  for (const char* op : {"div", "rem"})
    for (const char* type : {"u32", "s32"}) {
      add(fmt::format("{}.{} %r, %ra, %rb;", op, type));
      for (const char* number : {"7", "0", "-1", "0x80000000"})
        add(fmt::format("{}.{} %r, %ra, {};", op, type, number));
    }
  for (const char* op : {"div", "rem"})
    for (const char* type : {"u16", "s16"})
      add(fmt::format("cvt.u16.u32 %ha, %ra; cvt.u16.u32 %hb, %rb; {}.{} %ha, %ha, %hb; cvt.u32.u16 %r, %ha;",
                      op, type));
  for (const char* way : {"l", "r"})
    for (const char* mode : {"wrap", "clamp"}) {
      add(fmt::format("shf.{}.{}.b32 %r, %ra, %rb, %rc;", way, mode));
      for (const char* amount : {"0", "1", "13", "32", "45"})
        add(fmt::format("shf.{}.{}.b32 %r, %ra, %rb, {};", way, mode, amount));
    }
  add("bfe.u32 %r, %ra, %rb, %rc;");
  add("mov.b64 %d, {%ra, %rb}; mov.b64 {%ra, %rb}, %da; sub.u32 %r, %ra, %rb; mov.b64 %d, {%r, %rc};", "%d");
  // Guards: the old value is a register's, a load's or another guarded one; the guard itself may be written.
  add("setp.lt.s32 %p, %ra, %rb; @%p add.u32 %ra, %ra, %rc; @!%p sub.u32 %ra, %rb, %rc; mov.u32 %r, %ra;");
  add("setp.lt.s32 %p, %ra, %rb; mov.u32 %r, 5; @%p mov.u32 %r, %rb; @!%p mad.lo.u32 %r, %r, %ra, %rc;");
  add("setp.lt.s32 %p, %ra, %rb; @%p setp.gt.u32 %p, %rb, %rc; @!%p setp.ne.u32 %p, %rc, 7; "
      "selp.b32 %r, %ra, 3, %p;");
  add("setp.ge.s64 %p, %da, %db; @%p add.u64 %da, %da, %dc; @!%p mov.b64 %da, %db; mov.u64 %d, %da;", "%d");
  add("setp.ge.s64 %p, %da, %db; mov.u64 %d, %dc; @%p mul.wide.u32 %d, %ra, %rb; @!%p mov.b64 %d, {%ra, "
      "%rb};",
      "%d");
  // A guarded register that nothing reads.
  add("setp.lt.s32 %p, %ra, %rb; mul.lo.u32 %r, %ra, %rc; @%p add.u32 %rb, %ra, 1;");
  add("bfe.u32 %r, %ra, 5, 11;");
  add("abs.s64 %d, %da;", "%d");
  for (const char* type : {"s32", "u32"}) add(fmt::format("cvt.rn.f64.{} %x, %ra;", type), "%x");
  for (const char* type : {"s64", "u64"}) add(fmt::format("cvt.rn.f64.{} %x, %da;", type), "%x");
  for (const char* type : {"s16", "u16"}) {
    add(fmt::format("cvt.u16.u32 %ha, %ra; cvt.rn.f64.{} %x, %ha;", type), "%x");
    add(fmt::format("cvt.u16.u32 %ha, %ra; cvt.u64.{} %d, %ha;", type), "%d");
    add(fmt::format("cvt.{}.u64 %ha, %da; cvt.u32.u16 %r, %ha;", type));
  }
  const auto add_function = [&](const std::string& code, const char* result) {
    forms.push_back({Numbers::integers, code, result, true});
  };
  for (const char* op : {"div.u64", "div.s64", "rem.u64", "rem.s64", "mul.hi.u64", "mul.hi.s64"})
    add_function(fmt::format("{} %d, %da, %db;", op), "%d");
  // In all lanes of a warp less than 53 bits.
  for (const char* op : {"div.u64", "div.s64", "rem.u64", "rem.s64"})
    for (const char* shift : {"11", "12", "40"})
      add_function(fmt::format("shr.{1} %da, %da, {2}; shr.{1} %db, %db, {2}; or.b64 %db, %db, 2; "
                               "add.s64 %dc, %da, %db; {0} %d, %da, %db; add.s64 %d, %d, %dc;",
                               op, std::string_view(op).substr(4), shift),
                   "%d");
  for (const char* op : {"popc", "clz"}) {
    add_function(fmt::format("{}.b32 %r, %ra;", op), "%r");
    add_function(fmt::format("{}.b64 %r, %da;", op), "%r");
  }
  add_function("brev.b32 %r, %ra;", "%r");
  add_function("brev.b64 %d, %da;", "%d");
  add_function("bfe.s32 %r, %ra, %rb, %rc;", "%r");
  for (const char* type : {"u64", "s64"}) add_function(fmt::format("bfe.{} %d, %da, %rb, %rc;", type), "%d");
  add_function("prmt.b32 %r, %ra, %rb, %rc;", "%r");
  for (const char* type : {"u32", "s32"}) {
    add_function(fmt::format("sad.{} %r, %ra, %rb, %rc;", type), "%r");
    add_function(fmt::format("mul24.lo.{} %r, %ra, %rb;", type), "%r");
  }
  for (const char* type : {"u64", "s64"}) add_function(fmt::format("cvt.rn.f32.{} %f, %da;", type), "%f");
  return forms;
}

std::vector<Form> all_forms() {
  std::vector<Form> forms = forms_of_f32();
  std::ranges::copy(forms_of_f64(), std::back_inserter(forms));
  std::ranges::copy(forms_of_integers(), std::back_inserter(forms));
  return forms;
}

constexpr uint32_t threads = 96, blocks = 32;  // each warp has 32 lanes

uint64_t either_f32(std::mt19937_64& random) {
  constexpr uint32_t edges[] = {0,          1,          0x007fffff, 0x00400000, 0x00800000, 0x00800001,
                                0x00ffffff, 0x3f800000, 0x3f7fffff, 0x3effffff, 0x3f000000, 0x3f000001,
                                0x3fc00000, 0x40200000, 0x4b000001, 0x4effffff, 0x4f000000, 0x4f7fffff,
                                0x4f800000, 0x5f000000, 0x7f7fffff, 0x7f800000, 0x7f800001, 0x7fc00000,
                                0x7fc12345, 0x7fffffff, 0x20000000, 0x1fffffff, 0x20000001};
  const uint64_t any = random();
  const auto sign = static_cast<uint32_t>(any & 0x80000000);
  switch (any & 3) {
    case 0:
      return edges[random() % std::size(edges)] | sign;
    case 1:
      return (static_cast<uint32_t>(any >> 33) & 0x007fffff) | sign;  // subnormal
    case 2:                                                           // products and sums at the lower end
      return ((0x1f000000 + (static_cast<uint32_t>(any >> 33) & 0x01ffffff)) & 0x7fffffff) | sign;
    default:
      return static_cast<uint32_t>(any >> 32);
  }
}

uint64_t either_f64(std::mt19937_64& random) {
  constexpr double edges[] = {
      0,          0x1p-1074,  0x1p-1022,      0.25,           0.5,           1,      1.5,
      2.5,        0x1p31,     0x1p31 - 0.5,   0x1p31 - 1,     0x1p31 + 0.5,  0x1p32, 0x1p32 - 0.5,
      0x1p32 - 1, 0x1p52 + 1, 0x1p53,         0x1p63,         0x1p63 - 1024, 0x1p64, 0x1p64 - 2048,
      0x1p-126,   0x1p-127,   0x1.fffffep127, 0x1.ffffffp127, 0x1p1023};
  constexpr uint64_t others[] = {0x7ff0000000000000, 0x7ff8000000000000, 0x7ff0000000000001,
                                 0x7ff8123456789abc, 0x7fffffffffffffff, 0x000fffffffffffff,
                                 0x3fefffffffffffff, 0x7fefffffffffffff};
  const uint64_t any = random(), sign = any & uint64_t{1} << 63;
  switch (any & 3) {
    case 0:
      return std::bit_cast<uint64_t>(edges[random() % std::size(edges)]) | sign;
    case 1:
      return others[random() % std::size(others)] | sign;
    case 2:  // around the integers of 32 and 64 bits
      return std::bit_cast<uint64_t>(static_cast<double>(random()) *
                                     std::ldexp(1.0, -static_cast<int>(random() % 70))) |
             sign;
    default:
      return random();
  }
}

uint64_t either_integer(std::mt19937_64& random) {
  constexpr uint64_t edges[] = {0,
                                1,
                                2,
                                3,
                                7,
                                31,
                                32,
                                33,
                                63,
                                64,
                                255,
                                256,
                                0x7fff,
                                0x8000,
                                0xffff,
                                0x7fffffff,
                                0x80000000,
                                0x80000001,
                                0xfffffffe,
                                0xffffffff,
                                0x100000000,
                                0x7fffffffffffffff,
                                0x8000000000000000,
                                0xffffffffffffffff,
                                0x0020000000000001,
                                0xfffffffffffffc01};
  const uint64_t any = random();
  if (any % 2 == 0) return edges[random() % std::size(edges)];
  return random() >> (random() % 64);
}

std::vector<std::byte> sources(Numbers numbers) {
  std::mt19937_64 random(7);
  std::vector<uint64_t> made(size_t{3} * threads * blocks);
  for (uint64_t& number : made) {
    number = numbers == Numbers::f32   ? either_f32(random)
             : numbers == Numbers::f64 ? either_f64(random)
                                       : either_integer(random);
  }
  const auto bytes = std::as_bytes(std::span(made));
  return {bytes.begin(), bytes.end()};
}

// A loop of some forms whose results are the next ones' sources. Lanes leave it at different times. No double
// is NaN.
Form loop_of_forms(uint32_t seed) {
  static const std::vector<Form> forms = all_forms();
  std::mt19937_64 random(seed);
  std::string body;
  const char* const number = "0d7E37E43C8800759C";  // min gives this instead of NaN
  for (const char* x : {"%x", "%xa", "%xb", "%xc"})
    body += fmt::format("min.f64 {0}, {0}, {1};\n", x, number);
  std::string round;
  for (int i = 0; i < 14; ++i) {
    const Form& form = forms[random() % forms.size()];
    round += form.code + "\n";
    if (form.result == "%x") round += fmt::format("min.f64 %x, %x, {};\n", number);
    switch (random() % 5) {
      case 0:
        round += "mov.f32 %fa, %fb; mov.f32 %fb, %fc; mov.f32 %fc, %f;\n";
        break;
      case 1:
        round += "mov.f64 %xa, %xb; mov.f64 %xb, %xc; mov.f64 %xc, %x;\n";
        break;
      case 2:
        round += "xor.b32 %ra, %rb, %r; add.u32 %rb, %rc, %ra; mov.u32 %rc, %r;\n";
        break;
      case 3:
        round += "xor.b64 %da, %db, %d; add.u64 %db, %dc, %da; mov.u64 %dc, %d;\n";
        break;
      default:
        round += "mov.b32 %rc, %f; @%p mov.b32 %fa, %r; @!%p xor.b64 %db, %db, %d;\n";
    }
    if (i % 7 == 6) round += "and.b32 %r, %ra, 15; setp.eq.u32 %q, %r, %j; @%q bra OUT;\n";
  }
  body +=
      "mov.u32 %r, 0; mov.u64 %d, 0; mov.b32 %f, %r; mov.b64 %x, %d; mov.u32 %j, 0; setp.ne.u32 %p, %r, 0;\n"
      "cvt.u16.u32 %ha, %r; mov.u16 %hb, %ha;\nLOOP:\n" +
      round +
      "add.u32 %j, %j, 1; setp.lt.u32 %q, %j, 4; @%q bra LOOP;\nOUT:\n"
      "mov.b64 %dc, %x; xor.b64 %d, %d, %dc; mov.b64 %dc, %xa; xor.b64 %d, %d, %dc; mov.b32 %rc, %f;\n"
      "xor.b32 %r, %r, %rc; xor.b32 %r, %r, %ra; mov.b32 %rb, %fa; mov.b64 %dc, {%r, %rb}; xor.b64 %d, %d, "
      "%dc;";
  return {seed % 2 == 0 ? Numbers::f32 : Numbers::f64, body, "%d"};
}

std::string kernel_of(const Form& form) {
  const char kind = form.result[1];
  const char* const type = kind == 'r' ? "b32" : kind == 'f' ? "f32" : kind == 'd' ? "b64" : "f64";
  return exec::test::module_text(fmt::format(
      ".visible .entry k(.param .u64 in, .param .u64 out)\n{{\n"
      ".reg .b64 %d, %da, %db, %dc, %in, %out; .reg .b32 %r, %ra, %rb, %rc, %i, %j, %k; .reg .pred %p, %q;\n"
      ".reg .f32 %f, %fa, %fb, %fc; .reg .f64 %x, %xa, %xb, %xc; .reg .b16 %ha, %hb;\n"
      "ld.param.u64 %in, [in]; ld.param.u64 %out, [out];\n"
      "mov.u32 %i, %tid.x; mov.u32 %j, %ctaid.x; mov.u32 %k, %ntid.x; mad.lo.u32 %i, %j, %k, %i;\n"
      "mad.wide.u32 %in, %i, 24, %in; mad.wide.u32 %out, %i, 8, %out;\n"
      "ld.global.u64 %da, [%in]; ld.global.u64 %db, [%in+8]; ld.global.u64 %dc, [%in+16];\n"
      "mov.b64 %xa, %da; mov.b64 %xb, %db; mov.b64 %xc, %dc;\n"
      "cvt.u32.u64 %ra, %da; cvt.u32.u64 %rb, %db; cvt.u32.u64 %rc, %dc;\n"
      "mov.b32 %fa, %ra; mov.b32 %fb, %rb; mov.b32 %fc, %rc;\n"
      "{}\nst.global.{} [%out], {};\nret;\n}}\n",
      form.code, type, form.result));
}

std::vector<uint64_t> results_of(const Decoded& decoded, Numbers numbers, Tier tier) {
  Bench bench(decoded.program);
  bench.buffer(sources(numbers));
  const Allocation& out = bench.buffer(std::vector<std::byte>(size_t{8} * threads * blocks));
  EXPECT_EQ(bench.run({blocks, 1, 1}, {threads, 1, 1}, 1, true, tier).end, GridOutcome::End::finished);
  std::vector<uint64_t> results(size_t{threads} * blocks);
  std::memcpy(results.data(), out.host, 8 * results.size());
  return results;
}

std::vector<Unit> units_in(const program::Program& program, LanesAt lanes) {
  std::vector<uint32_t> starts;
  for (uint32_t at = 0; at < program.ops.size(); ++at)
    if (program.ops[at].handlers.run[program::all_lanes] == &run_enter) starts.push_back(at);
  const Observers observers(true, {threads, 1, 1});
  const CompileRequest request{.program = &program,
                               .ops = program.ops.data(),
                               .starts = &starts,
                               .mode = program::all_lanes,
                               .observers = &observers,
                               .checks = true};
  return units_of(request, lanes);
}

// How many instructions of the program handlers run.
size_t handlers_in(const program::Program& program, LanesAt lanes) {
  size_t handlers = 0;
  for (const Unit& unit : units_in(program, lanes))
    handlers += static_cast<size_t>(std::ranges::count_if(unit.code, [](const Instruction& i) {
      return i.opcode == Opcode::call || i.opcode == Opcode::leave;
    }));
  return handlers;
}

bool has_loop(const program::Program& program) {
  return std::ranges::any_of(units_in(program, LanesAt::registers), [](const Unit& unit) {
    return std::ranges::find(unit.code, Opcode::loop, &Instruction::opcode) != unit.code.end();
  });
}

// A NaN of 64 bits keeps its bits. Which one, if several sources are NaN, depends on the order in which the
// compiler of the handlers takes them; so that is not compared.
bool has_several_nans(Numbers numbers, const uint64_t (&in)[3]) {
  return numbers == Numbers::f64 && std::ranges::count_if(in, [](uint64_t bits) {
                                      return (bits & ~(uint64_t{1} << 63)) > uint64_t{0x7ff} << 52;
                                    }) > 1;
}

TEST(Lanes, HaveTheBitsThatHandlersGive) {
  for (const InstructionSet& set : exec::test::instruction_sets()) {
    if (target_for(set.table) == nullptr) continue;
    for (const Form& form : all_forms()) {
      SCOPED_TRACE(fmt::format("{}: {}", set.name, form.code));
      const Decoded decoded = exec::test::decode(kernel_of(form), "k", *set.table);
      ASSERT_NE(decoded.program, nullptr) << decoded.errors;
      const std::vector<uint64_t> wanted = results_of(decoded, form.numbers, Tier::off);
      for (const Tier tier : {Tier::always, Tier::executor}) {
        const std::vector<uint64_t> got = results_of(decoded, form.numbers, tier);
        const std::vector<std::byte> from = sources(form.numbers);
        uint32_t wrong = 0;
        for (size_t i = 0; i < wanted.size(); ++i) {
          uint64_t in[3];
          std::memcpy(in, from.data() + 24 * i, 24);
          if (wanted[i] == got[i] || has_several_nans(form.numbers, in)) continue;
          if (++wrong < 4)
            ADD_FAILURE() << fmt::format("{:x} {:x} {:x}: {:x}, not {:x}", in[0], in[1], in[2], got[i],
                                         wanted[i]);
        }
      }
      const bool in_registers = set.name == std::string_view("avx512");
      if (!in_registers && form.is_function) continue;
      EXPECT_EQ(handlers_in(*decoded.program, in_registers ? LanesAt::registers : LanesAt::frame), 0u);
    }
  }
}

TEST(Lanes, HaveThemInLoopsOfManyInstructions) {
  for (const InstructionSet& set : exec::test::instruction_sets()) {
    if (target_for(set.table) == nullptr) continue;
    for (uint32_t seed = 1; seed <= 60; ++seed) {
      const Form form = loop_of_forms(seed);
      const Decoded decoded = exec::test::decode(kernel_of(form), "k", *set.table);
      ASSERT_NE(decoded.program, nullptr) << decoded.errors << form.code;
      EXPECT_TRUE(has_loop(*decoded.program)) << form.code;
      const std::vector<uint64_t> wanted = results_of(decoded, form.numbers, Tier::off);
      for (const Tier tier : {Tier::always, Tier::executor})
        EXPECT_TRUE(results_of(decoded, form.numbers, tier) == wanted)
            << set.name << ", seed " << seed << "\n"
            << form.code;
    }
  }
}

}  // namespace THIS_FILE

}  // namespace warplens::exec::jit::test

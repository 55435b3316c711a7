#include "core/ptx/parser/parse.h"

#include <gtest/gtest.h>

#include "core/ptx/print/print.h"
#include "tests/core/ptx/support.h"

namespace warplens::ptx {
namespace THIS_FILE {

std::shared_ptr<const Module> good(const std::string& text) {
  ParseResult result = parse(text, "test.ptx");
  EXPECT_TRUE(result.module) << to_text(result.diagnostics);
  return result.module ? result.module : std::make_shared<Module>();
}

const Instruction& first(const Function& function, Opcode opcode) {
  for (const Instruction& instruction : function.instructions) {
    if (instruction.opcode == opcode) return instruction;
  }
  ADD_FAILURE() << "no " << text_of(opcode);
  return function.instructions.front();
}

TEST(PtxParse, TakesEverySample) {
  for (const auto& path : test::samples()) {
    const ParseResult result = parse(test::read(path), path.filename().string());
    EXPECT_TRUE(result.module) << to_text(result.diagnostics);
    EXPECT_TRUE(result.diagnostics.empty());
  }
}

TEST(PtxParse, TakesBracesAroundASingleValueOfLoadsAndStores) {
  const auto module = good(
      ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n.reg .b64 %d; "
      ".reg .b32 %r;\n"
      "ld.param.u64 %d, [p]; ld.global.b32 { %r }, [ %d + 0 ]; st.global.b32 [ %d + 4 ], { %r }; ret;\n}\n");
  const Function& function = *module->find_entry("k");
  const Instruction& store = first(function, Opcode::st);
  EXPECT_EQ(function.operands[store.first_operand + 1].kind, OperandKind::reg);
}

TEST(PtxParse, ReadsTheHeaderAndTheFiles) {
  const auto module = good(test::read(test::data("module.ptx")));
  EXPECT_EQ(module->version_major, 8u);
  EXPECT_EQ(module->version_minor, 8u);
  EXPECT_EQ(module->target, "sm_75");
  EXPECT_EQ(module->target_number, 75u);
  EXPECT_EQ(module->address_bits, 64u);
  ASSERT_NE(module->find_file(2), nullptr);
  EXPECT_EQ(module->find_file(2)->name, "header.h");
  EXPECT_EQ(module->find_file(9), nullptr);
  ASSERT_NE(module->find_entry("add"), nullptr);
  EXPECT_EQ(module->find_entry("twice"), nullptr);
}

TEST(PtxParse, ReadsWhichVariablesAreManaged) {
  const std::string text =
      ".version 8.0\n.target sm_86\n.address_size 64\n"
      ".global .attribute( .managed ) .align 4 .u32 total = 5;\n"
      ".visible .global .attribute(.unified(1, 2), .managed) .b8 x[4];\n"
      ".global .attribute(.unified(1, 2)) .u32 y; // .attribute(.managed) .u32 y;\n";
  const auto module = good(text);
  for (const auto& read : {module, good(print(*module))}) {
    ASSERT_EQ(read->variables.size(), 3u);
    EXPECT_TRUE(read->variables[0].managed);
    EXPECT_TRUE(read->variables[1].managed);
    EXPECT_FALSE(read->variables[2].managed);
  }
}

TEST(PtxParse, ReadsVariablesAndTheirInitialValues) {
  const auto module = good(test::read(test::data("module.ptx")));
  const Variable& rows = module->variables[2];
  EXPECT_EQ(rows.name, "rows");
  EXPECT_EQ(rows.bytes, 24u);
  EXPECT_EQ(rows.linkage, Linkage::visible);
  const std::vector<uint8_t> wanted = {0, 0, 128, 63, 0, 0, 0, 64, 0, 0, 0, 0, 0, 0, 64, 64};
  EXPECT_EQ(rows.initial, wanted);
  const Variable& pointer = module->variables[3];
  ASSERT_EQ(pointer.relocations.size(), 1u);
  EXPECT_EQ(pointer.relocations[0].symbol, "rows");
  EXPECT_EQ(pointer.relocations[0].addend, 12);
  EXPECT_TRUE(pointer.relocations[0].generic);
  EXPECT_TRUE(module->variables[5].unsized);
  EXPECT_EQ(module->variables[5].space, StateSpace::shared);
}

TEST(PtxParse, ReadsTheFunctionsHeader) {
  const auto module = good(test::read(test::data("module.ptx")));
  const Function& add = *module->find_entry("add");
  EXPECT_EQ(add.parameters.size(), 3u);
  EXPECT_EQ(add.parameters[1].bytes, 24u);
  EXPECT_EQ(add.parameters[1].alignment, 8u);
  ASSERT_TRUE(add.max_threads);
  EXPECT_EQ(add.max_threads->x, 256u);
  EXPECT_EQ(add.min_blocks_per_sm, 2u);
  EXPECT_FALSE(module->functions[0].has_body);
  EXPECT_EQ(module->functions[0].linkage, Linkage::external);
  EXPECT_EQ(module->functions[1].name, "twice");
  EXPECT_TRUE(module->functions[1].has_body);
}

TEST(PtxParse, NamesInlinedFunctions) {
  const auto module = good(test::read(test::data("module.ptx")));
  const Function& add = *module->find_entry("add");
  const Location& deep = module->locations[first(add, Opcode::ld).location];
  EXPECT_EQ(deep.line, 12u);
  bool found = false;
  for (const Instruction& instruction : add.instructions) {
    const Location& place = module->locations[instruction.location];
    if (place.file != 3) continue;
    found = true;
    EXPECT_EQ(place.function, "pme");
    const Location& middle = module->locations[place.inlined_at];
    EXPECT_EQ(middle.function, "_Z4helpme");
    EXPECT_EQ(module->locations[middle.inlined_at].line, 16u);
  }
  EXPECT_TRUE(found);
}

TEST(PtxParse, KeepsAnInlinedPlaceWhoseCallerHasNoLocOfItsOwn) {
  const auto module = good(test::kernel(".loc 2 5 1, function_name $L0, inlined_at 1 9 2\n exit;"));
  const Function& k = *module->find_entry("k");
  const Location& place = module->locations[k.instructions[0].location];
  EXPECT_EQ(place.file, 2u);
  EXPECT_EQ(place.function, "$L0");
  EXPECT_EQ(module->locations[place.inlined_at].line, 9u);
}

TEST(PtxParse, GivesScopesTheirOwnLabelsAndRegisters) {
  const auto module = good(test::read(test::data("module.ptx")));
  const Function& add = *module->find_entry("add");
  std::vector<uint32_t> targets, guards;
  for (const Instruction& instruction : add.instructions) {
    if (instruction.opcode != Opcode::bra) continue;
    targets.push_back(add.operands_of(instruction)[0].index);
    guards.push_back(instruction.guard);
  }
  ASSERT_EQ(targets.size(), 3u);
  EXPECT_NE(targets[0], targets[1]);
  EXPECT_NE(guards[0], guards[1]);
  EXPECT_EQ(add.labels[targets[0]].name, "DONE");
  EXPECT_EQ(add.labels[targets[1]].name, "DONE");
}

TEST(PtxParse, GivesCallsThreeOrFourOperands) {
  const auto module = good(test::read(test::data("module.ptx")));
  const Function& add = *module->find_entry("add");
  std::vector<const Instruction*> calls;
  for (const Instruction& instruction : add.instructions) {
    if (instruction.opcode == Opcode::call) calls.push_back(&instruction);
  }
  ASSERT_EQ(calls.size(), 2u);
  const auto direct = add.operands_of(*calls[0]), indirect = add.operands_of(*calls[1]);
  ASSERT_EQ(direct.size(), 3u);
  EXPECT_EQ(direct[1].symbol_kind, SymbolKind::function);
  EXPECT_EQ(module->functions[direct[1].index].name, "twice");
  ASSERT_EQ(direct[2].children, 1u);
  EXPECT_EQ(add.variables[add.children_of(direct[2])[0].index].name, "param0");
  ASSERT_EQ(indirect.size(), 4u);
  EXPECT_EQ(indirect[1].kind, OperandKind::reg);
  EXPECT_TRUE(add.labels[indirect[3].index].prototype);
}

TEST(PtxParse, GivesOperandsTheirShapes) {
  const auto module = good(test::read(test::data("module.ptx")));
  const Function& add = *module->find_entry("add");
  const auto setp = add.operands_of(first(add, Opcode::setp));
  ASSERT_EQ(setp.size(), 3u);
  const auto shfl = add.operands_of(first(add, Opcode::shfl));
  ASSERT_EQ(shfl.size(), 5u);
  EXPECT_EQ(shfl[0].kind, OperandKind::pair);
  EXPECT_EQ(shfl[4].bits, ~uint64_t{0});
  const auto atom = add.operands_of(first(add, Opcode::atom));
  EXPECT_EQ(atom[1].kind, OperandKind::address);
  EXPECT_EQ(atom[1].base, OperandKind::symbol);
  EXPECT_EQ(atom[3].bits, 255u);
  const auto brx = add.operands_of(first(add, Opcode::brx));
  EXPECT_EQ(add.labels[brx[1].index].branch_targets.size(), 2u);
  EXPECT_EQ(add.labels[add.labels[brx[1].index].branch_targets[1]].name, "$L_b");
}

TEST(PtxParse, StoresFloatsInTheWidthOfTheInstruction) {
  const auto module =
      good(test::kernel("mov.f32 %f1, 1.5; mov.f64 %d1, 0f3F800000; mov.b32 %r1, 0f3F800000;"));
  const Function& k = *module->find_entry("k");
  EXPECT_EQ(k.operands_of(k.instructions[0])[1].bits, 0x3FC00000u);
  EXPECT_EQ(k.operands_of(k.instructions[0])[1].immediate_type, Modifier::f32);
  EXPECT_EQ(k.operands_of(k.instructions[1])[1].bits, 0x3FF0000000000000u);
  EXPECT_EQ(k.operands_of(k.instructions[2])[1].bits, 0x3F800000u);
}

TEST(PtxParse, MakesOnlyTheRegistersOfARangeThatAreUsed) {
  const auto module = good(test::kernel(".reg .b32 %big<1000000>; mov.b32 %big999999, 1;"));
  EXPECT_EQ(module->find_entry("k")->registers.size(), 2u);  // %v too
  const ParseResult result = parse(test::kernel(".reg .b32 %big<4000000000>;"), "test.ptx");
  ASSERT_EQ(result.diagnostics.size(), 1u);
  EXPECT_NE(result.diagnostics[0].message.find("too many registers"), std::string::npos);
}

TEST(PtxParse, TakesAnyNameForAKernel) {
  for (const std::string name : {"add", "exit", "ld", "_", "$x", "L"}) {
    if (name == "_") continue;
    const auto module =
        good(".version 7.0\n.target sm_50\n.address_size 64\n.visible .entry " + name + "() { ret; }");
    EXPECT_NE(module->find_entry(name), nullptr);
  }
}

TEST(PtxParse, ResolvesAliases) {
  const auto module = good(
      ".version 7.0\n.target sm_50\n.address_size 64\n.func f() { ret; }\n.func g();\n.alias g, f;\n"
      ".entry k() { call g; ret; }");
  const Function& k = *module->find_entry("k");
  EXPECT_EQ(module->functions[k.operands_of(k.instructions[0])[1].index].name, "f");
}

// Data: tests/core/ptx/data/instructions.txt.
TEST(PtxParse, JudgesInstructionsAsPtxasDoes) {
  std::istringstream lines(test::read(test::data("instructions.txt")));
  size_t count = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line[0] == '#') continue;
    ++count;
    const bool wanted = line.starts_with("ok ");
    const size_t comment = line.find(" // ");
    const ParseResult result = parse(test::kernel(line.substr(3, comment - 3)), "test.ptx");
    EXPECT_EQ(result.module != nullptr, wanted) << line << "\n" << to_text(result.diagnostics);
    if (wanted || result.diagnostics.empty()) continue;
    EXPECT_EQ(result.diagnostics[0].message, line.substr(comment + 4)) << line;
    EXPECT_TRUE(result.diagnostics[0].line == test::k_body_line ||
                result.diagnostics[0].line == test::k_body_line + 1);
  }
  EXPECT_GT(count, 150u);
}

}  // namespace THIS_FILE
}  // namespace warplens::ptx

#include "core/program/call_graph.h"

#include <algorithm>

#include "core/program/program.h"

namespace warplens::program {

namespace {

using ptx::Opcode;
using ptx::Operand;
using ptx::OperandKind;
using ptx::SymbolKind;

bool is_function(const Operand& operand) {
  return operand.kind == OperandKind::symbol && operand.symbol_kind == SymbolKind::function;
}

struct References {
  std::vector<uint32_t> called, taken;  // in module.functions
  bool calls_by_address = false;
};

// Every symbol that is not a callee may become an address in a register.
References references_of(const ptx::Function& function) {
  References found;
  std::vector<bool> is_callee(function.operands.size(), false);
  for (const ptx::Instruction& instruction : function.instructions) {
    if (instruction.opcode != Opcode::call) continue;
    const Operand& callee = function.operands_of(instruction)[1];
    if (is_function(callee)) {
      found.called.push_back(callee.index);
      is_callee[instruction.first_operand + 1] = true;
    } else {
      found.calls_by_address = true;
    }
  }
  for (size_t i = 0; i < function.operands.size(); ++i) {
    if (is_function(function.operands[i]) && !is_callee[i]) found.taken.push_back(function.operands[i].index);
  }
  for (const ptx::Label& label : function.labels)
    found.taken.insert(found.taken.end(), label.call_targets.begin(), label.call_targets.end());
  return found;
}

// Functions whose addresses are initial values of module variables, such as tables of virtual functions.
std::vector<uint32_t> in_initial_values(const ptx::Module& module) {
  std::vector<uint32_t> found;
  const auto look = [&](const std::vector<ptx::Variable>& variables) {
    for (const ptx::Variable& variable : variables) {
      for (const ptx::Relocation& relocation : variable.relocations) {
        const auto named = std::ranges::find(module.functions, relocation.symbol, &ptx::Function::name);
        if (named != module.functions.end())
          found.push_back(static_cast<uint32_t>(named - module.functions.begin()));
      }
    }
  };
  look(module.variables);
  for (const ptx::Function& function : module.functions) look(function.variables);
  return found;
}

class Builder {
 public:
  explicit Builder(const ptx::Module& module) : m_module(module) {
    m_graph.place.assign(module.functions.size(), no_function);
  }

  CallGraph build(uint32_t entry) {
    add(entry);
    for (size_t i = 0; i < m_graph.functions.size(); ++i) visit(i);
    if (m_by_address) {
      for (uint32_t f : in_initial_values(m_module)) take(f);
      for (size_t i = m_references.size(); i < m_graph.functions.size(); ++i) visit(i);
    }
    connect();
    return std::move(m_graph);
  }

 private:
  void add(uint32_t function) {
    if (m_graph.place[function] != no_function || !m_module.functions[function].has_body) return;
    m_graph.place[function] = static_cast<uint32_t>(m_graph.functions.size());
    m_graph.functions.push_back(function);
  }
  void take(uint32_t function) {
    if (m_module.functions[function].is_entry) return;  // kernels cannot be called
    add(function);
    const uint32_t place = m_graph.place[function];
    auto& taken = m_graph.address_taken;
    if (place != no_function && std::ranges::find(taken, place) == taken.end()) taken.push_back(place);
  }
  void visit(size_t place) {
    m_references.push_back(references_of(m_module.functions[m_graph.functions[place]]));
    const References& references = m_references.back();
    m_by_address = m_by_address || references.calls_by_address;
    for (uint32_t f : references.called) add(f);
    for (uint32_t f : references.taken) take(f);
  }
  void connect() {
    const size_t count = m_graph.functions.size();
    m_graph.is_complete = count <= max_functions;
    if (!m_graph.is_complete) return;
    m_graph.callees.resize(count);
    for (size_t i = 0; i < count; ++i) {
      std::vector<uint32_t>& callees = m_graph.callees[i];
      for (uint32_t f : m_references[i].called) {
        if (m_graph.place[f] != no_function) callees.push_back(m_graph.place[f]);
      }
      if (m_references[i].calls_by_address)
        callees.insert(callees.end(), m_graph.address_taken.begin(), m_graph.address_taken.end());
      std::ranges::sort(callees);
      callees.erase(std::unique(callees.begin(), callees.end()), callees.end());
    }
    m_graph.reaches.assign(count, std::vector<bool>(count, false));
    for (uint32_t i = 0; i < count; ++i) {
      std::vector<uint32_t> work{i};
      while (!work.empty()) {
        const uint32_t f = work.back();
        work.pop_back();
        for (uint32_t callee : m_graph.callees[f]) {
          if (m_graph.reaches[i][callee]) continue;
          m_graph.reaches[i][callee] = true;
          work.push_back(callee);
        }
      }
    }
  }

  const ptx::Module& m_module;
  CallGraph m_graph;
  std::vector<References> m_references;  // by place
  bool m_by_address = false;
};

}  // namespace

LibraryFunction library_function(std::string_view name) {
  if (name == "vprintf") return LibraryFunction::vprintf;
  if (name == "malloc") return LibraryFunction::malloc;
  if (name == "free") return LibraryFunction::free;
  if (name == "__assertfail") return LibraryFunction::assert_fail;
  return LibraryFunction::none;
}

CallGraph call_graph_of(const ptx::Module& module, uint32_t entry) { return Builder(module).build(entry); }

}  // namespace warplens::program

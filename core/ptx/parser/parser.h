// The recursive-descent parser for one PTX text. It needs a single pass. Its parts: parser_module.cpp
// (directives of the module), parser_function.cpp (.entry, .func and bodies), parser_declaration.cpp
// (registers, variables), parser_initial.cpp (initialisers), parser_instruction.cpp, parser_operand.cpp,
// parser_constant.cpp, parser_debug.cpp (.file, .loc, .section).
//
// A function that returns bool reports its own error and returns false; the caller then skips to the end of
// the statement and goes on.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "core/ptx/lexer/lexer.h"
#include "core/ptx/lexer/reporter.h"
#include "core/ptx/parser/names.h"
#include "core/ptx/tree.h"

namespace warplens::ptx {

struct Constant {
  uint64_t bits = 0;
  Modifier type = Modifier::s64;  // s64, u64, f32 or f64
};

// Limits against hostile texts. Compilers stay far below them.
constexpr size_t k_max_text_bytes = size_t{64} << 20;
constexpr uint32_t k_max_scope_depth = 64;
constexpr uint32_t k_max_expression_depth = 32;
constexpr uint32_t k_max_registers_of_range = 1u << 20;
constexpr uint64_t k_max_variable_bytes = uint64_t{1} << 36;
constexpr uint64_t k_max_initial_bytes = uint64_t{64} << 20;
constexpr uint32_t k_max_operands = 16;

class Parser {
 public:
  Parser(Module& module, Reporter& reporter);
  void run();

 private:
  // A .loc whose function_name points into .debug_str. That section is at the end of the text, so the name
  // is read later.
  struct StringUse {
    uint32_t location = 0;
    std::string_view label;
    uint64_t offset = 0;
  };

  // Tokens.
  void advance();
  bool accept(char c);
  bool accept_word(std::string_view word);
  bool expect(char c, std::string_view where);
  bool expect_name(std::string_view what, Token& name);
  bool fail(const Token& token, std::string message);
  bool fail_here(std::string_view wanted);
  std::string found() const;  // the current token, for messages
  void skip_statement();
  void skip_braces();

  // Module.
  void module_statement();
  bool module_directive();
  bool version();
  bool target();
  bool address_size();
  bool alias();
  bool string_list(std::string_view directive);
  bool linked_declaration();
  void finish_module();
  void check_relocations(const std::vector<Variable>& variables);

  // Debug information.
  bool file();
  bool location();
  bool location_attributes(Location& place, StringUse& string);
  bool place_numbers(Location& place, std::string_view directive);
  bool section();
  bool debug_strings();
  void name_inlined_functions();

  // Functions.
  bool function(bool is_entry, Linkage linkage);
  bool function_attributes(Function& function);
  bool function_attribute(Function& function);
  bool dimensions(Dim3& size);
  bool parameter_list(std::vector<Variable>& list, bool names_wanted);
  bool parameter(Variable& variable, bool name_wanted);
  bool enter_function(Function& function, const Token& name, uint32_t& slot);
  void declare_parameters();
  void body();
  void statement();
  bool body_directive();
  void open_scope();
  void close_scope();
  void resolve_labels();
  void bind_label(const LabelUse& use, uint32_t label);
  bool label(const Token& name);
  bool branch_targets(uint32_t label);
  bool call_targets(uint32_t label);
  bool call_prototype(uint32_t label);

  // Declarations.
  bool registers();
  bool register_name(Modifier type, uint8_t vector);
  bool variables(StateSpace space, Linkage linkage);
  bool variable(Variable variable);
  bool type_and_alignment(Variable& variable);
  bool attribute_list(bool& managed);
  bool pointer_attributes();
  bool declare(const Variable& variable, const Token& name);
  bool array_sizes(std::vector<uint64_t>& sizes, bool& unsized);
  bool size_of_variable(Variable& variable, const std::vector<uint64_t>& sizes, const Token& name);
  bool check_space(const Variable& variable, const Token& name);
  bool initial_value(Variable& variable, std::vector<uint64_t>& sizes, bool unsized);
  bool initial_level(Variable& variable, const std::vector<uint64_t>& sizes, size_t level, uint64_t element,
                     uint64_t& count);
  bool initial_element(Variable& variable, uint64_t element);
  bool initial_mask(Variable& variable, uint64_t offset, uint64_t mask, const Token& at);
  bool initial_symbol(Variable& variable, uint64_t offset);
  bool store_initial(Variable& variable, uint64_t offset, const Constant& constant, const Token& at);

  // Instructions.
  bool guarded_instruction();
  bool instruction(const Token& mnemonic, std::optional<Operand> guard);
  bool guard(std::optional<Operand>& guard);
  bool modifiers(const Token& mnemonic, Opcode opcode);
  std::string_view full_text(const Token& mnemonic) const;
  bool unknown_mnemonic(const Token& mnemonic);
  bool operands(Opcode opcode);
  bool call_operands();
  bool call_list(Operand& list);
  bool add_operand(const Operand& operand, TextPosition place);
  void store_instruction(Instruction instruction);

  // Operands.
  bool operand(Operand& operand, bool wants_label);
  bool simple_operand(Operand& operand);
  bool element_operand(Operand& operand);
  bool coordinates(Operand& result);
  bool address_operand(Operand& operand);
  bool address_offset(Operand& operand);
  bool vector_operand(Operand& operand);
  bool pair_operand(Operand& operand);
  bool label_operand(Operand& operand);
  bool named_operand(Operand& operand);
  bool symbol_offset(Operand& operand);
  bool part(Operand& result, const Token& name);
  bool component(Operand& operand, const Token& name);
  void add_children(Operand& operand, const std::vector<Operand>& children);
  std::optional<Name> find_name(std::string_view name);
  std::optional<Name> find_range_register(Scope& scope, std::string_view name);

  // Constants.
  bool constant(Constant& value);
  bool constant_binary(Constant& value, int minimum, uint32_t depth);
  bool constant_unary(Constant& value, uint32_t depth);
  bool unsigned_constant(uint64_t& value, std::string_view what);
  bool number(const Token& token, Constant& value);
  bool at_constant() const;

  Module& m_module;
  Reporter& m_report;
  Lexer m_lexer;
  Token m_token;

  // Of the module.
  Scope m_module_names;
  std::unordered_map<std::string_view, std::string_view> m_aliases;
  std::map<std::tuple<uint32_t, uint32_t, uint32_t>, uint32_t> m_places;  // file, line, column → location
  std::unordered_map<std::string_view, uint64_t> m_string_labels;         // in .debug_str
  std::string m_string_bytes;
  std::vector<StringUse> m_string_uses;
  uint64_t m_initial_bytes = 0;  // of all variables

  // Of the function being parsed.
  Function m_function;
  std::vector<Scope> m_scopes;
  bool m_in_function = false;
  uint32_t m_location = 0;

  // Of the instruction being parsed.
  std::array<Operand, k_max_operands> m_operands;
  std::array<TextPosition, k_max_operands> m_operand_places;
  std::array<std::string_view, k_max_operands> m_label_names;
  uint32_t m_operand_count = 0;
  std::string_view m_label_name;  // of the latest label_operand
  bool m_has_parts = false;       // operands of a video instruction may name bytes and half-words
  std::vector<Operand> m_children;
};

}  // namespace warplens::ptx

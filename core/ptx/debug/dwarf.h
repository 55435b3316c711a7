// The DWARF constants that are used here (DWARF 2 to 4, sections 7.5 and 7.7).
#pragma once

#include <cstdint>

namespace warplens::debug {

enum Tag : uint16_t {
  tag_array_type = 0x01,
  tag_class_type = 0x02,
  tag_enumeration_type = 0x04,
  tag_formal_parameter = 0x05,
  tag_lexical_block = 0x0b,
  tag_member = 0x0d,
  tag_pointer_type = 0x0f,
  tag_reference_type = 0x10,
  tag_compile_unit = 0x11,
  tag_structure_type = 0x13,
  tag_typedef = 0x16,
  tag_union_type = 0x17,
  tag_inheritance = 0x1c,
  tag_inlined_subroutine = 0x1d,
  tag_subrange_type = 0x21,
  tag_base_type = 0x24,
  tag_const_type = 0x26,
  tag_enumerator = 0x28,
  tag_subprogram = 0x2e,
  tag_variable = 0x34,
  tag_volatile_type = 0x35,
  tag_restrict_type = 0x37,
  tag_rvalue_reference_type = 0x42
};

enum AttributeName : uint16_t {
  at_location = 0x02,
  at_name = 0x03,
  at_byte_size = 0x0b,
  at_bit_offset = 0x0c,
  at_bit_size = 0x0d,
  at_low_pc = 0x11,
  at_high_pc = 0x12,
  at_const_value = 0x1c,
  at_producer = 0x25,
  at_upper_bound = 0x2f,
  at_abstract_origin = 0x31,
  at_count = 0x37,
  at_data_member_location = 0x38,
  at_decl_file = 0x3a,
  at_decl_line = 0x3b,
  at_encoding = 0x3e,
  at_specification = 0x47,
  at_type = 0x49,
  at_ranges = 0x55,
  at_call_line = 0x59,
  at_data_bit_offset = 0x6b,
  at_linkage_name = 0x6e,
  at_mips_linkage_name = 0x2007
};

enum Form : uint16_t {
  form_addr = 0x01,
  form_block2 = 0x03,
  form_block4 = 0x04,
  form_data2 = 0x05,
  form_data4 = 0x06,
  form_data8 = 0x07,
  form_string = 0x08,
  form_block = 0x09,
  form_block1 = 0x0a,
  form_data1 = 0x0b,
  form_flag = 0x0c,
  form_sdata = 0x0d,
  form_strp = 0x0e,
  form_udata = 0x0f,
  form_ref_addr = 0x10,
  form_ref1 = 0x11,
  form_ref2 = 0x12,
  form_ref4 = 0x13,
  form_ref8 = 0x14,
  form_ref_udata = 0x15,
  form_indirect = 0x16,
  form_sec_offset = 0x17,
  form_exprloc = 0x18,
  form_flag_present = 0x19,
  form_ref_sig8 = 0x20
};

enum Operation : uint8_t {
  op_addr = 0x03,
  op_const1u = 0x08,
  op_const1s = 0x09,
  op_const2u = 0x0a,
  op_const2s = 0x0b,
  op_const4u = 0x0c,
  op_const4s = 0x0d,
  op_const8u = 0x0e,
  op_const8s = 0x0f,
  op_constu = 0x10,
  op_consts = 0x11,
  op_plus = 0x22,
  op_plus_uconst = 0x23,
  op_lit0 = 0x30,
  op_lit31 = 0x4f,
  op_regx = 0x90,
  op_bregx = 0x92,
  op_stack_value = 0x9f
};

}  // namespace warplens::debug

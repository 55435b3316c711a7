#pragma once
// The standard library for kernels that comes with CUDA. Names one by one: all of it would hide functions
// such as ::abs.
#include <cuda/std/array>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>
namespace std {
using cuda::std::array, cuda::std::get, cuda::std::tuple, cuda::std::make_tuple, cuda::std::tie,
    cuda::std::pair, cuda::std::make_pair, cuda::std::move, cuda::std::forward, cuda::std::declval,
    cuda::std::exchange, cuda::std::integer_sequence, cuda::std::index_sequence,
    cuda::std::make_index_sequence, cuda::std::integral_constant, cuda::std::bool_constant,
    cuda::std::true_type, cuda::std::false_type, cuda::std::enable_if, cuda::std::enable_if_t,
    cuda::std::conditional, cuda::std::conditional_t, cuda::std::void_t, cuda::std::is_same,
    cuda::std::is_same_v, cuda::std::is_base_of, cuda::std::is_base_of_v, cuda::std::is_convertible,
    cuda::std::is_convertible_v, cuda::std::is_integral, cuda::std::is_integral_v,
    cuda::std::is_floating_point, cuda::std::is_floating_point_v, cuda::std::is_arithmetic,
    cuda::std::is_arithmetic_v, cuda::std::is_signed, cuda::std::is_signed_v, cuda::std::is_unsigned,
    cuda::std::is_unsigned_v, cuda::std::is_pointer, cuda::std::is_pointer_v, cuda::std::is_reference,
    cuda::std::is_reference_v, cuda::std::is_const, cuda::std::is_const_v, cuda::std::is_enum,
    cuda::std::is_enum_v, cuda::std::is_class, cuda::std::is_class_v, cuda::std::is_void,
    cuda::std::is_void_v, cuda::std::is_trivially_copyable, cuda::std::is_trivially_copyable_v,
    cuda::std::remove_reference, cuda::std::remove_reference_t, cuda::std::remove_pointer,
    cuda::std::remove_pointer_t, cuda::std::remove_const, cuda::std::remove_const_t, cuda::std::remove_cv,
    cuda::std::remove_cv_t, cuda::std::add_const, cuda::std::add_const_t, cuda::std::add_pointer,
    cuda::std::add_pointer_t, cuda::std::decay, cuda::std::decay_t, cuda::std::make_signed,
    cuda::std::make_signed_t, cuda::std::make_unsigned, cuda::std::make_unsigned_t,
    cuda::std::underlying_type, cuda::std::underlying_type_t, cuda::std::common_type,
    cuda::std::common_type_t;
}  // namespace std

#include "core/expression/evaluate.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace warplens::expression {

namespace {

// Each operation is compiled for its Op alone, since a fill computes one for every element of an array.
template <Op op, class T>
bool compares(T a, T b) {
  if constexpr (op == Op::equal) return a == b;
  if constexpr (op == Op::unequal) return a != b;
  if constexpr (op == Op::less) return a < b;
  if constexpr (op == Op::less_equal) return a <= b;
  if constexpr (op == Op::greater) return a > b;
  if constexpr (op == Op::greater_equal) return a >= b;
}

template <Op op>
Value of_doubles(double a, double b) {
  if constexpr (is_comparison(op)) return compares<op>(a, b);
  if constexpr (op == Op::add) return a + b;
  if constexpr (op == Op::subtract) return a - b;
  if constexpr (op == Op::multiply) return a * b;
  if constexpr (op == Op::divide) return a / b;
  if constexpr (op == Op::remainder) return std::fmod(a, b);
  if constexpr (op == Op::quotient_up) return std::ceil(a / b);
  if constexpr (op == Op::smaller || op == Op::larger) {
    if (std::isnan(a) || std::isnan(b)) return {};
    return (a <= b) == (op == Op::smaller) ? a : b;
  }
  return {};  // doubles have no bits
}

template <Op op>
Value of_whole(int64_t a, int64_t b) {
  if constexpr (is_comparison(op)) return compares<op>(a, b);
  if constexpr (op == Op::smaller) return a < b ? a : b;
  if constexpr (op == Op::larger) return a < b ? b : a;
  if constexpr (op == Op::bit_or) return a | b;
  if constexpr (op == Op::bit_xor) return a ^ b;
  if constexpr (op == Op::bit_and) return a & b;
  if constexpr (op == Op::shift_left || op == Op::shift_right) {
    if (b < 0 || b > 63) return {};
    return op == Op::shift_left ? static_cast<int64_t>(static_cast<uint64_t>(a) << b) : a >> b;
  }
  int64_t value = 0;
  if constexpr (op == Op::add) return __builtin_add_overflow(a, b, &value) ? Value{} : value;
  if constexpr (op == Op::subtract) return __builtin_sub_overflow(a, b, &value) ? Value{} : value;
  if constexpr (op == Op::multiply) return __builtin_mul_overflow(a, b, &value) ? Value{} : value;
  if (b == 0 || (a == INT64_MIN && b == -1)) return {};
  if constexpr (op == Op::divide) return a / b;
  if constexpr (op == Op::remainder) return a % b;
  if constexpr (op == Op::quotient_up) return a / b + (a % b != 0 && (a < 0) == (b < 0) ? 1 : 0);
}

// Large numbers are computed without a sign: sums, differences and products wrap, as in C.
template <Op op>
Value of_large(Value left, Value right) {
  if constexpr (is_comparison(op)) return compares<op>(order(left, right), 0);
  if constexpr (op == Op::smaller) return order(left, right) < 0 ? left : right;
  if constexpr (op == Op::larger) return order(left, right) < 0 ? right : left;
  const uint64_t a = left.bits(), b = right.bits();
  if constexpr (op == Op::bit_or) return a | b;
  if constexpr (op == Op::bit_xor) return a ^ b;
  if constexpr (op == Op::bit_and) return a & b;
  if constexpr (op == Op::shift_left || op == Op::shift_right) {
    if (b > 63) return {};
    if (left.type() != Type::large) return of_whole<op>(left.whole(), right.whole());
    return op == Op::shift_left ? a << b : a >> b;
  }
  if constexpr (op == Op::add) return a + b;
  if constexpr (op == Op::subtract) return a - b;
  if constexpr (op == Op::multiply) return a * b;
  if (b == 0) return {};
  if constexpr (op == Op::divide) return a / b;
  if constexpr (op == Op::remainder) return a % b;
  if constexpr (op == Op::quotient_up) return a / b + (a % b != 0 ? 1 : 0);
}

template <Op op>
Value of_two(Value a, Value b) {
  if (a.type() == Type::whole && b.type() == Type::whole) return of_whole<op>(a.whole(), b.whole());
  if (!a.is_known() || !b.is_known()) return {};
  if (a.is_real() || b.is_real()) return of_doubles<op>(a.number(), b.number());
  if (a.type() == Type::large || b.type() == Type::large) return of_large<op>(a, b);
  return of_whole<op>(a.whole(), b.whole());
}

Value of_one(Op op, Value a) {
  if (!a.is_known()) return {};
  if (op == Op::negation) return !a.holds();
  if (op == Op::as_real) return a.number();
  if (a.is_real())
    return op == Op::negate ? Value(-a.number()) : op == Op::absolute ? std::abs(a.number()) : Value{};
  if (op == Op::invert) return a.type() == Type::large ? Value(~a.bits()) : Value(~a.whole());
  if (op == Op::absolute && (a.type() == Type::large || a.whole() >= 0)) return a;
  if (a.type() == Type::large) return 0 - a.bits();
  return a.whole() == INT64_MIN ? Value{} : -a.whole();
}

Value of_call(const Function& function, Value a) {
  if (!a.is_known() || (function.keeps_whole && !a.is_real())) return a;
  return function.of_one(a.number());
}

Value of_call(const Function& function, Value a, Value b) {
  return a.is_known() && b.is_known() ? Value(function.of_two(a.number(), b.number())) : Value{};
}

// As in C, both become doubles if one is.
Value chosen(Value condition, Value yes, Value no) {
  if (!condition.is_known()) return {};
  const Value& taken = condition.holds() ? yes : no;
  return taken.is_known() && (yes.is_real() || no.is_real()) ? taken.number() : taken;
}

// If the first decides, the second need not be known.
Value joined(Op op, Value a, Value b) {
  if (!a.is_known()) return {};
  if (a.holds() == (op == Op::either)) return op == Op::either;
  return b.is_known() ? Value(b.holds()) : Value{};
}

// Computes the nodes in their order. Values wait in rows, one value for each lane, for their operator.
class Evaluator {
 public:
  Evaluator(const Tree& tree, std::span<const Value> names, size_t lanes, const Elements& elements)
      : m_tree(tree), m_names(names), m_lanes(lanes), m_elements(elements) {}

  std::vector<Value> run(uint32_t node) {
    const std::span<const Node> nodes =
        m_tree.nodes().subspan(m_tree[node].first, node - m_tree[node].first + 1);
    size_t waiting = 0, most = 0;
    for (const Node& at : nodes) {
      waiting = waiting - at.operands + 1;
      most = std::max(most, waiting);
    }
    m_rows.resize(most * m_lanes);
    m_row = m_rows.data();
    for (const Node& at : nodes) {
      m_row -= at.operands * m_lanes;
      compute(at);
      m_row += m_lanes;
    }
    m_rows.resize(m_lanes);
    return std::move(m_rows);
  }

 private:
  // The value in each lane, by the operands in the rows from the place of the result on.
  template <class Function>
  void each(Function function) {
    for (Value *lane = m_row, *end = m_row + m_lanes; lane != end; ++lane) *lane = function(lane);
  }
  template <Op op>
  void two() {
    each([lanes = m_lanes](const Value* lane) { return of_two<op>(lane[0], lane[lanes]); });
  }

  void compute(const Node& at) {
    const size_t lanes = m_lanes;
    switch (at.op) {
      case Op::number:
        return each([&](const Value*) { return at.value; });
      case Op::name:
        if (m_names.size() < (at.which + 1) * lanes) return each([](const Value*) { return Value{}; });
        std::copy_n(m_names.data() + at.which * lanes, lanes, m_row);
        return;
      case Op::element:
        return each([&](const Value* index) {
          return m_elements && index->is_known() ? m_elements(at.which, *index) : Value{};
        });
      case Op::choose:
        return each([=](const Value* lane) { return chosen(lane[0], lane[lanes], lane[2 * lanes]); });
      case Op::either:
      case Op::both:
        return each([=, op = at.op](const Value* lane) { return joined(op, lane[0], lane[lanes]); });
      case Op::negate:
      case Op::invert:
      case Op::negation:
      case Op::absolute:
      case Op::as_real:
        return each([op = at.op](const Value* lane) { return of_one(op, *lane); });
      case Op::call: {
        const Function& function = functions()[at.which];
        if (function.of_two == nullptr)
          return each([&](const Value* lane) { return of_call(function, *lane); });
        return each([&](const Value* lane) { return of_call(function, lane[0], lane[lanes]); });
      }
      default:
        return (this->*binaries(std::make_index_sequence<count_of_binaries>())[static_cast<size_t>(at.op) -
                                                                               first_binary])();
    }
  }

  // The functions of two operands, in the order of Op.
  static constexpr size_t first_binary = static_cast<size_t>(Op::bit_or);
  static constexpr size_t count_of_binaries = static_cast<size_t>(Op::quotient_up) - first_binary + 1;
  template <size_t... number>
  static constexpr std::array<void (Evaluator::*)(), sizeof...(number)> binaries(
      std::index_sequence<number...>) {
    return {&Evaluator::two<static_cast<Op>(first_binary + number)>...};
  }

  const Tree& m_tree;
  std::span<const Value> m_names;
  size_t m_lanes;
  const Elements& m_elements;
  std::vector<Value> m_rows;
  Value* m_row = nullptr;  // the next
};

}  // namespace

Value evaluate(const Tree& tree, std::span<const Value> names, const Elements& elements) {
  return evaluate_part(tree, tree.root(), names, elements);
}

Value evaluate_part(const Tree& tree, uint32_t node, std::span<const Value> names, const Elements& elements) {
  return Evaluator(tree, names, 1, elements).run(node).front();
}

std::vector<Value> evaluate_lanes(const Tree& tree, std::span<const Value> names, size_t lanes) {
  return Evaluator(tree, names, lanes, {}).run(tree.root());
}

}  // namespace warplens::expression

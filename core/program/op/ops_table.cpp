// Which family of handlers knows an instruction.
#include "core/program/op/ops_table.h"

namespace warplens::program {

Handlers find_handlers(const OpsTable& table, const Selector& selector) {
  const auto is_float = ptx::is_float(selector.type);
  for (const auto family : {table.memory, table.carry, table.bits, table.atomic_half, table.atomic,
                            table.compare, table.convert_half, table.convert, table.move, table.logic,
                            table.half, is_float ? table.floating : table.integer}) {
    if (const Handlers handlers = family(selector)) return handlers;
  }
  return {};
}

}  // namespace warplens::program

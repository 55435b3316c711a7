#include "core/kernels/references/references.h"

#include "core/kernels/references/reference_list.h"

namespace warplens {

Reference find_reference(std::string_view name) {
  for (const auto rows : {picture_references(), element_references(), matrix_references(), sum_references(),
                          texture_references()})
    for (const ReferenceRow& row : rows)
      if (row.name == name) return row.reference;
  return nullptr;
}

}  // namespace warplens

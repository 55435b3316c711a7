#include "core/launch/incident_advice.h"

namespace warplens {

std::string without_advice(std::string message) {
  for (const std::string_view advice : {index_advice, address_advice}) {
    const size_t at = message.find(advice);
    if (at == std::string::npos) continue;
    const size_t from = at > 0 && message[at - 1] == ' ' ? at - 1 : at;
    message.erase(from, at + advice.size() - from);
  }
  return message;
}

}  // namespace warplens

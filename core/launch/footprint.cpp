#include "core/launch/footprint.h"

namespace warplens {

const char* to_string(Space space) {
  switch (space) {
    case Space::global:
      return "global";
    case Space::shared:
      return "shared";
    case Space::local:
      return "local";
    case Space::constant:
      return "constant";
    case Space::parameter:
      return "param";
    case Space::generic:
      return "generic";
  }
  return "";
}

const char* verb_of(AccessKind kind) {
  return kind == AccessKind::load ? "reads" : kind == AccessKind::store ? "writes" : "updates";
}

const char* to_string(AccessKind kind) {
  switch (kind) {
    case AccessKind::load:
      return "load";
    case AccessKind::store:
      return "store";
    case AccessKind::atomic:
      return "atomic";
  }
  return "";
}

}  // namespace warplens

// exec runs the programs of core/program, and uses its names without a qualifier.
#pragma once

#include "core/program/op/op.h"

namespace warplens::exec {
using namespace program;
}

// exec runs what core/program describes, and calls it by its plain names.
#pragma once

#include "core/program/op/op.h"

namespace warplens::exec {
using namespace program;
}

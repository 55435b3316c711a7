#!/bin/sh
# Writes docs/instructions.md out of core/ptx/opcodes.def. Needs a built core_tests; BUILD names its folder.
set -e
cd "$(dirname "$0")/../../.."
WARPLENS_REMAKE_REFERENCE=1 "${BUILD:-build/release}/core_tests" --gtest_filter=ReferencePage.IsWhatTheTableSays

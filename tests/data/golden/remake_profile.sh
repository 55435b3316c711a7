#!/bin/sh
# Writes the tables of docs/profile.md and the profiles in tests/data/golden/profile. Needs a built core_tests; BUILD names its
# folder.
set -e
cd "$(dirname "$0")/../../.."
WARPLENS_REMAKE_PROFILE=1 "${BUILD:-build/release}/core_tests" --gtest_filter='ProfilePage*'

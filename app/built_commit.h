// The commit of the source that this program was built from: "3d2dc7f", "3d2dc7f with changes". Empty where
// the source was no checkout. The build writes it (cmake/commit.cmake).
#pragma once

namespace warplens {

const char* built_commit();

}  // namespace warplens

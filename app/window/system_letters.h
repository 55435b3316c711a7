// Letters that the program's fonts lack, as in the name of a file in Chinese.
#pragma once

namespace warplens {

// Merges fonts of the system into the font that was added last. Each is looked for and read when a letter is
// drawn that no font before it has, so that a window without such letters reads none.
void merge_system_fonts();

}  // namespace warplens

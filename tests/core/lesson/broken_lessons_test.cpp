// More lessons with one mistake each, in addition to those of parse_lesson_test.cpp: the reported line and
// message.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "core/lesson/format/lesson.h"

namespace warplens::lesson {
namespace THIS_FILE {

// Line 1 is the first ---. The numbers at the right are the lines.
const char* const sound = R"(---
title: Two threads without work
about: The last block may have too many threads.
minutes: 10
device: rtx_3060
---

## Point at a thread {#point}

```show
kernel: index_map_1d
values: n = 12
block: 4
view: grid
part: block
change: n 1..40
```

Three blocks write {{n}} numbers.

```done
pinned.thread else Click a thread.
```

```solution
pin: thread (1, 0, 0) of block (2, 0, 0)
```

```wrong
pin: line 5
```

### Hint
The threads are the numbered squares.

## How many blocks? {#blocks}

```show
values: n = 1000
hide: launch.blocks
```

```ask
kind: number
text: How many blocks?
right: ceil(n / launch.block.x)
tolerance: 10 %
```

```ask
kind: choice
text: And the others?
A: They write.
B: They leave.
right: B
if A: They would, without the check.
```

```ask
kind: click
what: element
array: x_of
text: Which is the last?
right: click.index == n - 1
```

```ask
kind: formula
text: How?
formula: x = [blockIdx.x] * [blockDim.x] + [threadIdx.x]
tiles: blockIdx.x, blockDim.x, threadIdx.x
```

```solution
answer: 250
answer: B
answer: element 999
answer: blockIdx.x; blockDim.x; threadIdx.x
```

```wrong
answer: 3
```
)";

Folder folder_with(std::string text) {
  Folder folder;
  folder.name = "broken";
  folder.files["lesson.md"] = std::move(text);
  folder.files["kernel.cu"] = "__global__ void f() {}\n";
  folder.files["main.cu"] = "int main() {}\n";
  return folder;
}

struct BrokenLesson {
  const char* name;
  const char *from, *to;  // the first `from` of the sound lesson becomes `to`
  uint32_t line;
  const char* words;  // of the message
};

std::ostream& operator<<(std::ostream& out, const BrokenLesson& broken) { return out << broken.name; }

class BrokenLessons : public testing::TestWithParam<BrokenLesson> {};

TEST_P(BrokenLessons, AreRefusedAtTheirLine) {
  const BrokenLesson& broken = GetParam();
  std::string text = sound;
  const size_t at = text.find(broken.from);
  ASSERT_NE(at, text.npos) << "the sound lesson has no " << broken.from;
  text.replace(at, std::string_view(broken.from).size(), broken.to);
  const LoadedLesson read = load_lesson(folder_with(text));
  EXPECT_FALSE(read.ok());
  std::string said;
  bool found = false;
  for (const Diagnostic& d : read.diagnostics) {
    said += d.file + ":" + std::to_string(d.line) + ": " + d.message + "\n";
    found |= d.severity == Severity::error && d.file == "lesson.md" && d.line == broken.line &&
             d.message.find(broken.words) != d.message.npos;
  }
  EXPECT_TRUE(found) << "expected in line " << broken.line << ": " << broken.words << "\nsaid:\n" << said;
}

TEST(BrokenLessonsBase, IsSound) {
  const LoadedLesson read = load_lesson(folder_with(sound));
  for (const Diagnostic& d : read.diagnostics) ADD_FAILURE() << d.line << ": " << d.message;
  EXPECT_EQ(read.lesson.steps.size(), 2u);
}

INSTANTIATE_TEST_SUITE_P(
    Lesson, BrokenLessons,
    testing::Values(
        BrokenLesson{"no_head", "---\ntitle", "title", 1, "the head is missing"},
        BrokenLesson{"no_title", "title: Two threads without work\n", "", 1, "the head has no title"},
        BrokenLesson{"head_key", "about:", "abuot:", 3, "did you mean \"about\""},
        BrokenLesson{"value_outside", "values: n = 12", "values: n = -1", 12, "n = -1 is outside of"},
        BrokenLesson{"range", "change: n 1..40", "change: n 40", 16, "is no range"},
        BrokenLesson{"block_not_closed", "pin: line 5\n```", "pin: line 5", 29, "is not closed"},
        BrokenLesson{"hide", "hide: launch.blocks", "hide: launch.blcks", 40,
                     "there is nothing called launch.blcks"},
        BrokenLesson{"right", "ceil(n / launch.block.x)", "ceil(n / launch.block.x", 46, "right"},
        BrokenLesson{"tolerance", "tolerance: 10 %", "tolerance: much", 47, "write 2, 10 % or factor 2"},
        BrokenLesson{"no_right", "right: B\n", "", 50, "the question needs"},
        BrokenLesson{"because_of_nothing", "if A:", "if D:", 56, "there is no answer D"},
        BrokenLesson{"array", "array: x_of", "array: y_of", 59, "the kernel has no array y_of"},
        BrokenLesson{"click_name", "click.index == n", "click.idx == n", 64,
                     "there is nothing called click.idx"},
        BrokenLesson{"formula_without_box", "[blockIdx.x] * [blockDim.x] + [threadIdx.x]", "y", 70,
                     "has no box"},
        BrokenLesson{"answers", "answer: element 999\n", "", 74,
                     "there are 3 answers here, and the step asks 4"},
        BrokenLesson{"answer_kind", "answer: element 999", "answer: thread 999", 77, "is not understood"},
        BrokenLesson{"question_key", "text: How many blocks?", "txt: How many blocks?", 45,
                     "did you mean \"text\""},
        BrokenLesson{"file", "kernel: index_map_1d", "code: mine.cu", 11,
                     "the file mine.cu is not in the folder"},
        BrokenLesson{"program", "kernel: index_map_1d", "program: mine.cu", 11,
                     "the file mine.cu is not in the folder"},
        BrokenLesson{"program_name", "kernel: index_map_1d", "program: ../main.cu", 11,
                     "is no .cu file of this folder"},
        BrokenLesson{"program_without_main", "kernel: index_map_1d", "program: kernel.cu", 11,
                     "has no main()"},
        BrokenLesson{"program_kept", "kernel: index_map_1d", "program: main.cu\nkeep: yes", 11,
                     "are for kernels"},
        BrokenLesson{"program_and_kernel", "kernel: index_map_1d", "kernel: index_map_1d\nprogram: main.cu",
                     10, "only one can stand here"},
        BrokenLesson{"prints", "kernel: index_map_1d", "kernel: index_map_1d\nprints: 1", 12,
                     "prints: is for a step with program:"}),
    [](const testing::TestParamInfo<BrokenLesson>& info) { return std::string(info.param.name); });

}  // namespace THIS_FILE
}  // namespace warplens::lesson

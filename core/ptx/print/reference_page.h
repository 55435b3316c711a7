// Makes docs/instructions.md, the page of supported forms, from the table.
#pragma once

#include <string>

namespace warplens::ptx {

// Markdown: a heading for each chapter of the PTX ISA manual, and under it each instruction with its forms.
std::string reference_page();

}  // namespace warplens::ptx

// What this build's system is and has.
#pragma once

#include <string>

namespace warplens {

// As in "Linux 6.1.0, x86_64", for people who report a problem.
std::string system_name();

// Other programs can be started, heard and ended, and libraries loaded. Where not, what needs one answers
// with an error of kind missing.
bool has_programs();

// The program is a page in a browser: it has no files of the person's but those that are uploaded, it ends
// without a word, and a link opens it.
bool is_a_page();

}  // namespace warplens

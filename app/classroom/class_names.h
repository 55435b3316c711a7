// The names of a class's students in a table that others may see. They cannot be guessed from a list of the
// class, and that stay the same in a folder.
#pragma once

#include <map>
#include <set>
#include <string>

#include "core/base/keyed_hash.h"
#include "core/base/result.h"

namespace warplens {

// The student of a file: the name in it, else the folder or the file's name without what a learning platform
// adds to it ("doejane_417_98_hand_in.json"). In small letters; `file` is relative to the class's folder.
std::string student_of(const std::string& file, const std::string& name);

// The key of a folder, in a file of it that begins with a dot; made where there is none. With an error, the
// caller's names last for this run only.
Result<HashKey> class_key(const std::string& folder);
HashKey new_key();

// A name for each of them, as "bakotizu": syllables of the keyed hash, enough of them to make all different.
std::map<std::string, std::string> pseudonyms_of(const std::set<std::string>& students, const HashKey& key);

}  // namespace warplens

// The window's words in another language. The code says everything in English; what is shown goes through
// shown(), which finds the whole text in the chosen language's file (assets/words/LANGUAGE.json, ADR 0097).
// So a translator sees whole sentences, and the code knows of no language.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace warplens {

// Translations by their English texts. "{n}" means a number, "{}" any words, in the order of the English
// text; a translation may say
// "{2}" for the second. Keys and values are whole texts as they are shown.
using TextsByEnglish = std::map<std::string, std::string, std::less<>>;
struct Language {
  std::string code;      // "de"
  std::string name;      // "Deutsch"
  TextsByEnglish words;  // of sentences and labels
  // Texts of amounts and places in the font of code: "48 of 48", "warp 3". Whole texts only: what is code
  // itself, and what people called something, must stay as it is.
  TextsByEnglish amounts;
  std::string thousands;  // what stands between groups of three digits in place of a comma; empty for commas
};

// A file of words. An error says where the file is wrong: no object, other places in a translation than in
// its English text.
Result<Language> parse_language(std::string_view text, const std::string& name);

// The languages of this program, by their codes. English has no file and is not among them.
const std::vector<Language>& languages();
std::vector<std::string> language_codes();  // "en" and theirs
// The code of what the system's user speaks, by LC_ALL, LC_MESSAGES and LANG ("de_AT.UTF-8" → "de"). Empty if
// it is English, not said, or none of languages().
std::string language_of_system();

// The code that a preference means: "" is the system's language, "en" and what is not known English ("").
std::string language_meant(std::string_view preference);

// Chooses what shown() answers from now on; null for English. To be called between two frames.
void speak(std::shared_ptr<const Language> language);
void speak(std::string_view code);  // of languages(); English for any other
std::string_view spoken();          // its code; "" for English

// The translation of an English text, or the text itself if there is no translation. The view is valid until
// its thread has asked for many other texts: copy it to keep it. Of "Label##id" only the label is translated.
std::string_view shown(std::string_view english);
// The same for a text in the font of code, by `amounts`.
std::string_view shown_amount(std::string_view english);
// Numbers with the language's sign between groups of digits: "114,688" → "114 688". Positions as in
// (100,200) stay.
std::string shown_numbers(std::string_view text);
// A label of Dear ImGui; its id does not change: "Run" → "Ausführen###Run".
std::string shown_label(std::string_view english);
// Marks this text as final: a line of a text that was translated as a whole.
void shown_already(std::string_view words);

// Finds texts that lack a translation: from now on such texts are collected here, numbers replaced by {n}.
// Null ends it.
void collect_untranslated(std::set<std::string>* into);

}  // namespace warplens

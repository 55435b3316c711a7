// The window's words in another language. The code says everything in English; what is shown goes through
// shown(), which finds the whole text among the translations of the chosen language
// (assets/words/LANGUAGE.po, ADR 0097, 0113). So a translator sees whole sentences, and the code knows of no
// language.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/base/language/texts.h"
#include "core/base/result.h"

namespace warplens {

struct Language {
  std::string code;       // "de"; empty for English
  std::string name;       // "Deutsch"
  std::string thousands;  // what stands between groups of three digits in place of a comma; empty for commas
  Texts words{TextKind::words, {}}, amounts{TextKind::amounts, {}};
};

// A language from a compiled table (app/base/language/messages.h), of which it has views. An error says what
// is wrong with the table.
Result<Language> read_language(std::string_view table, const std::string& name);

// The languages of this program, by their codes. English has no table and is not among them.
const std::vector<Language>& languages();
std::vector<std::string> language_codes();  // "en" and theirs
// The code of what the system's user speaks, by LC_ALL, LC_MESSAGES and LANG ("de_AT.UTF-8" → "de"). Empty if
// it is English, not said, or none of languages().
std::string language_of_system();

// The code that a preference means: "" is the system's language, "en" and what is not known English ("").
std::string language_meant(std::string_view preference);

// Chooses what shown() answers from now on. To be called between two frames. The language must live until
// another one is spoken.
void speak(const Language& language);
void speak(std::string_view code);  // of languages(); English for any other
std::string_view spoken();          // its code; "" for English

// The translation of an English text, or the text itself if there is no translation. A text of the last
// frames takes one look-up and a copy.
std::string shown(std::string_view english);
// The same for a text in the font of code.
std::string shown_amount(std::string_view english);
// Numbers with the language's sign between groups of digits: "114,688" → "114 688".
std::string shown_numbers(std::string_view text);
// A label of Dear ImGui; its id does not change: "Run" → "Ausführen###Run". Of "Label##id" only the label is
// translated.
std::string shown_label(std::string_view english);
// Marks this text as final: a line of a text that was translated as a whole.
void shown_already(std::string_view words);

// For tests: from now on, this is told which texts have no translation, also in English. Null ends it.
void report_untranslated(ReportUntranslated report);

}  // namespace warplens

#include "app/host/file_dialog.h"

namespace warplens::host {

// A page has none that answers with a path.
struct FileDialog::Impl {};

FileDialog::FileDialog() = default;
FileDialog::~FileDialog() = default;
bool FileDialog::available() { return false; }
void FileDialog::ask(const FileQuestion&) {}
bool FileDialog::waiting() const { return m_impl != nullptr; }
std::optional<std::string> FileDialog::answer() { return std::nullopt; }

}  // namespace warplens::host

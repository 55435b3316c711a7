// Serves one editor over a pair of streams: a thread reads its requests, and the caller's answers them.
#pragma once

#include <iosfwd>
#include <memory>
#include <stop_token>

#include "app/debug/target.h"
#include "core/base/result.h"

namespace warplens::dap {

// Until the editor leaves, closes its end, or `stop` is requested. A request to pause or to leave ends the
// move in progress. An Error means that what was read is not of the protocol, or that nothing can be written.
// The thread that reads may go on to wait for input after that, so it shares `in`.
Result<void> serve(const std::shared_ptr<std::istream>& in, std::ostream& out, const OpenTarget& open,
                   const std::stop_token& stop);

}  // namespace warplens::dap

// warplens debug: a debug adapter for editors (docs/debug.md).
#include <fmt/format.h>

#include <iostream>
#include <memory>

#include "app/cli/run/debug_target.h"
#include "app/cli/shared/commands.h"
#include "app/cli/shared/interrupt.h"
#include "app/cli/shared/values.h"
#include "app/debug/channel_stream.h"
#include "app/debug/server.h"
#include "core/system/loopback.h"

namespace warplens {

namespace {

// One editor after the other, until Ctrl-C.
Result<void> serve_port(const std::string& text, const dap::OpenTarget& open, Cli& cli) {
  const Result<uint64_t> number = parse_count("--port", text, 0, UINT16_MAX);
  if (!number) return number.error();
  Result<LoopbackPort> port = LoopbackPort::listen(static_cast<uint16_t>(*number));
  if (!port) return port.error();
  const InterruptGuard interrupt(cli.stop);
  cli.say(fmt::format("waits for an editor on port {} of this machine (127.0.0.1)", port->port()));
  cli.err.flush();
  const std::stop_token stop = cli.stop.get_token();
  while (!stop.stop_requested()) {
    std::optional<Channel> channel = port->accept(std::chrono::milliseconds(100));
    if (!channel) continue;
    struct Wire {
      std::stop_source over;
      dap::ChannelBuffer buffer;
      std::istream in{&buffer};
      explicit Wire(Channel from) : buffer(std::move(from), over.get_token()) {}
    };
    const auto wire = std::make_shared<Wire>(std::move(*channel));
    std::ostream out(&wire->buffer);
    const Result<void> served = dap::serve(std::shared_ptr<std::istream>(wire, &wire->in), out, open, stop);
    wire->over.request_stop();
    if (!served) cli.say(served.error().message);
  }
  return {};
}

Result<void> serve_editors(const std::string& port, Cli& cli) {
  const dap::OpenTarget open = [&cli](const dap::LaunchSettings& settings, const std::stop_token& stop) {
    return open_debug_target(settings, cli, stop);
  };
  if (!port.empty()) return serve_port(port, open, cli);
  const InterruptGuard interrupt(cli.stop);
  return dap::serve(std::shared_ptr<std::istream>(&std::cin, [](std::istream*) {}), cli.out, open,
                    cli.stop.get_token());
}

}  // namespace

CliCommand debug_command(Cli& cli) {
  const auto port = std::make_shared<std::string>();
  return {"debug",
          "Debug kernels in an editor: a server of the Debug Adapter Protocol on standard input and output",
          {{"--port", port.get(),
            "Serve on this port of this machine instead, one editor after the other; 0: a free one", "N"}},
          [port, &cli] { return serve_editors(*port, cli); }};
}

}  // namespace warplens

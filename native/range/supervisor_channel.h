// The host's end of the socket to one supervisor. What comes in is believed only in form: a command may have killed its
// supervisor, but not written in its place.
#pragma once

#include "os/result.h"
#include "os/unique_fd.h"
#include "supervisor/protocol.h"

namespace quiesce {

class SupervisorChannel {
 public:
  // The supervisor's end, at least kFirstFreeDescriptor, comes with it.
  static Result<SupervisorChannel> Open(UniqueFd* supervisor);

  [[nodiscard]] int fd() const { return fd_.get(); }

  // The first report, and the command's pidfd if it has started. Blocks for as long as the start takes. ECONNRESET: the
  // supervisor is gone; EMFILE: this process had no place for the pidfd.
  Result<supervisor::Report> AwaitStart(UniqueFd* command) const;

  enum class Received : uint8_t { kNothing, kReport, kEnd };

  // Does not block. An end is final.
  Received Receive(supervisor::Report* report) const;

  // Whoever does not read it is gone, or has been told before.
  void Send(int signal_number) const;

 private:
  explicit SupervisorChannel(UniqueFd fd) : fd_(std::move(fd)) {}

  UniqueFd fd_;
};

}  // namespace quiesce

// Makes a pseudoterminal. The command's end stays open in the host as well: as long as one is, the kernel neither hangs
// the terminal up nor lets a read of the host's end fail, so that what is queued can be told from what is over.
#pragma once

#include <sys/types.h>

#include <cstdint>

#include "os/result.h"
#include "os/unique_fd.h"

namespace quiesce {

// In characters.
struct TerminalSize {
  uint16_t rows = 0;
  uint16_t cols = 0;
};

struct Pty {
  UniqueFd host;     // non-blocking
  UniqueFd command;  // blocking
  dev_t device = 0;  // by which the kernel knows the command's end, whatever it is called
};

// Both ends are close-on-exec; neither becomes the controlling terminal of this process.
Result<Pty> OpenPty(TerminalSize size);

[[nodiscard]] Status SetSize(int fd, TerminalSize size);

}  // namespace quiesce

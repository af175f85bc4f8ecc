// One message with descriptors over a socket that keeps messages whole.
#pragma once

#include <sys/uio.h>

#include <cstddef>
#include <span>
#include <vector>

#include "os/result.h"
#include "os/unique_fd.h"

namespace quiesce {

// What Linux passes at once (SCM_MAX_FD).
inline constexpr size_t kMostMessageFds = 253;

// The receiver has copies of `fds` then. `flags` as for sendmsg: MSG_DONTWAIT for a call that does not block. EPIPE or
// ECONNRESET: there is nobody at the other end any more. Raises no SIGPIPE.
[[nodiscard]] Status SendMessage(int socket, std::span<const iovec> parts, std::span<const int> fds, int flags = 0);

struct ReceivedMessage {
  size_t size = 0;
  std::vector<UniqueFd> fds;
};

// Into `buffer`. `flags` as for recvmsg: MSG_DONTWAIT for a call that does not block. ENODATA: the other end has
// closed; EPROTO: longer than the buffer; EMFILE: descriptors were lost for want of room in this process. What the
// message itself said is in the buffer even then.
Result<ReceivedMessage> ReceiveMessage(int socket, std::span<char> buffer, int flags);

}  // namespace quiesce

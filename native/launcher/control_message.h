// What host and launcher tell each other beside the starts.
#pragma once

#include <string>
#include <string_view>

#include "launcher/protocol.h"
#include "os/result.h"
#include "os/unique_fd.h"

namespace quiesce {

struct ControlMessage {
  ControlKind kind;
  uint32_t value;
  std::string path;
  UniqueFd fd;  // invalid: none came along
};

// `path` for kRemove, `fd` (borrowed) for kChannel, kAdopt and kHello.
[[nodiscard]] Status SendControl(int socket, ControlKind kind, uint32_t value, std::string_view path = {}, int fd = -1);

// `flags` and errors as for ReceiveMessage; EPROTO also for what is no such message.
Result<ControlMessage> ReceiveControl(int socket, int flags);

}  // namespace quiesce

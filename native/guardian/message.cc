#include "guardian/message.h"

#include <sys/socket.h>
#include <sys/uio.h>

#include <array>
#include <cerrno>

#include "os/message.h"

namespace quiesce {

namespace {

constexpr size_t kMostText = 4096;  // PATH_MAX

}  // namespace

Status SendToGuardian(int socket, GuardianMessageKind kind, std::string_view text, std::span<const int> descriptors) {
  auto letter = static_cast<char>(kind);
  std::string body(text);
  const std::array<iovec, 2> parts{iovec{&letter, 1}, iovec{body.data(), body.size()}};
  return SendMessage(socket, parts, descriptors, MSG_DONTWAIT);
}

Result<GuardianMessage> ReceiveFromHost(int socket) {
  std::array<char, 1 + kMostText> buffer{};
  auto received = ReceiveMessage(socket, buffer, MSG_DONTWAIT);
  if (!received.ok()) return received.error();
  if (received.value().size == 0) return SysError{EPROTO, "recvmsg", {}};
  return GuardianMessage{static_cast<GuardianMessageKind>(buffer[0]),
                         std::string(buffer.data() + 1, received.value().size - 1), std::move(received.value().fds)};
}

}  // namespace quiesce

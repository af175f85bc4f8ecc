#include "guardian/message.h"

#include <sys/socket.h>
#include <sys/uio.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "os/sys.h"

namespace quiesce {

namespace {

constexpr size_t kMostDescriptors = 2;
constexpr size_t kMostText = 4096;  // PATH_MAX

using Control = std::array<char, CMSG_SPACE(kMostDescriptors * sizeof(int))>;

std::vector<UniqueFd> TakeDescriptors(msghdr* message) {
  std::vector<UniqueFd> descriptors;
  for (cmsghdr* head = CMSG_FIRSTHDR(message); head != nullptr; head = CMSG_NXTHDR(message, head)) {
    if (head->cmsg_level != SOL_SOCKET || head->cmsg_type != SCM_RIGHTS) continue;
    for (size_t at = 0; at + sizeof(int) <= head->cmsg_len - CMSG_LEN(0); at += sizeof(int)) {
      int fd = -1;
      memcpy(&fd, CMSG_DATA(head) + at, sizeof fd);
      descriptors.emplace_back(fd);
    }
  }
  return descriptors;
}

}  // namespace

Status SendToGuardian(int socket, GuardianMessageKind kind, std::string_view text, std::span<const int> descriptors) {
  auto letter = static_cast<char>(kind);
  std::string body(text);
  std::array<iovec, 2> parts{iovec{&letter, 1}, iovec{body.data(), body.size()}};
  alignas(cmsghdr) Control control{};
  msghdr message{};
  message.msg_iov = parts.data();
  message.msg_iovlen = parts.size();
  if (!descriptors.empty()) {
    message.msg_control = control.data();
    message.msg_controllen = CMSG_SPACE(descriptors.size_bytes());
    cmsghdr* head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(descriptors.size_bytes());
    memcpy(CMSG_DATA(head), descriptors.data(), descriptors.size_bytes());
  }
  const auto send = [&] { return sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT); };
  if (sys::RetryInterrupted(send) == -1) return SysError{errno, "sendmsg", {}};
  return {};
}

Result<GuardianMessage> ReceiveFromHost(int socket) {
  char letter = 0;
  std::array<char, kMostText> body{};
  std::array<iovec, 2> parts{iovec{&letter, 1}, iovec{body.data(), body.size()}};
  alignas(cmsghdr) Control control{};
  msghdr message{};
  message.msg_iov = parts.data();
  message.msg_iovlen = parts.size();
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  const auto receive = [&] { return recvmsg(socket, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC); };
  const ssize_t size = sys::RetryInterrupted(receive);
  if (size == -1) return SysError{errno, "recvmsg", {}};
  auto descriptors = TakeDescriptors(&message);
  if (size == 0) return SysError{ENODATA, "recvmsg", {}};
  const size_t text = static_cast<size_t>(size) - 1;
  if ((message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) != 0) return SysError{EBADMSG, "recvmsg", {}};
  return GuardianMessage{static_cast<GuardianMessageKind>(letter), std::string(body.data(), text),
                         std::move(descriptors)};
}

}  // namespace quiesce

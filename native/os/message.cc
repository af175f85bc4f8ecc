#include "os/message.h"

#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "os/sys.h"

namespace quiesce {

namespace {

using Control = std::array<char, CMSG_SPACE(kMostMessageFds * sizeof(int))>;

std::vector<UniqueFd> TakeDescriptors(msghdr* message) {
  std::vector<UniqueFd> taken;
  for (cmsghdr* head = CMSG_FIRSTHDR(message); head != nullptr; head = CMSG_NXTHDR(message, head)) {
    if (head->cmsg_level != SOL_SOCKET || head->cmsg_type != SCM_RIGHTS) continue;
    const size_t count = (head->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (size_t i = 0; i < count; ++i) {
      int fd = -1;
      memcpy(&fd, CMSG_DATA(head) + i * sizeof fd, sizeof fd);
      taken.emplace_back(fd);
    }
  }
  return taken;
}

}  // namespace

Status SendMessage(int socket, std::span<const iovec> parts, std::span<const int> fds, int flags) {
  if (fds.size() > kMostMessageFds) return SysError{EINVAL, "sendmsg", {}};
  alignas(cmsghdr) Control control{};
  msghdr message{};
  message.msg_iov = const_cast<iovec*>(parts.data());  // sendmsg does not write to it
  message.msg_iovlen = parts.size();
  if (!fds.empty()) {
    const size_t size = fds.size_bytes();
    message.msg_control = control.data();
    message.msg_controllen = CMSG_SPACE(size);
    cmsghdr* head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(size);
    memcpy(CMSG_DATA(head), fds.data(), size);
  }
  if (sys::RetryInterrupted([&] { return sendmsg(socket, &message, flags | MSG_NOSIGNAL); }) == -1) {
    return SysError{errno, "sendmsg", {}};
  }
  return {};
}

Result<ReceivedMessage> ReceiveMessage(int socket, std::span<char> buffer, int flags) {
  alignas(cmsghdr) Control control{};
  iovec place{buffer.data(), buffer.size()};
  msghdr message{};
  message.msg_iov = &place;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  const ssize_t size = sys::RetryInterrupted([&] { return recvmsg(socket, &message, flags | MSG_CMSG_CLOEXEC); });
  if (size == -1) return SysError{errno, "recvmsg", {}};
  ReceivedMessage received{static_cast<size_t>(size), TakeDescriptors(&message)};
  if ((message.msg_flags & MSG_CTRUNC) != 0) return SysError{EMFILE, "recvmsg", {}};
  if ((message.msg_flags & MSG_TRUNC) != 0) return SysError{EPROTO, "recvmsg", {}};
  if (size == 0 && received.fds.empty()) return SysError{ENODATA, "recvmsg", {}};
  return received;
}

}  // namespace quiesce

#include "supervisor/channel.h"

#include <sys/socket.h>
#include <sys/uio.h>

#include "supervisor/raw_calls.h"

namespace quiesce::supervisor {

void Send(const Report& report, int pidfd) {
  iovec content{const_cast<Report*>(&report), sizeof report};
  msghdr message{};
  message.msg_iov = &content;
  message.msg_iovlen = 1;
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))];
  if (pidfd >= 0) {
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    cmsghdr* const header = CMSG_FIRSTHDR(&message);
    header->cmsg_len = CMSG_LEN(sizeof(int));
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    *reinterpret_cast<int*>(CMSG_DATA(header)) = pidfd;
  }
  const Word sent = CallAgain(SYS_sendmsg, kChannelDescriptor, &message, MSG_NOSIGNAL);
  // ETOOMANYREFS: the user has too many descriptors under way. The host does not wait for ever.
  if (sent < 0 && pidfd >= 0) Send(report, -1);
}

Heard Receive(Order* order) {
  const Word size = CallAgain(SYS_recvfrom, kChannelDescriptor, order, sizeof *order, MSG_DONTWAIT, nullptr, nullptr);
  if (size == sizeof *order) return Heard::kOrder;
  return size == -EAGAIN ? Heard::kNothing : Heard::kEnd;
}

}  // namespace quiesce::supervisor

#include "range/supervisor_channel.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "os/sys.h"
#include "spawn/child.h"

namespace quiesce {

namespace {

// A supervisor that has ended without reading its last orders makes the next call fail with ECONNRESET, once. What it
// has sent before comes after that.
template <typename Call>
ssize_t ReceiveAll(Call call) {
  const ssize_t size = sys::RetryInterrupted(call);
  return size == -1 && errno == ECONNRESET ? sys::RetryInterrupted(call) : size;
}

}  // namespace

Result<SupervisorChannel> SupervisorChannel::Open(UniqueFd* supervisor) {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) == -1) {
    return SysError{errno, "socketpair", {}};
  }
  SupervisorChannel channel{UniqueFd(ends[0])};
  supervisor->Reset(ends[1]);
  if (supervisor->get() < kFirstFreeDescriptor) {
    supervisor->Reset(fcntl(supervisor->get(), F_DUPFD_CLOEXEC, kFirstFreeDescriptor));
    if (!supervisor->valid()) return SysError{errno, "fcntl", {}};
  }
  return channel;
}

Result<supervisor::Report> SupervisorChannel::AwaitStart(UniqueFd* command) const {
  supervisor::Report report;
  iovec content{&report, sizeof report};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
  msghdr message{};
  message.msg_iov = &content;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  const ssize_t size = ReceiveAll([&] { return recvmsg(fd_.get(), &message, MSG_CMSG_CLOEXEC); });
  if (size != sizeof report) return SysError{ECONNRESET, "supervisor", {}};
  const cmsghdr* header = CMSG_FIRSTHDR(&message);
  if (header != nullptr && header->cmsg_type == SCM_RIGHTS && header->cmsg_len == CMSG_LEN(sizeof(int))) {
    int fd = -1;
    memcpy(&fd, CMSG_DATA(header), sizeof fd);
    command->Reset(fd);
  }
  if (report.kind == supervisor::ReportKind::kStarted && !command->valid()) return SysError{EMFILE, "recvmsg", {}};
  return report;
}

SupervisorChannel::Received SupervisorChannel::Receive(supervisor::Report* report) const {
  const ssize_t size = ReceiveAll([&] { return recv(fd_.get(), report, sizeof *report, MSG_DONTWAIT | MSG_TRUNC); });
  if (size == sizeof *report) return Received::kReport;
  return size == -1 && errno == EAGAIN ? Received::kNothing : Received::kEnd;
}

void SupervisorChannel::Send(int signal_number) const {
  const supervisor::Order order{signal_number};
  (void)sys::RetryInterrupted([&] { return send(fd_.get(), &order, sizeof order, MSG_DONTWAIT | MSG_NOSIGNAL); });
}

}  // namespace quiesce

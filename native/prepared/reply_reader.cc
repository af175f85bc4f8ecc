#include "prepared/reply_reader.h"

#include <fcntl.h>
#include <sys/socket.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <span>

#include "os/sys.h"
#include "spawn/child.h"

namespace quiesce {

namespace {

// What a policy cannot do without. The network and the ipc namespace are options.
constexpr uint32_t kNeeded = 1U << kReplyUser | 1U << kReplyMount | 1U << kReplyRuleset | 1U << kReplyMountTable;
constexpr uint32_t kKnown = (1U << kReplyDescriptors) - 1;

struct Message {
  ReplyHeader header;
  std::array<ReplyRoot, kMostReplyRoots> roots;
};
static_assert(offsetof(Message, roots) == sizeof(ReplyHeader), "no gap between the header and the identities");

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

// A child puts its streams into the low places before it needs these. Those are free only in a host that closed its own
// standard streams.
Status MoveUp(std::vector<UniqueFd>* descriptors) {
  for (UniqueFd& fd : *descriptors) {
    if (fd.get() >= kFirstFreeDescriptor) continue;
    fd.Reset(fcntl(fd.get(), F_DUPFD_CLOEXEC, kFirstFreeDescriptor));
    if (!fd.valid()) return SysError{errno, "fcntl", {}};
  }
  return {};
}

bool IsWellFormed(const Message& message, size_t size, size_t descriptor_count) {
  const ReplyHeader& header = message.header;
  if (size < sizeof header || header.magic != kReplyMagic || header.root_count > kMostReplyRoots) return false;
  if ((header.present & kNeeded) != kNeeded || (header.present & ~kKnown) != 0) return false;
  if (size != sizeof header + header.root_count * sizeof(ReplyRoot)) return false;
  return descriptor_count == static_cast<size_t>(std::popcount(header.present)) + header.root_count;
}

}  // namespace

Result<Reply> ReadReply(int socket) {
  Message data{};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(kMostReplyFds * sizeof(int))> control{};
  iovec place{&data, sizeof data};
  msghdr message{};
  message.msg_iov = &place;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  const ssize_t size =
      sys::RetryInterrupted([&] { return recvmsg(socket, &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT); });
  if (size == -1) return SysError{errno, "recvmsg", {}};
  std::vector<UniqueFd> taken = TakeDescriptors(&message);
  if (size == 0) return SysError{ENODATA, "recvmsg", {}};
  // Too little room for descriptors in this process: the kernel leaves the rest out.
  if ((message.msg_flags & MSG_CTRUNC) != 0) return SysError{EMFILE, "recvmsg", {}};
  if ((message.msg_flags & MSG_TRUNC) != 0) return SysError{EPROTO, "recvmsg", {}};
  if (!IsWellFormed(data, static_cast<size_t>(size), taken.size())) return SysError{EPROTO, "recvmsg", {}};
  if (Status moved = MoveUp(&taken); !moved.ok()) return moved.error();
  Reply reply;
  auto next = taken.begin();
  for (size_t kind = 0; kind < kReplyDescriptors; ++kind) {
    if ((data.header.present >> kind & 1U) != 0) reply.descriptors[kind] = std::move(*next++);
  }
  reply.pins.assign(std::make_move_iterator(next), std::make_move_iterator(taken.end()));
  reply.roots.assign(data.roots.begin(), data.roots.begin() + data.header.root_count);
  return reply;
}

}  // namespace quiesce

#include "prepared/reply_reader.h"

#include <fcntl.h>
#include <sys/socket.h>

#include <algorithm>
#include <bit>
#include <cerrno>

#include "os/message.h"
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
  auto received = ReceiveMessage(socket, {reinterpret_cast<char*>(&data), sizeof data}, MSG_DONTWAIT);
  if (!received.ok()) return received.error();
  std::vector<UniqueFd>& taken = received.value().fds;
  if (!IsWellFormed(data, received.value().size, taken.size())) return SysError{EPROTO, "recvmsg", {}};
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

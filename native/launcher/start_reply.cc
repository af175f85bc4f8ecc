#include "launcher/start_reply.h"

#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "os/message.h"

namespace quiesce {

namespace {

Status Send(int socket, StartReply reply, int pidfd) {
  const iovec part{&reply, sizeof reply};
  return SendMessage(socket, {&part, 1}, {&pidfd, pidfd >= 0 ? size_t{1} : size_t{0}});
}

bool IsWellFormed(const StartReply& reply) {
  if (reply.magic != kLauncherMagic || reply.failed_stage > SpawnStage::kLimits) return false;
  if (reply.failed_step > ConfineStep::kCapabilities || reply.failed_limit > Limit::kOpenFiles) return false;
  return reply.refused > 0 ? reply.pid == -1 : reply.refused == 0 && reply.pid > 0;
}

}  // namespace

Status SendRefusal(int socket, int refused) {
  return Send(socket, {kLauncherMagic, refused, -1, 0, SpawnStage::kNone, ConfineStep::kNone, Limit::kNone, 0}, -1);
}

Status SendStarted(int socket, const ClonedChild& child, const ChildPlan& plan) {
  const StartReply reply{kLauncherMagic,    0, child.pid, plan.failed_errno, plan.failed_stage, plan.failed_step,
                         plan.failed_limit, 0};
  return Send(socket, reply, child.pidfd.get());
}

Result<ReceivedReply> ReceiveReply(int socket) {
  std::array<char, sizeof(StartReply)> buffer{};
  auto received = ReceiveMessage(socket, buffer, MSG_DONTWAIT);
  ReceivedReply reply{};
  memcpy(&reply.facts, buffer.data(), sizeof reply.facts);
  const bool lost_fd = !received.ok() && received.error().number == EMFILE;
  if (!received.ok() && !lost_fd) return received.error();
  if (!lost_fd && received.value().size != buffer.size()) return SysError{EPROTO, "recvmsg", {}};
  if (!IsWellFormed(reply.facts)) return SysError{EPROTO, "recvmsg", {}};
  if (!lost_fd && !received.value().fds.empty()) reply.pidfd = std::move(received.value().fds.front());
  return reply;
}

}  // namespace quiesce

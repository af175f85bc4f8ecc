#include "runner/reply_message.h"

#include <sys/uio.h>

#include <array>
#include <vector>

#include "confine/step.h"
#include "os/message.h"

namespace quiesce {

namespace {

constexpr const char* kStep = "reply";

}  // namespace

void ReplyMessage::Add(ReplyDescriptor kind, UniqueFd fd) {
  present_ |= 1U << kind;
  descriptors_.push_back(std::move(fd));
}

void ReplyMessage::AddRoot(const ReplyRoot& root, UniqueFd pin) {
  roots_.push_back(root);
  descriptors_.push_back(std::move(pin));
}

Status ReplyMessage::Send(int socket) const {
  ReplyHeader header{kReplyMagic, static_cast<uint32_t>(roots_.size()), present_, 0};
  std::vector<ReplyRoot> roots = roots_;
  const std::array<iovec, 2> parts{iovec{&header, sizeof header},
                                   iovec{roots.data(), roots.size() * sizeof(ReplyRoot)}};
  std::vector<int> fds;
  for (const UniqueFd& fd : descriptors_) fds.push_back(fd.get());
  if (!SendMessage(socket, parts, fds).ok()) return StepError(kStep);
  return {};
}

}  // namespace quiesce

#include "runner/reply_message.h"

#include <sys/socket.h>
#include <sys/uio.h>

#include <array>
#include <cstring>

#include "confine/step.h"
#include "os/sys.h"

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
  std::array<iovec, 2> parts{iovec{&header, sizeof header}, iovec{roots.data(), roots.size() * sizeof(ReplyRoot)}};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(kMostReplyFds * sizeof(int))> control{};
  const size_t size = descriptors_.size() * sizeof(int);
  msghdr message{};
  message.msg_iov = parts.data();
  message.msg_iovlen = parts.size();
  message.msg_control = control.data();
  message.msg_controllen = CMSG_SPACE(size);
  cmsghdr* head = CMSG_FIRSTHDR(&message);
  head->cmsg_level = SOL_SOCKET;
  head->cmsg_type = SCM_RIGHTS;
  head->cmsg_len = CMSG_LEN(size);
  for (size_t i = 0; i < descriptors_.size(); ++i) {
    const int fd = descriptors_[i].get();
    memcpy(CMSG_DATA(head) + i * sizeof fd, &fd, sizeof fd);
  }
  const auto send = [&] { return sendmsg(socket, &message, MSG_NOSIGNAL); };
  if (sys::RetryInterrupted(send) == -1) return StepError(kStep);
  return {};
}

}  // namespace quiesce

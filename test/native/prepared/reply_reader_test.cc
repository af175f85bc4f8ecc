#include "prepared/reply_reader.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "os/sys.h"
#include "spawn/child.h"
#include "support/faults.h"
#include "support/tidy.h"

namespace quiesce::testing {

namespace {

constexpr uint32_t kAll = (1U << kReplyDescriptors) - 1;
constexpr uint32_t kLeast = kAll & ~(1U << kReplyNetwork | 1U << kReplyIpc);

// Both ends of the socket, and the files that are sent: each is told from the others by its inode.
class Sender {
 public:
  Sender() {
    int ends[2];
    REQUIRE(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) == 0);
    here.Reset(ends[0]);
    there.Reset(ends[1]);
  }

  void Send(const ReplyHeader& header, size_t roots, size_t descriptors, size_t cut = 0) {
    std::string data(reinterpret_cast<const char*>(&header), sizeof header);
    for (size_t i = 0; i < roots; ++i) {
      const ReplyRoot root{8, 1, 1000 + i, 50 + i, static_cast<uint32_t>(i), 0};
      data.append(reinterpret_cast<const char*>(&root), sizeof root);
    }
    data.resize(data.size() - cut);
    std::vector<int> fds;
    for (size_t i = 0; i < descriptors; ++i) {
      files.emplace_back(memfd_create("reply", MFD_CLOEXEC));
      fds.push_back(files.back().get());
    }
    std::vector<char> control(CMSG_SPACE(fds.size() * sizeof(int)));
    iovec place{data.data(), data.size()};
    msghdr message{};
    message.msg_iov = &place;
    message.msg_iovlen = 1;
    if (!fds.empty()) {
      message.msg_control = control.data();
      message.msg_controllen = control.size();
      cmsghdr* head = CMSG_FIRSTHDR(&message);
      head->cmsg_level = SOL_SOCKET;
      head->cmsg_type = SCM_RIGHTS;
      head->cmsg_len = CMSG_LEN(fds.size() * sizeof(int));
      memcpy(CMSG_DATA(head), fds.data(), fds.size() * sizeof(int));
    }
    REQUIRE(sendmsg(there.get(), &message, 0) == static_cast<ssize_t>(data.size()));
  }

  UniqueFd here;
  UniqueFd there;
  std::vector<UniqueFd> files;
};

ino_t InodeOf(const UniqueFd& fd) {
  struct stat status {};
  REQUIRE(fstat(fd.get(), &status) == 0);
  return status.st_ino;
}

int ErrorFor(const ReplyHeader& header, size_t roots, size_t descriptors, size_t cut = 0) {
  Sender sender;
  sender.Send(header, roots, descriptors, cut);
  auto reply = ReadReply(sender.here.get());
  return reply.ok() ? 0 : reply.error().number;
}

}  // namespace

TEST_CASE("a reply brings the descriptors and the identities that were sent, in order") {
  const Tidy tidy;
  Sender sender;
  sender.Send({kReplyMagic, 2, kAll, 0}, 2, kReplyDescriptors + 2);
  auto reply = ReadReply(sender.here.get());
  REQUIRE(reply.ok());
  for (size_t kind = 0; kind < kReplyDescriptors; ++kind) {
    CHECK(InodeOf(reply.value().descriptors[kind]) == InodeOf(sender.files[kind]));
    CHECK(fcntl(reply.value().descriptors[kind].get(), F_GETFD) == FD_CLOEXEC);
  }
  REQUIRE(reply.value().pins.size() == 2);
  CHECK(InodeOf(reply.value().pins[1]) == InodeOf(sender.files[kReplyDescriptors + 1]));
  REQUIRE(reply.value().roots.size() == 2);
  CHECK(reply.value().roots[1].inode == 1001);
  CHECK(reply.value().roots[1].mount == 51);
  CHECK(reply.value().roots[1].argument == 1);
}

TEST_CASE("what is optional may be missing, and the rest keeps its place") {
  const Tidy tidy;
  Sender sender;
  sender.Send({kReplyMagic, 0, kLeast, 0}, 0, 4);
  auto reply = ReadReply(sender.here.get());
  REQUIRE(reply.ok());
  CHECK_FALSE(reply.value().descriptors[kReplyNetwork].valid());
  CHECK_FALSE(reply.value().descriptors[kReplyIpc].valid());
  CHECK(InodeOf(reply.value().descriptors[kReplyMount]) == InodeOf(sender.files[1]));
  CHECK(reply.value().roots.empty());
}

TEST_CASE("a socket without an answer is told apart from one that will never bring one") {
  Sender sender;
  CHECK(ReadReply(sender.here.get()).error().number == EAGAIN);
  sender.there.Reset();
  CHECK(ReadReply(sender.here.get()).error().number == ENODATA);
}

TEST_CASE("a reply that does not fit together is refused, and what came along is closed") {
  const Tidy tidy;
  CHECK(ErrorFor({kReplyMagic, 1, kAll, 0}, 1, 7) == 0);
  CHECK(ErrorFor({kReplyMagic + 1, 1, kAll, 0}, 1, 7) == EPROTO);
  CHECK(ErrorFor({kReplyMagic, 1, kAll, 0}, 1, 6) == EPROTO);
  CHECK(ErrorFor({kReplyMagic, 1, kAll, 0}, 1, 8) == EPROTO);
  CHECK(ErrorFor({kReplyMagic, 1, kAll, 0}, 1, 0) == EPROTO);
  CHECK(ErrorFor({kReplyMagic, 1, kAll, 0}, 2, 8) == EPROTO);
  CHECK(ErrorFor({kReplyMagic, 2, kAll, 0}, 1, 7) == EPROTO);
  CHECK(ErrorFor({kReplyMagic, 1, kAll, 0}, 1, 7, 1) == EPROTO);
  CHECK(ErrorFor({kReplyMagic, 0, kAll, 0}, 0, 6, 1) == EPROTO);
  CHECK(ErrorFor({kReplyMagic, 0, kAll | 1U << kReplyDescriptors, 0}, 0, 7) == EPROTO);
  CHECK(ErrorFor({kReplyMagic, UINT32_MAX, kAll, 0}, 1, 7) == EPROTO);
  CHECK(ErrorFor({kReplyMagic, kMostReplyRoots + 1, kAll, 0}, kMostReplyRoots + 1, 7) == EPROTO);
  for (const ReplyDescriptor kind : {kReplyUser, kReplyMount, kReplyRuleset, kReplyMountTable}) {
    CHECK(ErrorFor({kReplyMagic, 0, kLeast & ~(1U << kind), 0}, 0, 3) == EPROTO);
  }
}

TEST_CASE("as many roots as there can be are taken") {
  const Tidy tidy;
  CHECK(ErrorFor({kReplyMagic, kMostReplyRoots, kAll, 0}, kMostReplyRoots, kMostReplyFds) == 0);
}

TEST_CASE("a host without room for all descriptors refuses the reply and keeps none of them") {
  const Tidy tidy;
  Sender sender;
  sender.Send({kReplyMagic, 0, kAll, 0}, 0, kReplyDescriptors);
  rlimit before{};
  REQUIRE(getrlimit(RLIMIT_NOFILE, &before) == 0);
  const rlimit few{static_cast<rlim_t>(sender.files.back().get()) + 3, before.rlim_max};
  REQUIRE(setrlimit(RLIMIT_NOFILE, &few) == 0);
  const auto reply = ReadReply(sender.here.get());
  REQUIRE(setrlimit(RLIMIT_NOFILE, &before) == 0);
  REQUIRE_FALSE(reply.ok());
  CHECK(reply.error().number == EMFILE);
}

TEST_CASE("descriptors that arrive in the places of streams are moved out of them") {
  const Tidy tidy;
  const UniqueFd kept(fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, kFirstFreeDescriptor));
  const bool had_input = kept.valid();
  for (const bool refused : {false, true}) {
    Sender sender;
    sender.Send({kReplyMagic, 0, kLeast, 0}, 0, 4);
    (void)close(STDIN_FILENO);
    int error = 0;
    int lowest = kFirstFreeDescriptor;
    {
      const Fault fault(Call::kFcntl, EMFILE, {.times = refused ? 1 : 0});
      auto reply = ReadReply(sender.here.get());
      error = reply.ok() ? 0 : reply.error().number;
      if (reply.ok()) {
        for (const UniqueFd& fd : reply.value().descriptors) {
          if (fd.valid()) lowest = std::min(lowest, fd.get());
        }
      }
    }
    CHECK(fcntl(STDIN_FILENO, F_GETFD) == -1);
    if (had_input) REQUIRE(dup3(kept.get(), STDIN_FILENO, 0) == STDIN_FILENO);
    CHECK(error == (refused ? EMFILE : 0));
    CHECK(lowest == kFirstFreeDescriptor);
  }
}

}  // namespace quiesce::testing

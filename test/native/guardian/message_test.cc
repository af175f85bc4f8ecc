#include "guardian/message.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string>

namespace quiesce {

namespace {

struct Sockets {
  Sockets() {
    std::array<int, 2> ends{};
    REQUIRE(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) == 0);
    host.Reset(ends[0]);
    guardian.Reset(ends[1]);
  }
  UniqueFd host;
  UniqueFd guardian;
};

int ErrorOf(Result<GuardianMessage> message) { return message.ok() ? 0 : message.error().number; }

bool IsSameFile(int one, int other) {
  struct stat first {};
  struct stat second {};
  return fstat(one, &first) == 0 && fstat(other, &second) == 0 && first.st_ino == second.st_ino &&
         first.st_dev == second.st_dev;
}

}  // namespace

TEST_CASE("a message to the guardian arrives whole, with copies of its descriptors that are closed on exec") {
  const Sockets sockets;
  const UniqueFd folder(open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  const int descriptors[] = {folder.get(), sockets.host.get()};
  REQUIRE(SendToGuardian(sockets.host.get(), GuardianMessageKind::kFolder, "quiesce-1-2-end", descriptors).ok());
  auto message = ReceiveFromHost(sockets.guardian.get());
  REQUIRE(message.ok());
  CHECK(message.value().kind == GuardianMessageKind::kFolder);
  CHECK(message.value().text == "quiesce-1-2-end");
  REQUIRE(message.value().descriptors.size() == 2);
  CHECK(IsSameFile(message.value().descriptors[0].get(), folder.get()));
  CHECK(fcntl(message.value().descriptors[0].get(), F_GETFD) == FD_CLOEXEC);
  CHECK(ErrorOf(ReceiveFromHost(sockets.guardian.get())) == EAGAIN);
}

TEST_CASE("what the host has said before its end is heard, then its end") {
  Sockets sockets;
  REQUIRE(SendToGuardian(sockets.host.get(), GuardianMessageKind::kSpillFolder, "/tmp/spilled", {}).ok());
  sockets.host.Reset();
  auto message = ReceiveFromHost(sockets.guardian.get());
  REQUIRE(message.ok());
  CHECK(message.value().text == "/tmp/spilled");
  CHECK(message.value().descriptors.empty());
  CHECK(ErrorOf(ReceiveFromHost(sockets.guardian.get())) == ENODATA);
}

TEST_CASE("a guardian that has gone is an error to tell something to, and no signal") {
  Sockets sockets;
  sockets.guardian.Reset();
  const Status told = SendToGuardian(sockets.host.get(), GuardianMessageKind::kSpillFolder, "/tmp", {});
  REQUIRE_FALSE(told.ok());
  CHECK(told.error().number == EPIPE);
}

TEST_CASE("a message that is cut off is none") {
  const Sockets sockets;
  REQUIRE(SendToGuardian(sockets.host.get(), GuardianMessageKind::kSpillFolder, std::string(5000, 'x'), {}).ok());
  CHECK(ErrorOf(ReceiveFromHost(sockets.guardian.get())) == EPROTO);
}

}  // namespace quiesce

#include "launcher/control_message.h"

#include <doctest/doctest.h>
#include <sys/mman.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "launcher/start_reply.h"
#include "os/message.h"
#include "support/tidy.h"

namespace quiesce::testing {

namespace {

struct Pair {
  Pair() {
    int ends[2];
    REQUIRE(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) == 0);
    here.Reset(ends[0]);
    there.Reset(ends[1]);
  }
  UniqueFd here;
  UniqueFd there;
};

int ErrorFor(ControlHeader header, std::string_view path, int fd_count) {
  Pair pair;
  std::vector<UniqueFd> files;
  std::vector<int> fds;
  for (int i = 0; i < fd_count; ++i) fds.push_back(files.emplace_back(memfd_create("control", MFD_CLOEXEC)).get());
  const iovec parts[] = {{&header, sizeof header}, {const_cast<char*>(path.data()), path.size()}};
  REQUIRE(SendMessage(pair.there.get(), parts, fds).ok());
  auto received = ReceiveControl(pair.here.get(), MSG_DONTWAIT);
  return received.ok() ? 0 : received.error().number;
}

int ErrorFor(const StartReply& reply) {
  Pair pair;
  StartReply copy = reply;
  const iovec part{&copy, sizeof copy};
  REQUIRE(SendMessage(pair.there.get(), {&part, 1}, {}).ok());
  auto received = ReceiveReply(pair.here.get());
  return received.ok() ? 0 : received.error().number;
}

}  // namespace

TEST_CASE("what host and launcher tell each other arrives as it was sent") {
  const Tidy tidy;
  Pair pair;
  const UniqueFd file(memfd_create("control", MFD_CLOEXEC));
  REQUIRE(SendControl(pair.there.get(), ControlKind::kRemove, 0, "/tmp/a folder").ok());
  REQUIRE(SendControl(pair.there.get(), ControlKind::kChannel, 5, {}, file.get()).ok());
  auto remove = ReceiveControl(pair.here.get(), MSG_DONTWAIT);
  REQUIRE(remove.ok());
  CHECK(remove.value().kind == ControlKind::kRemove);
  CHECK(remove.value().path == "/tmp/a folder");
  CHECK_FALSE(remove.value().fd.valid());
  auto channel = ReceiveControl(pair.here.get(), MSG_DONTWAIT);
  REQUIRE(channel.ok());
  CHECK(channel.value().kind == ControlKind::kChannel);
  CHECK(channel.value().value == 5);
  CHECK(channel.value().fd.valid());
  auto nothing = ReceiveControl(pair.here.get(), MSG_DONTWAIT);
  REQUIRE_FALSE(nothing.ok());
  CHECK(nothing.error().number == EAGAIN);
  pair.there.Reset();
  auto end = ReceiveControl(pair.here.get(), MSG_DONTWAIT);
  REQUIRE_FALSE(end.ok());
  CHECK(end.error().number == ENODATA);
}

TEST_CASE("a control message that does not fit together is refused, and its descriptors are closed") {
  const Tidy tidy;
  const uint32_t magic = kLauncherMagic;
  CHECK(ErrorFor({magic, ControlKind::kPing, 1, 0}, "", 0) == 0);
  CHECK(ErrorFor({magic + 1, ControlKind::kPing, 1, 0}, "", 0) == EPROTO);
  CHECK(ErrorFor({magic, static_cast<ControlKind>(99), 1, 0}, "", 0) == EPROTO);
  CHECK(ErrorFor({magic, ControlKind::kPing, 1, 0}, "", 1) == EPROTO);
  CHECK(ErrorFor({magic, ControlKind::kChannel, 1, 0}, "", 0) == EPROTO);
  CHECK(ErrorFor({magic, ControlKind::kChannel, 1, 0}, "", 2) == EPROTO);
  CHECK(ErrorFor({magic, ControlKind::kChannel, kMostChannels, 0}, "", 1) == EPROTO);
  CHECK(ErrorFor({magic, ControlKind::kRemove, 0, 4}, "/tmp", 0) == 0);
  CHECK(ErrorFor({magic, ControlKind::kRemove, 0, 5}, "/tmp", 0) == EPROTO);
  CHECK(ErrorFor({magic, ControlKind::kRemove, 0, 0}, "", 0) == EPROTO);
  CHECK(ErrorFor({magic, ControlKind::kRemove, 0, 3}, "tmp", 0) == EPROTO);
  CHECK(ErrorFor({magic, ControlKind::kRemove, 0, 4}, std::string_view("/t\0p", 4), 0) == EPROTO);
  CHECK(ErrorFor({magic, ControlKind::kPing, 0, 4}, "/tmp", 0) == EPROTO);
  Pair pair;
  const iovec part{const_cast<char*>("short"), 5};
  REQUIRE(SendMessage(pair.there.get(), {&part, 1}, {}).ok());
  auto cut = ReceiveControl(pair.here.get(), MSG_DONTWAIT);
  REQUIRE_FALSE(cut.ok());
  CHECK(cut.error().number == EPROTO);
}

TEST_CASE("a reply arrives with what failed in the child, and with its pidfd") {
  const Tidy tidy;
  Pair pair;
  ChildPlan plan;
  plan.failed_stage = SpawnStage::kSandbox;
  plan.failed_errno = EACCES;
  plan.failed_step = ConfineStep::kLandlock;
  const ClonedChild child{77, UniqueFd(memfd_create("child", MFD_CLOEXEC))};
  REQUIRE(SendStarted(pair.there.get(), child, plan).ok());
  auto reply = ReceiveReply(pair.here.get());
  REQUIRE(reply.ok());
  CHECK(reply.value().facts.pid == 77);
  CHECK(reply.value().facts.refused == 0);
  CHECK(reply.value().facts.failed_stage == SpawnStage::kSandbox);
  CHECK(reply.value().facts.failed_errno == EACCES);
  CHECK(reply.value().facts.failed_step == ConfineStep::kLandlock);
  CHECK(reply.value().pidfd.valid());
  REQUIRE(SendRefusal(pair.there.get(), ENOMEM).ok());
  auto refusal = ReceiveReply(pair.here.get());
  REQUIRE(refusal.ok());
  CHECK(refusal.value().facts.pid == -1);
  CHECK(refusal.value().facts.refused == ENOMEM);
}

TEST_CASE("a reply that cannot be true is refused") {
  const SpawnStage stage = SpawnStage::kNone;
  const ConfineStep step = ConfineStep::kNone;
  CHECK(ErrorFor({kLauncherMagic, 0, 77, 0, stage, step, Limit::kNone, 0}) == 0);
  CHECK(ErrorFor({kLauncherMagic + 1, 0, 77, 0, stage, step, Limit::kNone, 0}) == EPROTO);
  CHECK(ErrorFor({kLauncherMagic, 0, -1, 0, stage, step, Limit::kNone, 0}) == EPROTO);
  CHECK(ErrorFor({kLauncherMagic, 0, 0, 0, stage, step, Limit::kNone, 0}) == EPROTO);
  CHECK(ErrorFor({kLauncherMagic, ENOMEM, 77, 0, stage, step, Limit::kNone, 0}) == EPROTO);
  CHECK(ErrorFor({kLauncherMagic, -1, -1, 0, stage, step, Limit::kNone, 0}) == EPROTO);
  CHECK(ErrorFor({kLauncherMagic, 0, 77, 0, static_cast<SpawnStage>(200), step, Limit::kNone, 0}) == EPROTO);
  CHECK(ErrorFor({kLauncherMagic, 0, 77, 0, stage, static_cast<ConfineStep>(200), Limit::kNone, 0}) == EPROTO);
  CHECK(ErrorFor({kLauncherMagic, 0, 77, 0, stage, step, static_cast<Limit>(200), 0}) == EPROTO);
}

}  // namespace quiesce::testing

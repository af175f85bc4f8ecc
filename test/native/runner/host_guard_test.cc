#include "runner/host_guard.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <future>
#include <string>
#include <thread>

#include "os/sys.h"
#include "output/spill_leftovers.h"
#include "range/own_folder.h"
#include "support/command.h"
#include "support/tidy.h"

namespace quiesce {

namespace {

unsigned Number() {
  static unsigned count = 200000;
  return count++;
}

// A process that plays the host, and a guard of it on a thread of this one.
class GuardFixture {
 public:
  GuardFixture() {
    host_ = fork();
    if (host_ == 0) {
      while (true) pause();
    }
    REQUIRE(host_ > 0);
    // Now, so that the process which plays the host holds neither end.
    std::array<int, 2> ends{};
    REQUIRE(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) == 0);
    socket.Reset(ends[0]);
    guard_end_.Reset(ends[1]);
  }
  ~GuardFixture() {
    KillHost();
    if (running_.valid()) running_.wait();
    CHECK(waitpid(host_, nullptr, 0) == host_);
  }
  GuardFixture(const GuardFixture&) = delete;
  GuardFixture& operator=(const GuardFixture&) = delete;

  void TellHost() const {
    const UniqueFd pidfd(sys::PidfdOpen(host_));
    REQUIRE(pidfd.valid());
    Tell(GuardianMessageKind::kHost, {}, pidfd.get());
  }

  void Tell(GuardianMessageKind kind, const std::string& text, int fd = -1, int other = -1) const {
    const int descriptors[] = {fd, other};
    const size_t count = fd == -1 ? 0 : other == -1 ? 1 : 2;
    REQUIRE(SendToGuardian(socket.get(), kind, text, std::span(descriptors).first(count)).ok());
  }

  void Start() {
    running_ = std::async(std::launch::async, [this] { HostGuard(std::move(guard_end_)).Run(); });
  }

  [[nodiscard]] bool EndsWithin(std::chrono::milliseconds limit) const {
    return running_.wait_for(limit) == std::future_status::ready;
  }

  void KillHost() const { (void)kill(host_, SIGKILL); }

  UniqueFd socket;

 private:
  UniqueFd guard_end_;
  pid_t host_ = -1;
  std::future<void> running_;
};

constexpr std::chrono::seconds kSoon{10};
// Long enough for a wrong guard to have acted.
constexpr std::chrono::milliseconds kWhile{250};

}  // namespace

TEST_CASE("a guard ends the folder and removes the spill files when the host is killed, whoever holds the socket") {
  const std::string parent = testing::CgroupFolderOrSkip();
  if (parent.empty()) return;
  const testing::Tidy tidy(parent);
  GuardFixture fixture;
  const UniqueFd above(sys::OpenAt(AT_FDCWD, parent.c_str(), O_RDONLY));
  auto own = MakeOwnFolder(above.get(), Number, HostCrash::kEnd);
  REQUIRE(own.ok());
  REQUIRE(CgroupFolder::Create(own.value().fd(), "command-0").ok());
  const std::string spill = "/tmp/quiesce-guard-test-" + std::to_string(getpid());
  REQUIRE(mkdir(spill.c_str(), 0700) == 0);
  const UniqueFd file(open((spill + "/file").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, kUnclaimedMode));
  fixture.TellHost();
  fixture.Tell(GuardianMessageKind::kFolder, own.value().name(), above.get(), own.value().fd());
  fixture.Tell(GuardianMessageKind::kSpillFolder, spill);
  fixture.Start();
  CHECK_FALSE(fixture.EndsWithin(kWhile));
  CHECK_FALSE(own.value().IsGone());
  fixture.KillHost();
  CHECK(fixture.EndsWithin(kSoon));
  CHECK(own.value().IsGone());
  CHECK_FALSE(std::filesystem::exists(spill));
}

TEST_CASE("a guard whose socket has ended goes on guarding until the host has ended or has removed everything") {
  const std::string parent = testing::CgroupFolderOrSkip();
  if (parent.empty()) return;
  const testing::Tidy tidy(parent);
  const UniqueFd above(sys::OpenAt(AT_FDCWD, parent.c_str(), O_RDONLY));
  for (const bool host_removes : {true, false}) {
    GuardFixture fixture;
    auto own = MakeOwnFolder(above.get(), Number, HostCrash::kEnd);
    REQUIRE(own.ok());
    fixture.TellHost();
    fixture.Tell(GuardianMessageKind::kFolder, own.value().name(), above.get(), own.value().fd());
    fixture.socket.Reset();
    fixture.Start();
    CHECK_FALSE(fixture.EndsWithin(kWhile));
    CHECK_FALSE(own.value().IsGone());
    if (host_removes) {
      CHECK(own.value().Remove().ok());
    } else {
      fixture.KillHost();
    }
    CHECK(fixture.EndsWithin(kSoon));
    CHECK(own.value().IsGone());
  }
}

TEST_CASE("a guard that was given no pidfd takes the end of the socket for that of the host") {
  const std::string parent = testing::CgroupFolderOrSkip();
  if (parent.empty()) return;
  const testing::Tidy tidy(parent);
  GuardFixture fixture;
  const UniqueFd above(sys::OpenAt(AT_FDCWD, parent.c_str(), O_RDONLY));
  auto own = MakeOwnFolder(above.get(), Number, HostCrash::kEnd);
  REQUIRE(own.ok());
  fixture.Tell(GuardianMessageKind::kHost, {});
  fixture.Tell(GuardianMessageKind::kFolder, own.value().name(), above.get(), own.value().fd());
  fixture.Start();
  CHECK_FALSE(fixture.EndsWithin(kWhile));
  fixture.socket.Reset();
  CHECK(fixture.EndsWithin(kSoon));
  CHECK(own.value().IsGone());
}

}  // namespace quiesce

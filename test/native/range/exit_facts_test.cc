#include "range/exit_facts.h"

#include <doctest/doctest.h>
#include <poll.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>

#include "os/sys.h"
#include "os/unique_fd.h"
#include "support/command.h"

namespace quiesce::testing {

namespace {

// A pidfd tells how a process ended that somebody else has reaped.
bool KernelRemembersExits() {
  utsname system{};
  REQUIRE(uname(&system) == 0);
  int major = 0;
  int minor = 0;
  REQUIRE(sscanf(system.release, "%d.%d", &major, &minor) == 2);
  return major > 6 || (major == 6 && minor >= 15);
}

// Has SIGCHLD ignored, so that the kernel reaps every child at its exit.
class ChildSignalIgnored {
 public:
  ChildSignalIgnored() { (void)signal(SIGCHLD, SIG_IGN); }
  ~ChildSignalIgnored() { (void)signal(SIGCHLD, SIG_DFL); }
  ChildSignalIgnored(const ChildSignalIgnored&) = delete;
  ChildSignalIgnored& operator=(const ChildSignalIgnored&) = delete;
};

// A child that waits for its end, and the pidfd to it.
struct Child {
  Child() : pid(fork()) {
    if (pid == 0) {
      (void)poll(nullptr, 0, 10000);
      _exit(99);
    }
    pidfd.Reset(sys::PidfdOpen(pid));
  }

  void End(int signal_number) const {
    REQUIRE(kill(pid, signal_number) == 0);
    pollfd entry{pidfd.get(), POLLIN, 0};
    REQUIRE(poll(&entry, 1, 10000) == 1);
  }

  pid_t pid;
  UniqueFd pidfd;
};

std::optional<ExitFacts> ReapSoon(int pidfd) {
  const TimePoint limit = Clock::now() + std::chrono::seconds(10);
  auto facts = Reap(pidfd);
  while (!facts.has_value() && Clock::now() < limit) facts = Reap(pidfd);
  return facts;
}

}  // namespace

TEST_CASE("a process that runs has no exit facts, one that was ended has its signal and its usage") {
  const Child child;
  CHECK_FALSE(Reap(child.pidfd.get()).has_value());
  child.End(SIGHUP);
  const auto facts = Reap(child.pidfd.get());
  REQUIRE(facts.has_value());
  CHECK(facts->signal_number == SIGHUP);
  CHECK_FALSE(facts->exit_code.has_value());
  CHECK(facts->user_ms.has_value());
  CHECK(facts->system_ms.has_value());
  CHECK(facts->max_rss_bytes.has_value());
}

TEST_CASE("a process that the kernel reaped for a host that ignores SIGCHLD still tells how it ended") {
  const ChildSignalIgnored ignored;
  const Child child;
  CHECK_FALSE(Reap(child.pidfd.get()).has_value());
  child.End(SIGUSR1);
  const auto facts = ReapSoon(child.pidfd.get());
  REQUIRE(facts.has_value());
  CHECK(facts->signal_number == (KernelRemembersExits() ? std::optional(SIGUSR1) : std::nullopt));
  CHECK_FALSE(facts->exit_code.has_value());
  CHECK_FALSE(facts->user_ms.has_value());
  CHECK_FALSE(facts->max_rss_bytes.has_value());
}

TEST_CASE("a process that another reaper of the host took still tells how it ended") {
  const Child child;
  child.End(SIGKILL);
  REQUIRE(waitpid(child.pid, nullptr, 0) == child.pid);
  const auto facts = Reap(child.pidfd.get());
  REQUIRE(facts.has_value());
  CHECK(facts->signal_number == (KernelRemembersExits() ? std::optional(SIGKILL) : std::nullopt));
}

TEST_CASE("commands of a host that ignores SIGCHLD have exit codes and signals, output and an empty range") {
  const ChildSignalIgnored ignored;
  RuntimeFixture fixture;
  const auto known = [](int number) { return KernelRemembersExits() ? std::optional(number) : std::nullopt; };
  const auto exits = fixture.RunToEnd(BashRequest("echo out; exit 7"));
  CHECK(fixture.recorder.Of(*exits).settled->exit.exit_code == known(7));
  CHECK_FALSE(fixture.recorder.Of(*exits).settled->exit.signal_number.has_value());
  CHECK(TextOf(exits->output()) == "out\n");
  CHECK(fixture.recorder.WaitQuiescent(*exits));
  const auto dies = fixture.RunToEnd(BashRequest("kill -HUP $$"));
  CHECK(fixture.recorder.Of(*dies).settled->exit.signal_number == known(SIGHUP));
  CHECK_FALSE(fixture.recorder.Of(*dies).settled->exit.exit_code.has_value());
  CHECK(fixture.recorder.WaitQuiescent(*dies));
  const auto ended = fixture.Spawn(BashRequest("sleep 60"));
  fixture.runtime->Terminate(ended);
  REQUIRE(fixture.recorder.WaitSettled(*ended));
  CHECK(fixture.recorder.Of(*ended).settled->exit.signal_number == known(SIGTERM));
  CHECK(fixture.recorder.WaitQuiescent(*ended));
}

}  // namespace quiesce::testing

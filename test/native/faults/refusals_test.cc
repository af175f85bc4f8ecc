// Calls that a kernel, a seccomp filter or a full machine refuses for good: the other way is taken, or the error is
// told.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <string>

#include "process/cgroup_probe.h"
#include "range/cgroup_range.h"
#include "spawn/clone_support.h"
#include "support/command.h"
#include "support/faults.h"
#include "support/tidy.h"

namespace quiesce::testing {

namespace {

// ThreadSanitizer takes libc's clone for a fork, which it does not follow into a child that shares the memory.
#if defined(__SANITIZE_THREAD__)
constexpr bool kCloneIsFollowed = false;
#else
constexpr bool kCloneIsFollowed = true;
#endif

// What was learned of the kernel from a fault does not hold after it.
class Relearned {
 public:
  Relearned() = default;
  ~Relearned() {
    clone_support.clone3 = QUIESCE_HAS_CLONE3 != 0;
    clone_support.into_cgroup = true;
  }
  Relearned(const Relearned&) = delete;
  Relearned& operator=(const Relearned&) = delete;
};

void CheckFailure(RuntimeFixture* fixture, SpawnStage stage, int error) {
  const auto process = fixture->RunToEnd(BashRequest(":"));
  const auto record = fixture->recorder.Of(*process);
  REQUIRE(record.failed.has_value());
  CHECK(record.failed->stage == stage);
  CHECK(record.failed->error == error);
}

void CheckWorks(RuntimeFixture* fixture) {
  const auto process = fixture->RunToEnd(BashRequest("echo works; exit 4"));
  CHECK(TextOf(process->output()) == "works\n");
  CHECK(fixture->recorder.WaitQuiescent(*process));
  const auto record = fixture->recorder.Of(*process);
  REQUIRE(record.settled.has_value());
  CHECK(record.settled->exit.exit_code == 4);
}

bool WaitForOutput(const Process& process) {
  const TimePoint limit = Clock::now() + std::chrono::seconds(10);
  while (process.output()->total() == 0 && Clock::now() < limit) usleep(1000);
  return process.output()->total() > 0;
}

void CheckEnds(RuntimeFixture* fixture) {
  const auto process = fixture->Spawn(BashRequest("trap '' TERM; sleep 60 & echo ready; wait; sleep 60"));
  REQUIRE(WaitForOutput(*process));
  fixture->runtime->Terminate(process);
  CHECK(fixture->recorder.WaitQuiescent(*process));
  CHECK(fixture->recorder.WaitSettled(*process));
}

}  // namespace

TEST_CASE("a full process table fails the command at clone with its own error") {
  const Tidy tidy;
  RuntimeFixture fixture;
  for (const int error : {EAGAIN, ENOMEM, EMFILE, ENFILE}) {
    const Fault fault(Call::kClone3, error);
    CheckFailure(&fixture, SpawnStage::kClone, error);
  }
  CheckWorks(&fixture);
}

TEST_CASE("without clone3 libc's clone is used" * doctest::skip(!kCloneIsFollowed)) {
  const Tidy tidy;
  for (const int error : {ENOSYS, EPERM, EINVAL, E2BIG}) {
    const Relearned relearned;
    RuntimeFixture fixture;
    const Fault fault(Call::kClone3, error);
    CheckWorks(&fixture);
    CHECK(fault.hits() == 1);
  }
}

TEST_CASE("without any clone the command fails at clone") {
  const Tidy tidy;
  const Relearned relearned;
  RuntimeFixture fixture;
  const Fault fault(Call::kClone3, ENOSYS);
  const Fault legacy(Call::kClone, EPERM);
  CheckFailure(&fixture, SpawnStage::kClone, EPERM);
}

TEST_CASE("without CLONE_INTO_CGROUP the child moves itself into its folder") {
  const std::string folder = CgroupFolderOrSkip();
  if (folder.empty()) return;
  const Tidy tidy(folder);
  for (const int error : {ENOSYS, EPERM, EINVAL}) {
    const Relearned relearned;
    RuntimeFixture fixture(std::make_shared<CgroupRangeSource>(folder));
    const Fault fault(Call::kClone3, error, {.times = 1});
    const auto process = fixture.RunToEnd(BashRequest("cat /proc/self/cgroup"));
    CHECK(TextOf(process->output()).find("/command-") != std::string::npos);
    CHECK(fault.hits() == 1);
    CheckEnds(&fixture);
  }
}

TEST_CASE("without clone3 at all a command still gets a folder of its own" * doctest::skip(!kCloneIsFollowed)) {
  const std::string folder = CgroupFolderOrSkip();
  if (folder.empty()) return;
  const Tidy tidy(folder);
  const Relearned relearned;
  const Fault fault(Call::kClone3, ENOSYS);
  CHECK(ProbeCgroup(folder).ok());
  RuntimeFixture fixture(std::make_shared<CgroupRangeSource>(folder));
  CheckWorks(&fixture);
  CheckEnds(&fixture);
}

TEST_CASE("a child that may not move itself fails at the range and never runs") {
  const std::string folder = CgroupFolderOrSkip();
  if (folder.empty()) return;
  const Tidy tidy(folder);
  const Relearned relearned;
  clone_support.into_cgroup = false;
  RuntimeFixture fixture(std::make_shared<CgroupRangeSource>(folder));
  const Fault fault(Call::kOpen, EACCES, {.path_part = "cgroup.procs"});
  CheckFailure(&fixture, SpawnStage::kRange, EACCES);
}

TEST_CASE("without pidfd_open and pidfd_send_signal commands are ended by number") {
  const Tidy tidy;
  for (const int error : {ENOSYS, EPERM}) {
    RuntimeFixture fixture;
    const Fault open(Call::kPidfdOpen, error);
    const Fault send(Call::kPidfdSignal, error);
    CheckWorks(&fixture);
    CheckEnds(&fixture);
    CHECK(send.hits() > 0);
  }
}

TEST_CASE("without pidfds the members of a cgroup are ended by number") {
  const std::string folder = CgroupFolderOrSkip();
  if (folder.empty()) return;
  const Tidy tidy(folder);
  for (const int error : {ENOSYS, EPERM, EMFILE}) {
    RuntimeFixture fixture(std::make_shared<CgroupRangeSource>(folder));
    const Fault open(Call::kPidfdOpen, error);
    const Fault send(Call::kPidfdSignal, error == EMFILE ? EPERM : error);
    CheckEnds(&fixture);
    CHECK(open.hits() > 0);
  }
}

TEST_CASE("without cgroup.kill the folder is frozen and its members are killed") {
  const std::string folder = CgroupFolderOrSkip();
  if (folder.empty()) return;
  const Tidy tidy(folder);
  RuntimeFixture fixture(std::make_shared<CgroupRangeSource>(folder));
  const Fault fault(Call::kOpen, ENOENT, {.path_part = "cgroup.kill"});
  CheckEnds(&fixture);
  CHECK(fault.hits() > 0);
}

TEST_CASE("without cgroup.kill and cgroup.freeze the members are killed all the same") {
  const std::string folder = CgroupFolderOrSkip();
  if (folder.empty()) return;
  const Tidy tidy(folder);
  RuntimeFixture fixture(std::make_shared<CgroupRangeSource>(folder));
  const Fault kill(Call::kWrite, EACCES, {.path_part = "cgroup.kill"});
  const Fault freeze(Call::kWrite, EACCES, {.path_part = "cgroup.freeze"});
  CheckEnds(&fixture);
  CHECK(kill.hits() > 0);
  CHECK(freeze.hits() > 0);
}

TEST_CASE("a folder that cannot be made fails the command at its range") {
  const std::string folder = CgroupFolderOrSkip();
  if (folder.empty()) return;
  const Tidy tidy(folder);
  for (const int error : {EACCES, EROFS, ENOSPC, EAGAIN}) {
    RuntimeFixture fixture(std::make_shared<CgroupRangeSource>(folder));
    {
      const Fault fault(Call::kMakeDirectory, error);
      CheckFailure(&fixture, SpawnStage::kRange, error);
    }
    CheckWorks(&fixture);
  }
}

TEST_CASE("a command that lacks a descriptor has the folders kept for later give up theirs") {
  const std::string folder = CgroupFolderOrSkip();
  if (folder.empty()) return;
  const Tidy tidy(folder);
  for (const int error : {EMFILE, ENFILE}) {
    RuntimeFixture fixture(std::make_shared<CgroupRangeSource>(folder));
    const auto where = [&fixture] {
      const auto process = fixture.RunToEnd(BashRequest("cat /proc/self/cgroup"));
      CHECK(fixture.recorder.WaitQuiescent(*process));
      return TextOf(process->output());
    };
    CHECK(where().find("/command-0\n") != std::string::npos);
    CHECK(where().find("/command-0\n") != std::string::npos);
    {
      const Fault fault(Call::kPipe, error);
      CheckFailure(&fixture, SpawnStage::kStdio, error);
    }
    CHECK(where().find("/command-1\n") != std::string::npos);
  }
}

TEST_CASE("a folder that stays busy is removed later") {
  const std::string folder = CgroupFolderOrSkip();
  if (folder.empty()) return;
  const Tidy tidy(folder);
  RuntimeFixture fixture(std::make_shared<CgroupRangeSource>(folder));
  const Fault fault(Call::kRemove, EBUSY, {.times = 12});
  CheckEnds(&fixture);
  CheckEnds(&fixture);
  CheckWorks(&fixture);
}

TEST_CASE("a folder whose state cannot be read is told once, and the command settles without being at rest") {
  const std::string folder = CgroupFolderOrSkip();
  if (folder.empty()) return;
  const Tidy tidy(folder);
  RuntimeFixture fixture(std::make_shared<CgroupRangeSource>(folder));
  std::shared_ptr<Process> process;
  {
    const Fault fault(Call::kRead, EIO, {.path_part = "cgroup.events"});
    process = fixture.RunToEnd(BashRequest("exit 6"));
    const auto record = fixture.recorder.Of(*process);
    CHECK(record.settled->exit.exit_code == 6);
    CHECK_FALSE(record.settled->quiescent);
    CHECK(record.unobservable_count == 1);
    CHECK(process->trouble().number == EIO);
  }
  CHECK(fixture.recorder.WaitQuiescent(*process));
}

TEST_CASE("a command that may not be waited for settles without a code or a signal") {
  const Tidy tidy;
  RuntimeFixture fixture;
  pid_t pid = -1;
  {
    const Fault fault(Call::kWaitid, EPERM);
    const auto process = fixture.RunToEnd(BashRequest("echo out; exit 4"));
    const auto record = fixture.recorder.Of(*process);
    REQUIRE(record.settled.has_value());
    CHECK_FALSE(record.settled->exit.exit_code.has_value());
    CHECK_FALSE(record.settled->exit.signal_number.has_value());
    CHECK(TextOf(process->output()) == "out\n");
    CHECK(fixture.recorder.WaitQuiescent(*process));
    CHECK(fault.hits() == 1);
    pid = process->pid();
  }
  // Only who may wait can take away the zombie.
  CHECK(waitpid(pid, nullptr, 0) == pid);
}

TEST_CASE("a child that dies between clone and execve is a command ended by that signal") {
  const Tidy tidy;
  RuntimeFixture fixture;
  {
    const DeathBeforeExec death;
    const auto process = fixture.RunToEnd(BashRequest("echo never"));
    const auto record = fixture.recorder.Of(*process);
    REQUIRE(record.settled.has_value());
    CHECK(record.settled->exit.signal_number == SIGKILL);
    CHECK(TextOf(process->output()).empty());
    CHECK(fixture.recorder.WaitQuiescent(*process));
  }
  CheckWorks(&fixture);
}

}  // namespace quiesce::testing

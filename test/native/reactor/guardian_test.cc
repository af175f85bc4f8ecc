// The host's side of the guardian, with the real program: that there is one, that there is another when it is killed,
// and that a command never suffers from there being none.
#include "reactor/guardian.h"

#include <dirent.h>
#include <doctest/doctest.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "range/cgroup_range.h"
#include "support/command.h"
#include "support/faults.h"
#include "support/tidy.h"

namespace quiesce::testing {

namespace {

constexpr std::chrono::seconds kSoon{10};

std::string ContentOf(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// The children of this process that were told to guard.
std::set<pid_t> Guardians() {
  std::set<pid_t> found;
  const std::string tasks = "/proc/self/task";
  DIR* folder = opendir(tasks.c_str());
  while (const dirent* entry = readdir(folder)) {
    std::ifstream children(tasks + "/" + entry->d_name + "/children");
    for (pid_t pid = 0; children >> pid;) {
      const std::string line = ContentOf("/proc/" + std::to_string(pid) + "/cmdline");
      if (line.find(std::string("\0guard\0", 7)) != std::string::npos) found.insert(pid);
    }
  }
  (void)closedir(folder);
  return found;
}

template <typename Condition>
bool Until(Condition condition) {
  const TimePoint limit = Clock::now() + kSoon;
  while (!condition()) {
    if (Clock::now() > limit) return false;
    usleep(1000);
  }
  return true;
}

CrashCare Guarded(const std::string& program = QUIESCE_RUNNER) { return {.sweep = false, .guardian = program}; }

void CheckWorks(RuntimeFixture* fixture) {
  const auto process = fixture->RunToEnd(BashRequest("echo works"));
  CHECK(TextOf(process->output()) == "works\n");
  CHECK(fixture->recorder.WaitQuiescent(*process));
}

}  // namespace

TEST_CASE("a runtime has one guardian from its first command to its end, and no command has its socket") {
  const std::string folder = CgroupFolderOrSkip();
  if (folder.empty()) return;
  const Tidy tidy(folder);
  {
    RuntimeFixture fixture(std::make_shared<CgroupRangeSource>(folder), Guarded());
    CHECK(Guardians().empty());
    CheckWorks(&fixture);
    CHECK(Until([] { return Guardians().size() == 1; }));
    const auto first = Guardians();
    const auto process = fixture.RunToEnd(BashRequest("ls -l /proc/self/fd | grep -c socket"));
    CHECK(TextOf(process->output()) == "0\n");
    CHECK(Guardians() == first);
  }
  CHECK(Guardians().empty());
}

TEST_CASE("a guardian that is killed is replaced without a command") {
  const std::string folder = CgroupFolderOrSkip();
  if (folder.empty()) return;
  const Tidy tidy(folder);
  RuntimeFixture fixture(std::make_shared<CgroupRangeSource>(folder), Guarded());
  CheckWorks(&fixture);
  for (int round = 0; round < 5; ++round) {
    REQUIRE(Until([] { return Guardians().size() == 1; }));
    const pid_t killed = *Guardians().begin();
    usleep(60000);  // one that dies at once is not replaced at once
    REQUIRE(kill(killed, SIGKILL) == 0);
    CHECK(Until([&] { return Guardians().size() == 1 && !Guardians().contains(killed); }));
  }
  CheckWorks(&fixture);
}

TEST_CASE("process groups call for a guardian only once there are spill files") {
  const Tidy tidy;
  RuntimeFixture fixture(nullptr, Guarded());
  CheckWorks(&fixture);
  CHECK(Guardians().empty());
  SpawnRequest request = BashRequest("head -c 3000 /dev/zero");
  request.output.collect = {1000, 1 << 20};
  (void)fixture.RunToEnd(std::move(request));
  CHECK(Until([] { return Guardians().size() == 1; }));
}

TEST_CASE("a guardian that cannot be started is told, and the command runs") {
  const std::string folder = CgroupFolderOrSkip();
  if (folder.empty()) return;
  const Tidy tidy(folder);
  {
    RuntimeFixture fixture(std::make_shared<CgroupRangeSource>(folder), Guarded("/no/such/runner"));
    CheckWorks(&fixture);
    const auto errors = fixture.recorder.WaitUnguarded(fixture.runtime->id());
    REQUIRE(errors.size() == 1);
    CHECK(errors[0].number == ENOENT);
    CHECK(errors[0].path == "/no/such/runner");
  }
  {
    RuntimeFixture fixture(std::make_shared<CgroupRangeSource>(folder), Guarded());
    const Fault fault(Call::kClone3, EAGAIN, {.skip = 1, .times = 1});
    CheckWorks(&fixture);
    const auto errors = fixture.recorder.WaitUnguarded(fixture.runtime->id());
    REQUIRE(errors.size() == 1);
    CHECK(errors[0].number == EAGAIN);
  }
}

TEST_CASE("a guardian that ends by itself is told and not started again at once") {
  const std::string folder = CgroupFolderOrSkip();
  if (folder.empty()) return;
  const Tidy tidy(folder);
  RuntimeFixture fixture(std::make_shared<CgroupRangeSource>(folder), Guarded("/bin/false"));
  CheckWorks(&fixture);
  const auto errors = fixture.recorder.WaitUnguarded(fixture.runtime->id());
  REQUIRE(errors.size() == 1);
  CHECK(errors[0].number == 0);
  CheckWorks(&fixture);
  CHECK(fixture.recorder.WaitUnguarded(fixture.runtime->id()).size() == 1);
}

TEST_CASE("without pidfd_open there is a guardian all the same") {
  const std::string folder = CgroupFolderOrSkip();
  if (folder.empty()) return;
  const Tidy tidy(folder);
  RuntimeFixture fixture(std::make_shared<CgroupRangeSource>(folder), Guarded());
  const Fault fault(Call::kPidfdOpen, ENOSYS);
  CheckWorks(&fixture);
  CHECK(Until([] { return Guardians().size() == 1; }));
}

}  // namespace quiesce::testing

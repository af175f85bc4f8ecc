#include "range/own_folder.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <string>

#include "os/sys.h"
#include "range/cgroup_range.h"
#include "support/command.h"
#include "support/faults.h"
#include "support/supervised.h"
#include "support/tidy.h"

namespace quiesce {

namespace {

unsigned Number() {
  static unsigned count = 100000;
  return count++;
}

UniqueFd OpenFolder(const std::string& path) { return UniqueFd(sys::OpenAt(AT_FDCWD, path.c_str(), O_RDONLY)); }

// A command that sleeps in a folder of its own below `own`, as a killed host leaves it.
class LeftCommand {
 public:
  explicit LeftCommand(const CgroupFolder& own) {
    auto made = CgroupFolder::Create(own.fd(), "command-0");
    REQUIRE(made.ok());
    auto stack = ChildStack::Create();
    REQUIRE(stack.ok());
    std::string program = "/bin/sleep";
    std::string seconds = "60";
    char* argv[] = {program.data(), seconds.data(), nullptr};
    char* nothing[] = {nullptr};
    ChildPlan plan;
    plan.argv = argv;
    plan.environment = nothing;
    plan.candidates = argv;
    plan.cwd = "/";
    auto child = Launch(&plan, made.value().fd(), stack.value());
    REQUIRE(child.ok());
    REQUIRE(plan.failed_stage == SpawnStage::kNone);
    child_ = std::move(child.value());
  }
  ~LeftCommand() {
    (void)sys::PidfdSendSignal(child_.pidfd.get(), SIGKILL);
    siginfo_t info{};
    (void)sys::WaitPidfd(child_.pidfd.get(), &info, WEXITED, nullptr);
  }
  LeftCommand(const LeftCommand&) = delete;
  LeftCommand& operator=(const LeftCommand&) = delete;

  [[nodiscard]] bool runs() const {
    siginfo_t info{};
    return sys::WaitPidfd(child_.pidfd.get(), &info, WEXITED | WNOHANG | WNOWAIT, nullptr) == 0 && info.si_pid == 0;
  }

 private:
  ClonedChild child_;
};

}  // namespace

TEST_CASE("only a name of the present form is one of a folder that its owner locks") {
  CHECK(ReadOwnFolderName(OwnFolderName(7, HostCrash::kEnd)) == HostCrash::kEnd);
  CHECK(ReadOwnFolderName(OwnFolderName(7, HostCrash::kLeave)) == HostCrash::kLeave);
  for (const char* name : {"", "quiesce-", "quiesce-1-2", "quiesce--end", "quiesce-1-end", "quiesce-1-2-3-end",
                           "quiesce-a-2-end", "quiesce-1--end", "quiesce-1-2-ended", "xquiesce-1-2-end", "command-0"}) {
    CAPTURE(name);
    CHECK_FALSE(ReadOwnFolderName(name).has_value());
  }
}

TEST_CASE(
    "a sweep ends what a dead owner left, and touches nothing that is locked, left on purpose or of an old form") {
  const std::string parent = testing::CgroupFolderOrSkip();
  if (parent.empty()) return;
  const testing::Tidy tidy(parent);
  const UniqueFd above = OpenFolder(parent);
  const std::string old = parent + "/quiesce-" + std::to_string(getpid()) + "-99999";
  REQUIRE(mkdir(old.c_str(), 0755) == 0);
  {
    auto owned = MakeOwnFolder(above.get(), Number, HostCrash::kEnd);
    REQUIRE(owned.ok());
    auto orphaned = MakeOwnFolder(above.get(), Number, HostCrash::kEnd);
    REQUIRE(orphaned.ok());
    auto left = MakeOwnFolder(above.get(), Number, HostCrash::kLeave);
    REQUIRE(left.ok());
    const std::string orphaned_path = parent + "/" + orphaned.value().name();
    const std::string left_path = parent + "/" + left.value().name();
    const LeftCommand of_owned(owned.value());
    const LeftCommand of_orphaned(orphaned.value());
    {
      const LeftCommand of_left(left.value());
      orphaned = SysError{};  // closes the folder, as the death of its owner does
      left = SysError{};
      SweepOwnFolders(above.get());
      CHECK(of_owned.runs());
      // Another sweeper on this machine may have been first, and still be at it.
      CHECK(testing::Eventually([&] { return !of_orphaned.runs() && !std::filesystem::exists(orphaned_path); }));
      CHECK(of_left.runs());
      CHECK(std::filesystem::exists(left_path + "/command-0"));
    }
    const TimePoint limit = Clock::now() + std::chrono::seconds(5);
    while (std::filesystem::exists(left_path) && Clock::now() < limit) SweepOwnFolders(above.get());
    CHECK_FALSE(std::filesystem::exists(left_path));
    CHECK(std::filesystem::exists(old));
    CHECK(of_owned.runs());
    CHECK(owned.value().End(std::chrono::seconds(5)));
    CHECK_FALSE(of_owned.runs());
  }
  CHECK(rmdir(old.c_str()) == 0);
}

TEST_CASE("a folder that a sweep took between its making and its locking is made under another name") {
  const std::string parent = testing::CgroupFolderOrSkip();
  if (parent.empty()) return;
  const testing::Tidy tidy(parent);
  const UniqueFd above = OpenFolder(parent);
  const testing::Fault fault(testing::Call::kOpen, ENOENT, {.times = 2, .path_part = "cgroup.events"});
  auto made = MakeOwnFolder(above.get(), Number, HostCrash::kEnd);
  REQUIRE(made.ok());
  CHECK(fault.hits() == 2);
  CHECK(std::filesystem::exists(parent + "/" + made.value().name()));
  CHECK(made.value().Remove().ok());
  CHECK(made.value().IsGone());
}

TEST_CASE("a parent that has no room for a folder is an error and no endless search for a name") {
  const testing::Fault fault(testing::Call::kMakeDirectory, EAGAIN);
  auto made = MakeOwnFolder(AT_FDCWD, Number, HostCrash::kEnd);
  REQUIRE_FALSE(made.ok());
  CHECK(made.error().number == EAGAIN);
  CHECK(fault.hits() == 1);
}

TEST_CASE("without cgroup.kill the end of a folder kills its members one by one") {
  const std::string parent = testing::CgroupFolderOrSkip();
  if (parent.empty()) return;
  const testing::Tidy tidy(parent);
  const UniqueFd above = OpenFolder(parent);
  auto own = MakeOwnFolder(above.get(), Number, HostCrash::kEnd);
  REQUIRE(own.ok());
  const LeftCommand command(own.value());
  const testing::Fault fault(testing::Call::kOpen, ENOENT, {.path_part = "cgroup.kill"});
  CHECK(own.value().End(std::chrono::seconds(5)));
  CHECK(fault.hits() > 0);
  CHECK_FALSE(command.runs());
}

}  // namespace quiesce

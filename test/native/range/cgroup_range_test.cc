#include "range/cgroup_range.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include "os/file.h"
#include "os/sys.h"
#include "process/cgroup_probe.h"
#include "range/cgroup_control.h"
#include "support/command.h"
#include "support/tidy.h"

namespace quiesce {

namespace {

// Empty if there is none.
std::string OwnFolderBelow(const std::string& parent) {
  const std::string prefix = "quiesce-" + std::to_string(getpid()) + "-";
  for (const auto& entry : std::filesystem::directory_iterator(parent)) {
    if (entry.path().filename().string().starts_with(prefix)) return entry.path().string();
  }
  return {};
}

}  // namespace

TEST_CASE("a folder of another file system is refused as a parent before anything is made in it") {
  CgroupRangeSource source("/proc");
  auto range = source.Acquire();
  REQUIRE_FALSE(range.ok());
  CHECK(range.error().number == ENOTSUP);
  CHECK(std::string_view(range.error().syscall) == "fstatfs");
  CHECK(range.error().path == "/proc");
}

TEST_CASE("a source whose folder was removed while it was empty makes another, and leaves nothing") {
  const std::string parent = testing::CgroupFolderOrSkip();
  if (parent.empty()) return;
  const testing::Tidy tidy(parent);
  CgroupRangeSource source(parent);
  auto before = source.Acquire();
  REQUIRE(before.ok());
  const std::string own = OwnFolderBelow(parent);
  std::filesystem::remove(own + "/command-0");
  std::filesystem::remove(own);
  auto after = source.Acquire();
  REQUIRE(after.ok());
  const std::string again = OwnFolderBelow(parent);
  CHECK_FALSE(again.empty());
  CHECK(again != own);
  source.Release(std::move(before.value()));
  source.Release(std::move(after.value()));
}

TEST_CASE("a source that is to spare descriptors keeps no folder for later") {
  const std::string parent = testing::CgroupFolderOrSkip();
  if (parent.empty()) return;
  const testing::Tidy tidy(parent);
  CgroupRangeSource source(parent);
  auto range = source.Acquire();
  REQUIRE(range.ok());
  const std::string command = OwnFolderBelow(parent) + "/command-0";
  source.Release(std::move(range.value()));
  CHECK(std::filesystem::exists(command));
  source.Spare();
  CHECK_FALSE(std::filesystem::exists(command));
}

TEST_CASE(
    "a limit of the whole range holds where the host hands its controller down, and is refused by name elsewhere") {
  const std::string parent = testing::CgroupFolderOrSkip();
  if (parent.empty()) return;
  const testing::Tidy tidy(parent);
  testing::RuntimeFixture fixture(std::make_shared<CgroupRangeSource>(parent));
  SpawnRequest request = testing::BashRequest("cat /sys/fs/cgroup/*/pids.max 2>/dev/null; echo ran");
  request.range_limits.pids = 40;
  const auto process = fixture.RunToEnd(std::move(request));
  const auto record = fixture.recorder.Of(*process);
  auto controllers = ReadFileAt(AT_FDCWD, (parent + "/cgroup.controllers").c_str());
  REQUIRE(controllers.ok());
  if (!record.failed.has_value()) {
    CHECK(ListsController(controllers.value(), "pids"));
    CHECK(record.settled->tree.pids_peak.value_or(0) > 0);
    return;
  }
  CHECK(record.failed->stage == SpawnStage::kLimits);
  CHECK(std::string_view(record.failed->step) == "pids");
  if (ListsController(controllers.value(), "pids")) {
    CHECK(record.failed->error == EBUSY);
    CHECK(record.failed->path == parent + "/cgroup.subtree_control");
  } else {
    CHECK(record.failed->error == ENOTSUP);
    CHECK(record.failed->path == parent + "/cgroup.controllers");
  }
  CHECK(testing::TextOf(process->output()).empty());
  CHECK(testing::TextOf(fixture.RunToEnd(testing::BashRequest("echo next"))->output()) == "next\n");
}

TEST_CASE("the CPU time of a range is that of all its processes, and of its own command only") {
  const std::string parent = testing::CgroupFolderOrSkip();
  if (parent.empty()) return;
  const testing::Tidy tidy(parent);
  testing::RuntimeFixture fixture(std::make_shared<CgroupRangeSource>(parent));
  // The command becomes a program that waits for nobody, so what it left behind is in no rusage.
  const char* spins = "exec cat < <(for ((i = 0; i < 300000; ++i)); do :; done; echo spun)";
  const auto busy = fixture.RunToEnd(testing::BashRequest(spins));
  REQUIRE(fixture.recorder.WaitQuiescent(*busy));
  REQUIRE(testing::TextOf(busy->output()) == "spun\n");
  const Settlement first = *fixture.recorder.Of(*busy).settled;
  REQUIRE(first.tree.cpu_ms.has_value());
  CHECK(*first.tree.cpu_ms > 4 * (*first.exit.user_ms + *first.exit.system_ms));
  CHECK_FALSE(first.tree.memory_peak_bytes.has_value());
  CHECK_FALSE(first.tree.oom_kills.has_value());
  const auto idle = fixture.RunToEnd(testing::BashRequest(":"));
  const Settlement second = *fixture.recorder.Of(*idle).settled;
  REQUIRE(second.tree.cpu_ms.has_value());
  CHECK(*second.tree.cpu_ms > 0);
  CHECK(*second.tree.cpu_ms < *first.tree.cpu_ms / 4);
}

TEST_CASE("a start that failed leaves none of its CPU time to the next command of its folder") {
  const std::string parent = testing::CgroupFolderOrSkip();
  if (parent.empty()) return;
  const testing::Tidy tidy(parent);
  CgroupRangeSource source(parent);
  auto range = source.Acquire();
  REQUIRE(range.ok());
  char* nothing[] = {nullptr};
  ChildPlan plan;
  plan.argv = nothing;
  plan.environment = nothing;
  plan.candidates = nothing;
  plan.cwd = "/";
  auto stack = ChildStack::Create();
  REQUIRE(stack.ok());
  auto child = range.value()->Start(&plan, stack.value());
  REQUIRE(child.ok());
  siginfo_t info{};
  REQUIRE(sys::WaitPidfd(child.value().pidfd.get(), &info, WEXITED, nullptr) == 0);
  CHECK(plan.failed_stage == SpawnStage::kExec);
  source.Release(std::move(range.value()));
  auto text = ReadFileAt(AT_FDCWD, (OwnFolderBelow(parent) + "/command-0/cpu.stat").c_str());
  REQUIRE(text.ok());
  const auto used_us = FindCount(text.value(), "usage_usec");
  REQUIRE(used_us.has_value());
  auto again = source.Acquire();
  REQUIRE(again.ok());
  // The last microseconds of a process may be counted after it was reaped.
  CHECK(again.value()->ReadUsage().cpu_ms.value_or(1e9) <= static_cast<double>(*used_us) / 2 / 1000);
  source.Release(std::move(again.value()));
}

TEST_CASE("a probe that fails names what it failed at") {
  const Status missing = ProbeCgroup("/no/such");
  REQUIRE_FALSE(missing.ok());
  CHECK(missing.error().number == ENOENT);
  CHECK(missing.error().path == "/no/such");
}

}  // namespace quiesce

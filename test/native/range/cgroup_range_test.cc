#include "range/cgroup_range.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include "process/cgroup_probe.h"
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

TEST_CASE("a probe that fails names what it failed at") {
  const Status missing = ProbeCgroup("/no/such");
  REQUIRE_FALSE(missing.ok());
  CHECK(missing.error().number == ENOENT);
  CHECK(missing.error().path == "/no/such");
}

}  // namespace quiesce

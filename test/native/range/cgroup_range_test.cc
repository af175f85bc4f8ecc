#include "range/cgroup_range.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>

#include "process/cgroup_probe.h"

namespace quiesce {

TEST_CASE("a folder of another file system is refused as a parent before anything is made in it") {
  CgroupRangeSource source("/proc");
  auto range = source.Acquire();
  REQUIRE_FALSE(range.ok());
  CHECK(range.error().number == ENOTSUP);
  CHECK(std::string_view(range.error().syscall) == "fstatfs");
  CHECK(range.error().path == "/proc");
}

TEST_CASE("a probe that fails names what it failed at") {
  const Status missing = ProbeCgroup("/no/such");
  REQUIRE_FALSE(missing.ok());
  CHECK(missing.error().number == ENOENT);
  CHECK(missing.error().path == "/no/such");
}

}  // namespace quiesce

#include "range/cgroup_mount.h"

#include <doctest/doctest.h>

#include <cerrno>

namespace quiesce {

namespace {

constexpr const char* kUnified = "30 24 0:26 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate\n";
constexpr const char* kHybrid =
    "32 24 0:28 / /sys/fs/cgroup ro - tmpfs tmpfs ro,mode=755\n"
    "33 32 0:29 / /sys/fs/cgroup/unified rw shared:11 - cgroup2 cgroup2 rw\n"
    "34 32 0:30 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n";

}  // namespace

TEST_CASE("the own folder is found on the unified layout") {
  CHECK(LocateCgroup("0::/user.slice/session-2.scope\n", kUnified).value() ==
        "/sys/fs/cgroup/user.slice/session-2.scope");
  CHECK(LocateCgroup("0::/\n", kUnified).value() == "/sys/fs/cgroup");
}

TEST_CASE("the own folder is found on the hybrid layout beside version 1") {
  CHECK(LocateCgroup("4:cpu:/x\n0::/app\n", kHybrid).value() == "/sys/fs/cgroup/unified/app");
}

TEST_CASE("a mount that shows only a part of the hierarchy shortens the path") {
  const char* part = "30 24 0:26 /docker/abc /sys/fs/cgroup ro - cgroup2 cgroup ro\n";
  CHECK(LocateCgroup("0::/docker/abc/inner\n", part).value() == "/sys/fs/cgroup/inner");
  CHECK(LocateCgroup("0::/docker/abc\n", part).value() == "/sys/fs/cgroup");
  CHECK(LocateCgroup("0::/docker/abcdef\n", part).error().number == EXDEV);
  CHECK(LocateCgroup("0::/../other\n", kUnified).error().number == EXDEV);
}

TEST_CASE("a folder whose name begins with dots is no way up") {
  CHECK(LocateCgroup("0::/..app/a\n", kUnified).value() == "/sys/fs/cgroup/..app/a");
  CHECK(LocateCgroup("0::/..\n", kUnified).error().number == EXDEV);
}

TEST_CASE("spaces in a mount point are unescaped") {
  const char* spaced = "30 24 0:26 / /mnt/my\\040cgroup rw - cgroup2 cgroup rw\n";
  CHECK(LocateCgroup("0::/a\n", spaced).value() == "/mnt/my cgroup/a");
  const char* strange = "30 24 0:26 / /mnt/\\9z!\\04 rw - cgroup2 cgroup2 rw\n";
  CHECK(LocateCgroup("0::/a\n", strange).value() == "/mnt/\\9z!\\04/a");
}

TEST_CASE("a host without version 2 says which part is missing") {
  CHECK(LocateCgroup("4:cpu:/\n", kUnified).error().path == "/proc/self/cgroup");
  CHECK(LocateCgroup("0::/\n", "").error().path == "cgroup2");
}

}  // namespace quiesce

#include "os/mount_info.h"

#include <doctest/doctest.h>

namespace quiesce {

TEST_CASE("mountinfo gives root, place and type of each mount, in order") {
  const auto mounts = ParseMountInfo(
      "22 1 253:0 / / rw,relatime shared:1 - ext4 /dev/root rw\n"
      "23 22 0:21 /a /b rw shared:2 master:1 - fuse.x y rw\n"
      "24 22 0:22 / /c rw - tmpfs none rw");
  CHECK(mounts == std::vector<MountInfo>{{"/", "/", "ext4"}, {"/a", "/b", "fuse.x"}, {"/", "/c", "tmpfs"}});
}

TEST_CASE("mountinfo writes odd characters of paths as octal digits") {
  const auto mounts = ParseMountInfo("1 1 0:1 /x\\134y /a\\040b\\011c\\012d\\ rw - tmpfs none rw");
  CHECK(mounts == std::vector<MountInfo>{{"/x\\y", "/a b\tc\nd\\", "tmpfs"}});
}

TEST_CASE("a line that is not of the format is left out") {
  CHECK(ParseMountInfo("").empty());
  CHECK(ParseMountInfo("\n\nx\n1 2 3 4 - ext4\n1 1 0:1 / / rw - \n1 1 0:1 / / rw\n").empty());
}

}  // namespace quiesce

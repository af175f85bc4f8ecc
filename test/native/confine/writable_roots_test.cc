#include "confine/writable_roots.h"

#include <doctest/doctest.h>

#include <cerrno>
#include <cstring>

namespace quiesce {

using Paths = std::vector<std::string>;

TEST_CASE("a path is within a folder only by whole names") {
  CHECK(IsWithin("/a/b", "/a"));
  CHECK(IsWithin("/a", "/a"));
  CHECK(IsWithin("/a", "/"));
  CHECK_FALSE(IsWithin("/ab", "/a"));
  CHECK_FALSE(IsWithin("/a", "/a/b"));
}

TEST_CASE("only the outermost roots are left, shortest first") {
  CHECK(OutermostRoots({"/w/a/b", "/tmp", "/w/a", "/tmp", "/w/ab"}) == Paths{"/tmp", "/w/a", "/w/ab"});
  CHECK(OutermostRoots({"/w", "/", "/tmp"}) == Paths{"/"});
  CHECK(OutermostRoots({}).empty());
}

TEST_CASE("roots are canonical, and a private /tmp is none of them") {
  auto roots = CanonicalRoots({"/usr/../usr/.", "/tmp/", "/usr/bin/.."}, /*private_tmp=*/true);
  REQUIRE(roots.ok());
  CHECK(roots.value() == Paths{"/usr"});
}

TEST_CASE("a root that is missing, or that would undo the confinement, is an error with its path") {
  struct Case {
    const char* path;
    int error;
  };
  for (const auto& [path, error] : {Case{"/nothing/here", ENOENT}, Case{"/proc/self", EINVAL}, Case{"/dev", EINVAL},
                                    Case{"/sys", EINVAL}, Case{"/dev/null", EINVAL}}) {
    auto roots = CanonicalRoots({path}, /*private_tmp=*/false);
    REQUIRE_FALSE(roots.ok());
    CHECK(roots.error().number == error);
    CHECK(roots.error().path == path);
    CHECK(std::strcmp(roots.error().syscall, "writable-root") == 0);
  }
}

}  // namespace quiesce

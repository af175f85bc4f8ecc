#include "scope/host_settings.h"

#include <doctest/doctest.h>
#include <sys/resource.h>
#include <sys/stat.h>

namespace quiesce::testing {

TEST_CASE("the umask is read without being changed") {
  const mode_t before = umask(0137);
  CHECK(ReadHostSettings().umask == 0137);
  CHECK(umask(before) == 0137);
}

TEST_CASE("the umask is found in what the kernel says of a process, and is the usual one where it is not there") {
  CHECK(ParseUmask("Name:\tnode\nUmask:\t0077\nState:\tR\n") == 077);
  CHECK(ParseUmask("Name:\tUmask:\nUmask:\t0000\n") == 0);
  CHECK(ParseUmask("Name:\tnode\nState:\tR\n") == 022);
  CHECK(ParseUmask("Name:\tnode\nUmask:\tx\n") == 022);
  CHECK(ParseUmask("") == 022);
}

TEST_CASE("the limits are those of this process") {
  rlimit files{};
  REQUIRE(getrlimit(RLIMIT_NOFILE, &files) == 0);
  const rlimit lower{files.rlim_cur - 1, files.rlim_max};
  REQUIRE(setrlimit(RLIMIT_NOFILE, &lower) == 0);
  const InheritedSettings settings = ReadHostSettings();
  REQUIRE(setrlimit(RLIMIT_NOFILE, &files) == 0);
  CHECK(settings.limits[RLIMIT_NOFILE].rlim_cur == files.rlim_cur - 1);
  CHECK(settings.limits[RLIMIT_NOFILE].rlim_max == files.rlim_max);
}

TEST_CASE("a process is the same as long as nobody changes who it is") { CHECK(ReadHostIds() == ReadHostIds()); }

}  // namespace quiesce::testing

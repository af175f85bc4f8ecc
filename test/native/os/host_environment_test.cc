#include "os/host_environment.h"

#include <doctest/doctest.h>

#include <cstdlib>

namespace quiesce {

TEST_CASE("the version of the environment changes with its content and only then") {
  HostEnvironment environment;
  const uint64_t first = environment.Version();
  CHECK(environment.Version() == first);
  REQUIRE(setenv("QUIESCE_TEST_VARIABLE", "1", 1) == 0);
  const uint64_t second = environment.Version();
  CHECK(second > first);
  CHECK(environment.Version() == second);
  REQUIRE(setenv("QUIESCE_TEST_VARIABLE", "2", 1) == 0);
  CHECK(environment.Version() > second);
  const uint64_t third = environment.Version();
  REQUIRE(unsetenv("QUIESCE_TEST_VARIABLE") == 0);
  CHECK(environment.Version() > third);
}

}  // namespace quiesce

#include "confine/id_map.h"

#include <doctest/doctest.h>

namespace quiesce {

TEST_CASE("an id map is read line by line, however its numbers are aligned") {
  const auto whole = ParseIdMap("         0          0 4294967295\n");
  CHECK(whole == std::vector<IdRange>{{0, 0, 4294967295}});
  const auto container = ParseIdMap("0 100000 1000\n1000 1000 1\n1001 101001 64535");
  CHECK(container == std::vector<IdRange>{{0, 100000, 1000}, {1000, 1000, 1}, {1001, 101001, 64535}});
  CHECK(ParseIdMap("") == std::vector<IdRange>{});
}

TEST_CASE("a text with one line that is no id range gives nothing") {
  for (const char* text : {"\n", "0", "0 0", "0 0 x", "0 0 1 2", "-1 0 1", "0 0 4294967296", "0 0 1\nx\n", "0\t0\t1"}) {
    CHECK_FALSE(ParseIdMap(text).has_value());
  }
}

TEST_CASE("the map for a namespace below repeats the ids that exist here, not those above") {
  CHECK(IdentityMap({{0, 100000, 1000}, {1000, 1000, 1}}) == "0 0 1000\n1000 1000 1\n");
  CHECK(IdentityMap({}).empty());
}

}  // namespace quiesce

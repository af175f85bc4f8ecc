#include <doctest/doctest.h>

#include "range/cgroup_folder.h"
#include "range/process_table.h"

namespace quiesce {

TEST_CASE("state and group of a process are read behind whatever its name contains") {
  const auto plain = ParseStat("12 (bash) S 1 11 10 0 -1");
  REQUIRE(plain.has_value());
  CHECK(plain->state == 'S');
  CHECK(plain->group == 11);
  const auto hostile = ParseStat("12 (a) Z 9 9 (b) R 1 77 10 0");
  REQUIRE(hostile.has_value());
  CHECK(hostile->state == 'R');
  CHECK(hostile->group == 77);
}

TEST_CASE("a text that is no process state gives nothing") {
  for (const char* text : {"", "12", "12 (x", "12 (x) ", "12 (x) S", "12 (x) S 1", "12 (x) S 1 abc 5"}) {
    CHECK_FALSE(ParseStat(text).has_value());
  }
}

TEST_CASE("cgroup.events is read with missing keys") {
  CHECK(ParseCgroupEvents("populated 1\nfrozen 0\n").populated);
  CHECK_FALSE(ParseCgroupEvents("populated 0\nfrozen 1\n").populated);
  CHECK(ParseCgroupEvents("populated 0\nfrozen 1\n").frozen);
  CHECK_FALSE(ParseCgroupEvents("populated 1\n").frozen);
}

TEST_CASE("only a whole line of cgroup.events says something") {
  for (const char* text : {"", "unpopulated 1\n", "populated 10\n", "populated 1 \n", "populated\n1\n"}) {
    CHECK_FALSE(ParseCgroupEvents(text).populated);
  }
  CHECK(ParseCgroupEvents("depopulated 0\npopulated 1").populated);
}

TEST_CASE("cgroup.procs is read in order and survives nonsense") {
  CHECK(ParsePids("12\n7\n0\n") == std::vector<pid_t>{12, 7, 0});
  CHECK(ParsePids("").empty());
  CHECK(ParsePids("x\n5") == std::vector<pid_t>{5});
  CHECK(ParsePids("99999999999999999999\n6\n") == std::vector<pid_t>{6});
}

}  // namespace quiesce

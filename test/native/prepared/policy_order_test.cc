#include "prepared/policy_order.h"

#include <doctest/doctest.h>

#include <cerrno>

namespace quiesce {

namespace {

std::string Strings(std::initializer_list<const char*> texts) {
  std::string block;
  for (const char* text : texts) block.append(text).push_back('\0');
  return block;
}

}  // namespace

TEST_CASE("the paths to be watched are found among the options, in order") {
  const std::string key =
      Strings({"/runner", "--rw", "/a", "--network", "none", "--hide", "/h", "--rw", "--hide", "--private-tmp"});
  auto order = ReadPolicyOrder(key);
  REQUIRE(order.ok());
  CHECK(order.value().key == key);
  CHECK(order.value().writable == std::vector<std::string>{"/a", "--hide"});
  CHECK(order.value().hidden == std::vector<std::string>{"/h"});
}

TEST_CASE("the program is no option, whatever it is called") {
  auto order = ReadPolicyOrder(Strings({"--rw", "--hide", "/h"}));
  REQUIRE(order.ok());
  CHECK(order.value().writable.empty());
  CHECK(order.value().hidden == std::vector<std::string>{"/h"});
}

TEST_CASE("an order that no caller can make is refused") {
  CHECK(ReadPolicyOrder("").error().number == EINVAL);
  CHECK(ReadPolicyOrder("/runner").error().number == EINVAL);
  CHECK(ReadPolicyOrder(std::string(2, '\0')).error().number == EINVAL);
  CHECK(ReadPolicyOrder(Strings({"/runner", "--rw"})).error().number == EINVAL);
  CHECK(ReadPolicyOrder(Strings({"/runner", "--hide", "/h", "--hide"})).error().number == EINVAL);
}

}  // namespace quiesce

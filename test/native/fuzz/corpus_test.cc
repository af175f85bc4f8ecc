// Every input of the corpus, in every build of the unit tests: what once broke something never does again.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <vector>

#include "fuzz/targets.h"

namespace quiesce::fuzz {

namespace {

std::vector<uint8_t> ContentOf(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  REQUIRE(file.is_open());
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

TEST_CASE("every input of the corpus does what the model of its target says") {
  for (const Target& target : kTargets) {
    size_t inputs = 0;
    for (const auto& entry : std::filesystem::directory_iterator(QUIESCE_CORPUS "/" + std::string(target.name))) {
      const std::string path = entry.path().string();
      INFO(path);
      target.run(ContentOf(entry.path()));
      ++inputs;
    }
    CAPTURE(target.name);
    CHECK(inputs > 0);
  }
}

}  // namespace quiesce::fuzz

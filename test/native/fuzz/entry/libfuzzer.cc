// What libFuzzer calls. One program for all targets; QUIESCE_FUZZ_TARGET in its environment names the one to run.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "fuzz/targets.h"

namespace {

const quiesce::fuzz::Target& ChosenTarget() {
  const char* name = getenv("QUIESCE_FUZZ_TARGET");
  for (const auto& target : quiesce::fuzz::kTargets) {
    if (name != nullptr && name == std::string_view(target.name)) return target;
  }
  (void)fprintf(stderr, "QUIESCE_FUZZ_TARGET names no target\n");
  exit(2);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const quiesce::fuzz::Target& target = ChosenTarget();
  target.run({data, size});
  return 0;
}

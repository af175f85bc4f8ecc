// The fuzz targets. Each takes any bytes, returns, and aborts where the code breaks its contract. npm run
// test:native:fuzz mutates them under libFuzzer; the unit tests replay their corpus.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace quiesce::fuzz {

void FuzzRing(std::span<const uint8_t> bytes);
void FuzzCollector(std::span<const uint8_t> bytes);
void FuzzCgroupFiles(std::span<const uint8_t> bytes);
void FuzzCgroupMount(std::span<const uint8_t> bytes);
void FuzzProcessStat(std::span<const uint8_t> bytes);
void FuzzRequest(std::span<const uint8_t> bytes);

struct Target {
  const char* name;  // of its folder below corpus
  void (*run)(std::span<const uint8_t> bytes);
};

inline constexpr std::array kTargets = {Target{"ring", FuzzRing},
                                        Target{"collector", FuzzCollector},
                                        Target{"cgroup_files", FuzzCgroupFiles},
                                        Target{"cgroup_mount", FuzzCgroupMount},
                                        Target{"process_stat", FuzzProcessStat},
                                        Target{"request", FuzzRequest}};

}  // namespace quiesce::fuzz

// Between its entry into the namespaces and its execve a child has the memory and the descriptors of the host. An
// earlier command of the same policy, in the same namespaces, must not reach them through it.
#include <doctest/doctest.h>
#include <unistd.h>

#include <string>

#include "support/command.h"
#include "support/confinement.h"
#include "support/faults.h"
#include "support/tidy.h"

namespace quiesce::testing {

namespace {

constexpr int kHeldMicroseconds = 1000000;

// Tries the memory, the root and the descriptors of every process but itself until it is told to stop, and says which
// it tried and which it reached. That it knows how is shown by a child of its own.
constexpr const char* kAttack = R"(
  reach() { { exec 3<> $1/mem || exec 3< $1/environ || [ -e $1/root/ ] || [ -e $1/fd/0 ]; } 2> /dev/null; }
  declare -A tried reached
  sleep 600 & own=/proc/$!
  echo ready
  until [ -e stop ]; do
    for process in /proc/[0-9]*; do
      [ $process = /proc/$$ ] && continue
      # Kernel threads and zombies have no memory, and let themselves be opened.
      { read -r -d '' name < $process/cmdline; } 2> /dev/null || continue
      tried[$process]=1
      reach $process && reached[$process]=1
    done
  done
  [ "${reached[$own]}" ] && echo own reached
  unset reached[$own]
  kill ${own#/proc/}
  echo "tried ${!tried[*]} ."
  echo "reached ${!reached[*]}."
)";

bool WaitForOutput(const Process& process) {
  const TimePoint limit = Clock::now() + std::chrono::seconds(10);
  while (process.output()->total() == 0 && Clock::now() < limit) usleep(1000);
  return process.output()->total() > 0;
}

}  // namespace

TEST_CASE("a child on its way into a confinement is out of reach for the commands that are there already") {
  if (!CanConfine()) return;
  const Tidy tidy;
  RuntimeFixture fixture;
  const Place place;
  const std::string attack = "cd " + place.workspace() + kAttack;
  const auto attacker = fixture.Spawn(Confined(attack, SourceOf(fixture, place)));
  REQUIRE(WaitForOutput(*attacker));
  std::string held;
  {
    const Delay delay(Call::kExecve, kHeldMicroseconds, nullptr);
    const auto process = fixture.RunToEnd(Confined(":", SourceOf(fixture, place)));
    held = "/proc/" + std::to_string(process->pid()) + " ";
  }
  const std::string stop = place.workspace() + "/stop";
  const auto stopper = fixture.RunToEnd(BashRequest(": > " + stop));
  REQUIRE(fixture.recorder.WaitSettled(*attacker));
  const std::string said = TextOf(attacker->output());
  CAPTURE(said);
  CAPTURE(TextOf(attacker->error()));
  CHECK(said.find("own reached\n") != std::string::npos);
  CHECK(said.find(held) != std::string::npos);
  CHECK(said.find("reached .\n") != std::string::npos);
}

}  // namespace quiesce::testing

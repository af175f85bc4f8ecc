#include "process/start_gate.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <string>
#include <thread>

namespace quiesce {

namespace {

constexpr std::string_view kBusy = "9.00 5.00 2.00 12/345 6789\n";
constexpr std::string_view kIdle = "9.00 5.00 2.00 1/345 6789\n";

UniqueFd FileWith(std::string_view text) {
  UniqueFd file(memfd_create("loadavg", MFD_CLOEXEC));
  REQUIRE(write(file.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size()));
  return file;
}

}  // namespace

TEST_CASE("the runnable processes are read out of the text of the kernel, and nothing out of any other") {
  CHECK(ParseRunnable(kBusy) == 12);
  CHECK(ParseRunnable("0.00 0.00 0.00 1/2 3") == 1);
  for (const std::string_view other : {"", "1", "1 2 3", "1 2 3 ", "1 2 3 4", "1 2 3 /4", "1 2 3 -4/5", "a b c d/e"}) {
    CHECK(ParseRunnable(other) == 0);
  }
}

TEST_CASE("nobody waits while commands are few, or while the processors have little to do") {
  StartGate busy(FileWith(kBusy), 3);
  StartGate idle(FileWith(kIdle), 3);
  StartGate blind(UniqueFd(), 3);
  for (StartGate* gate : {&busy, &idle, &blind}) {
    gate->Enter();
    gate->Enter();
    CHECK_FALSE(gate->IsCrowded());
    gate->Enter();
  }
  CHECK(busy.IsCrowded());
  CHECK_FALSE(idle.IsCrowded());
  CHECK_FALSE(blind.IsCrowded());
  busy.Leave();
  CHECK_FALSE(busy.IsCrowded());
}

TEST_CASE("whoever waits goes on when a command ends") {
  StartGate gate(FileWith(kBusy), 1);
  gate.Enter();
  std::atomic<bool> over{false};
  std::thread others([&gate, &over] {
    while (!over.load()) {
      gate.Enter();
      gate.Leave();
    }
  });
  CHECK(gate.WaitForRoom());
  over.store(true);
  others.join();
}

TEST_CASE("nobody waits for long where no command ends") {
  StartGate gate(FileWith(kBusy), 1);
  gate.Enter();
  const TimePoint start = Clock::now();
  CHECK_FALSE(gate.WaitForRoom());
  CHECK(Clock::now() - start >= std::chrono::milliseconds(20));
  CHECK(Clock::now() - start < std::chrono::seconds(10));
}

}  // namespace quiesce

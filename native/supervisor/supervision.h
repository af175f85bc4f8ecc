// Waits for the end of a started command and of everything below it, tells the host of both, and ends all of it when
// the host says so or is gone.
#pragma once

#include "supervisor/protocol.h"
#include "supervisor/raw_calls.h"

namespace quiesce::supervisor {

class Supervision {
 public:
  // `child_signals` is a signalfd of SIGCHLD, not blocking.
  Supervision(int command, int child_signals, bool leave_on_host_crash)
      : command_(command), child_signals_(child_signals), leave_(leave_on_host_crash) {}

  // Returns when nobody is left.
  void Run();

 private:
  void Wait(int timeout_ms);
  void TakeOrders();
  void Signal(int signal_number);
  bool Reap();
  Word ReapOne(int pid);
  void TellEnd(bool empty);
  bool Sweep();
  void KillAll();

  const int command_;
  const int child_signals_;
  const bool leave_;
  bool killing_ = false;
  bool hears_host_ = true;    // the socket is open
  bool child_ended_ = false;  // in the last wait
  bool ended_ = false;        // the direct command
  Report end_;
  bool end_told_ = false;
};

}  // namespace quiesce::supervisor

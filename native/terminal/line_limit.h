// In line mode a terminal keeps a line until its end is typed, and silently drops what is over its limit.
#pragma once

#include <termios.h>

#include <cstddef>
#include <string_view>

namespace quiesce {

// Bytes of a line without its end: N_TTY_BUF_SIZE in drivers/tty/n_tty.c, less the place of the end.
inline constexpr size_t kMostLineBytes = 4095;

class LineLimit {
 public:
  // Whether a terminal in the state `modes` takes all of `data`, after what it has been given. If so it counts as
  // given.
  [[nodiscard]] bool Admits(const termios& modes, std::string_view data) {
    if ((modes.c_lflag & ICANON) == 0) {
      line_bytes_ = 0;
      return true;
    }
    size_t line_bytes = line_bytes_;
    for (const char byte : data) {
      line_bytes = EndsLine(modes, static_cast<cc_t>(byte)) ? 0 : line_bytes + 1;
      if (line_bytes > kMostLineBytes) return false;
    }
    line_bytes_ = line_bytes;
    return true;
  }

 private:
  static bool EndsLine(const termios& modes, cc_t byte) {
    if (byte == '\n') return true;
    if (byte == '\r') return (modes.c_iflag & ICRNL) != 0;
    if (byte == '\0') return false;  // the place of a character that is switched off
    for (const int which : {VEOF, VEOL, VEOL2}) {
      if (byte == modes.c_cc[which]) return true;
    }
    if ((modes.c_lflag & ISIG) == 0) return false;
    // These drop the line.
    return byte == modes.c_cc[VINTR] || byte == modes.c_cc[VQUIT] || byte == modes.c_cc[VSUSP];
  }

  size_t line_bytes_ = 0;  // since the last end of a line
};

}  // namespace quiesce

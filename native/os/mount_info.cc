#include "os/mount_info.h"

#include <optional>

namespace quiesce {

namespace {

std::vector<std::string_view> Split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return parts;
}

bool IsOctal(std::string_view text) { return text.find_first_not_of("01234567") == std::string_view::npos; }

// mountinfo writes space, tab, newline and backslash as three octal digits.
std::string Unescape(std::string_view text) {
  std::string plain;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 3 < text.size() && IsOctal(text.substr(i + 1, 3))) {
      plain.push_back(static_cast<char>((text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 + (text[i + 3] - '0')));
      i += 3;
    } else {
      plain.push_back(text[i]);
    }
  }
  return plain;
}

std::optional<MountInfo> ParseLine(std::string_view line) {
  constexpr std::string_view kDash = " - ";
  const size_t dash = line.find(kDash);
  if (dash == std::string_view::npos) return std::nullopt;
  const auto before = Split(line.substr(0, dash), ' ');
  const auto after = Split(line.substr(dash + kDash.size()), ' ');
  if (before.size() < 5 || after.empty()) return std::nullopt;
  return MountInfo{Unescape(before[3]), Unescape(before[4]), std::string(after[0])};
}

}  // namespace

std::vector<MountInfo> ParseMountInfo(std::string_view text) {
  std::vector<MountInfo> mounts;
  for (const std::string_view line : Split(text, '\n')) {
    if (auto mount = ParseLine(line)) mounts.push_back(std::move(*mount));
  }
  return mounts;
}

}  // namespace quiesce

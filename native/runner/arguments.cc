#include "runner/arguments.h"

#include <charconv>
#include <string_view>
#include <system_error>
#include <utility>

namespace quiesce {

namespace {

using Parsed = std::variant<ConfineArguments, ArgumentError>;

// Whether `option` is a switch; if so it is set.
bool ReadSwitch(std::string_view option, ConfineArguments* read) {
  if (option == "--probe") {
    read->probe = true;
  } else if (option == "--landlock-only") {
    read->policy.landlock_only = true;
  } else if (option == "--private-tmp") {
    read->policy.private_tmp = true;
  } else {
    return false;
  }
  return true;
}

// What is wrong, or null.
const char* ReadValue(std::string_view option, std::string_view value, ConfinePolicy* policy) {
  if (option == "--network") {
    policy->no_network = true;
    return value == "none" ? nullptr : "unknown network";
  }
  if (value.empty()) return "empty path";
  (option == "--rw" ? policy->writable_roots : policy->hidden_paths).emplace_back(value);
  return nullptr;
}

bool TakesValue(std::string_view option) { return option == "--rw" || option == "--hide" || option == "--network"; }

Parsed Checked(ConfineArguments read) {
  const bool has_program = read.command != nullptr && *read.command != nullptr;
  if (read.probe && read.command != nullptr) return ArgumentError{"no program goes with", "--probe"};
  if (!read.probe && !has_program) return ArgumentError{"missing program", "-- PROGRAM"};
  return read;
}

}  // namespace

int DescriptorOf(std::string_view text) {
  int fd = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), fd);
  return error == std::errc() && end == text.data() + text.size() && fd >= 0 ? fd : -1;
}

Parsed ParseConfineArguments(char** arguments) {
  ConfineArguments read;
  for (; *arguments != nullptr; ++arguments) {
    const std::string_view option = *arguments;
    if (option == "--") {
      read.command = arguments + 1;
      break;
    }
    if (ReadSwitch(option, &read)) continue;
    if (!TakesValue(option)) return ArgumentError{"unknown option", *arguments};
    if (arguments[1] == nullptr) return ArgumentError{"missing value of", *arguments};
    ++arguments;
    if (const char* wrong = ReadValue(option, *arguments, &read.policy)) {
      return ArgumentError{wrong, **arguments == '\0' ? std::string(option) : *arguments};
    }
  }
  return Checked(std::move(read));
}

}  // namespace quiesce

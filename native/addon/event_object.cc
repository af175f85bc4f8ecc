#include "addon/event_object.h"

namespace quiesce {

namespace {

template <typename Number>
Napi::Value NumberOrNull(Napi::Env env, std::optional<Number> number) {
  return number.has_value() ? Napi::Number::New(env, static_cast<double>(*number)) : env.Null();
}

struct Filler {
  Napi::Env env;
  Napi::Object object;

  void operator()(const Failed& failed) {
    object["kind"] = "failed";
    object["stage"] = static_cast<int>(failed.failure.stage);
    object["errno"] = failed.failure.error;
    object["path"] = failed.failure.path;
  }
  void operator()(const Settlement& settlement) {
    object["kind"] = "settled";
    object["exitCode"] = NumberOrNull(env, settlement.exit.exit_code);
    object["signal"] = NumberOrNull(env, settlement.exit.signal_number);
    object["cause"] = static_cast<int>(settlement.cause);
    object["wallMs"] = settlement.wall_ms;
    object["userMs"] = settlement.exit.user_ms;
    object["systemMs"] = settlement.exit.system_ms;
    object["maxRssBytes"] = NumberOrNull(env, settlement.exit.max_rss_bytes);
    object["quiescent"] = Napi::Boolean::New(env, settlement.quiescent);
  }
  void operator()(const Quiescent& /*quiescent*/) { object["kind"] = "quiescent"; }
  void operator()(const Unobservable& unobservable) {
    object["kind"] = "unobservable";
    object["error"] = ToObject(env, unobservable.error);
  }
};

}  // namespace

Napi::Object ToObject(Napi::Env env, const Event& event) {
  Napi::Object object = Napi::Object::New(env);
  object["id"] = static_cast<double>(event.process_id);
  std::visit(Filler{env, object}, event.what);
  return object;
}

Napi::Object ToObject(Napi::Env env, const SysError& error) {
  Napi::Object object = Napi::Object::New(env);
  object["errno"] = error.number;
  object["syscall"] = error.syscall;
  object["path"] = error.path;
  return object;
}

}  // namespace quiesce

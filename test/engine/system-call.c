/* An addon with one function: makes the system call of a number, with numbers and texts as arguments, and returns its result or -errno. */

#include <errno.h>
#include <node_api.h>
#include <unistd.h>

enum { MAX_ARGUMENTS = 6, MAX_TEXT = 4096 };

static napi_value call(napi_env env, napi_callback_info info) {
  napi_value values[MAX_ARGUMENTS];
  size_t count = MAX_ARGUMENTS;
  char texts[MAX_ARGUMENTS][MAX_TEXT];
  int64_t numbers[MAX_ARGUMENTS] = {0};
  napi_get_cb_info(env, info, &count, values, NULL, NULL);
  for (size_t i = 0; i < count && i < MAX_ARGUMENTS; i++) {
    if (napi_get_value_int64(env, values[i], &numbers[i]) != napi_ok) {
      napi_get_value_string_utf8(env, values[i], texts[i], MAX_TEXT, NULL);
      numbers[i] = (int64_t)texts[i];
    }
  }
  const long result = syscall(numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5]);
  napi_value returned;
  napi_create_int64(env, result < 0 ? -errno : result, &returned);
  return returned;
}

NAPI_MODULE_INIT() {
  napi_value function;
  napi_create_function(env, "call", NAPI_AUTO_LENGTH, call, NULL, &function);
  return function;
}

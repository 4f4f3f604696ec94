#pragma once

#include <csignal>

namespace procsim {

// Ctrl-C and its like wait while this lives, for work that leaves more behind than a signal handler can
// remove. Such work asks between its steps whether one has come, stops and cleans up; the signal does what it
// always does when this object goes. Threads started meanwhile wait too.
class DelayedSignals {
 public:
  DelayedSignals() { ::pthread_sigmask(SIG_BLOCK, &delayed(), &before_); }
  ~DelayedSignals() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  DelayedSignals(const DelayedSignals&) = delete;
  DelayedSignals& operator=(const DelayedSignals&) = delete;

  static bool one_has_come() {
    sigset_t pending;
    ::sigpending(&pending);
    return ::sigismember(&pending, SIGINT) == 1 || ::sigismember(&pending, SIGTERM) == 1 ||
           ::sigismember(&pending, SIGHUP) == 1;
  }

 private:
  static const sigset_t& delayed() {
    static const sigset_t signals = [] {
      sigset_t set;
      ::sigemptyset(&set);
      for (const int signal : {SIGINT, SIGTERM, SIGHUP}) ::sigaddset(&set, signal);
      return set;
    }();
    return signals;
  }

  sigset_t before_{};
};

}  // namespace procsim

// Loaded before the C library (LD_PRELOAD): counts the calls that change files and lets one of them fail.
//   FAULT_LOG=FILE   append "n" lines: how many calls there were, at exit
//   FAULT_AT=N       the N-th call (from 1) …
//   FAULT_KIND=kill  … kills the process before it is made
//            =after  … kills the process after it was made
//            =full   … and all after it that write fail with ENOSPC
//            =once   … alone fails with ENOSPC
// Only calls on files are counted: descriptors of sockets, pipes and terminals are not.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static atomic_long calls;
static long fault_at = -1;
static enum { kNone, kKill, kAfter, kFull, kOnce } kind = kNone;
static const char* log_file;

__attribute__((constructor)) static void begin(void) {
  const char* at = getenv("FAULT_AT");
  const char* how = getenv("FAULT_KIND");
  log_file = getenv("FAULT_LOG");
  if (at != NULL && how != NULL) {
    fault_at = atol(at);
    kind = strcmp(how, "kill") == 0 ? kKill : strcmp(how, "after") == 0 ? kAfter : strcmp(how, "once") == 0 ? kOnce : kFull;
  }
}

__attribute__((destructor)) static void end(void) {
  if (log_file == NULL) return;
  FILE* out = fopen(log_file, "a");
  if (out == NULL) return;
  fprintf(out, "%ld\n", atomic_load(&calls));
  fclose(out);
}

static int is_file(int descriptor) {
  struct stat found;
  return fstat(descriptor, &found) == 0 && (S_ISREG(found.st_mode) || S_ISDIR(found.st_mode));
}

// 1: the call is to fail; 2: the process is to go after it.
static int next_call(int takes_space) {
  const long number = atomic_fetch_add(&calls, 1) + 1;
  if (kind == kNone || number < fault_at) return 0;
  if (kind == kKill && number == fault_at) kill(getpid(), SIGKILL);
  if (kind == kAfter && number == fault_at) return 2;
  if (kind == kOnce && number == fault_at && takes_space) return 1;
  return kind == kFull && takes_space;
}

#define REAL(name) \
  static __typeof__(name)* real; \
  if (real == NULL) real = (__typeof__(name)*)dlsym(RTLD_NEXT, #name)

#define FAULT(takes_space, failure, call)            \
  do {                                               \
    const int fault = next_call(takes_space);        \
    if (fault == 1) {                                \
      errno = ENOSPC;                                \
      return failure;                                \
    }                                                \
    __auto_type result = call;                       \
    if (fault == 2) kill(getpid(), SIGKILL);         \
    return result;                                   \
  } while (0)

ssize_t write(int descriptor, const void* bytes, size_t size) {
  REAL(write);
  if (!is_file(descriptor)) return real(descriptor, bytes, size);
  FAULT(1, -1, real(descriptor, bytes, size));
}

ssize_t pwrite64(int descriptor, const void* bytes, size_t size, off64_t offset) {
  REAL(pwrite64);
  FAULT(1, -1, real(descriptor, bytes, size, offset));
}

ssize_t pwrite(int descriptor, const void* bytes, size_t size, off_t offset) {
  REAL(pwrite);
  FAULT(1, -1, real(descriptor, bytes, size, offset));
}

ssize_t writev(int descriptor, const struct iovec* parts, int count) {
  REAL(writev);
  if (!is_file(descriptor)) return real(descriptor, parts, count);
  FAULT(1, -1, real(descriptor, parts, count));
}

int fsync(int descriptor) {
  REAL(fsync);
  FAULT(1, -1, real(descriptor));
}

int fdatasync(int descriptor) {
  REAL(fdatasync);
  FAULT(1, -1, real(descriptor));
}

int ftruncate64(int descriptor, off64_t size) {
  REAL(ftruncate64);
  FAULT(1, -1, real(descriptor, size));
}

int ftruncate(int descriptor, off_t size) {
  REAL(ftruncate);
  FAULT(1, -1, real(descriptor, size));
}

int rename(const char* from, const char* to) {
  REAL(rename);
  FAULT(0, -1, real(from, to));
}

int link(const char* from, const char* to) {
  REAL(link);
  FAULT(1, -1, real(from, to));
}

int unlink(const char* path) {
  REAL(unlink);
  FAULT(0, -1, real(path));
}

int remove(const char* path) {
  REAL(remove);
  FAULT(0, -1, real(path));
}

int mkdir(const char* path, mode_t mode) {
  REAL(mkdir);
  FAULT(1, -1, real(path, mode));
}

/* SPDX-License-Identifier: MIT
 *
 * A library to be loaded before the others (LD_PRELOAD): the n-th call about a file of one folder fails.
 * For tests only.  The environment says which:
 *   SLUICE_FAULT_FOLDER   files in it, by whole paths or by names without a folder
 *   SLUICE_FAULT_CALL     number of the call, from 1; 0: only count
 *   SLUICE_FAULT_KIND     "eio", "enospc", or "short": a write that takes half of its bytes; "kill": the
 *                         process is killed before the call, "torn": after half of a write
 *   SLUICE_FAULT_LASTS    "once", or "on" for every call from then on (but removing files)
 *   SLUICE_FAULT_ONLY     "removals", or "changes" of what is on the disk: other calls are not counted and do
 *                         not fail; not set: all are
 *   SLUICE_FAULT_REPORT   a file for "CALLS FAULTS NAME", the last that of the first call that failed
 */
#undef _FILE_OFFSET_BITS /* both names of a call are here, each for itself */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILES_MAX = 4096 };

static struct
{
  char        folder[512];
  long        call;
  int         error; /* 0: a short write */
  bool        lasts, removals, changes, kills, tears;
  atomic_long calls, faults;
  const char *name; /* of the first call that failed */
  atomic_bool ours[FILES_MAX];
} plan;

/* Both the signature and how the real one is found. */
#define REAL(name) (*(__typeof__ (&name)) dlsym (RTLD_NEXT, #name))

__attribute__ ((constructor)) static void
read_plan (void)
{
  const char *folder = getenv ("SLUICE_FAULT_FOLDER"), *call = getenv ("SLUICE_FAULT_CALL");
  const char *kind = getenv ("SLUICE_FAULT_KIND"), *lasts = getenv ("SLUICE_FAULT_LASTS");
  const char *only = getenv ("SLUICE_FAULT_ONLY");

  if (folder == NULL || call == NULL || kind == NULL || lasts == NULL)
    return;
  snprintf (plan.folder, sizeof plan.folder, "%s/", folder);
  plan.call = atol (call);
  plan.error = strcmp (kind, "enospc") == 0 ? ENOSPC : strcmp (kind, "eio") == 0 ? EIO : 0;
  plan.lasts = strcmp (lasts, "on") == 0;
  plan.kills = strcmp (kind, "kill") == 0;
  plan.tears = strcmp (kind, "torn") == 0;
  plan.removals = only != NULL && strcmp (only, "removals") == 0;
  plan.changes = only != NULL && strcmp (only, "changes") == 0;
}

__attribute__ ((destructor)) static void
report (void)
{
  const char *path = getenv ("SLUICE_FAULT_REPORT");
  char        text[128];
  int         file, n;

  /* Programs that are started by the one that is tested, and know nothing of the folder, say nothing. */
  if (path == NULL || plan.folder[0] == '\0' || atomic_load (&plan.calls) == 0)
    return;
  plan.folder[0] = '\0';
  n = snprintf (text, sizeof text, "%ld %ld %s\n", atomic_load (&plan.calls),
                atomic_load (&plan.faults), plan.name != NULL ? plan.name : "none");
  file = REAL (open64) (path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (file >= 0 && REAL (write) (file, text, (size_t) n) != n)
    abort ();
  REAL (close) (file);
}

static bool
is_ours (const char *path)
{
  return plan.folder[0] != '\0'
         && (strchr (path, '/') == NULL || strncmp (path, "./", 2) == 0
             || strncmp (path, plan.folder, strlen (plan.folder)) == 0);
}

static bool
is_open (int file)
{
  return file >= 0 && file < FILES_MAX && atomic_load (&plan.ours[file]);
}

static int
opened (int file, const char *path)
{
  if (file >= 0 && file < FILES_MAX)
    atomic_store (&plan.ours[file], is_ours (path));
  return file;
}

typedef enum {
  KEEPS,
  WRITES,
  REMOVES,
  CHANGES /* in another way */
} Effect;

/* Counts a call; whether it has to fail, and then errno is set.  With "short" and "torn" only what writes
 * does.  */
static bool
fails (const char *name, Effect effect)
{
  long n;
  bool now;

  if ((plan.removals && effect != REMOVES) || (plan.changes && effect == KEEPS))
    return false;
  n = atomic_fetch_add (&plan.calls, 1) + 1;
  now = plan.call > 0 && (n == plan.call || (plan.lasts && n > plan.call && effect != REMOVES));
  if (now && plan.kills)
    raise (SIGKILL);
  if (!now || (plan.error == 0 && effect != WRITES))
    return false;
  if (atomic_fetch_add (&plan.faults, 1) == 0)
    plan.name = name;
  errno = plan.error;
  return true;
}

/* What comes of a write that took so many bytes, and no more. */
static ssize_t
cut (ssize_t taken)
{
  if (plan.tears)
    raise (SIGKILL);
  return taken;
}

#define OPEN(name)                                                                                 \
  int name (const char *path, int flags, ...)                                                      \
  {                                                                                                \
    va_list list;                                                                                  \
    mode_t  mode;                                                                                  \
                                                                                                   \
    va_start (list, flags);                                                                        \
    mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg (list, mode_t) : 0;                       \
    va_end (list);                                                                                 \
    if (is_ours (path) && fails (#name, (flags & O_CREAT) != 0 ? CHANGES : KEEPS))                 \
      return -1;                                                                                   \
    return opened (REAL (name) (path, flags, mode), path);                                         \
  }
OPEN (open)
OPEN (open64)

FILE *
fopen64 (const char *path, const char *mode)
{
  return is_ours (path) && fails ("fopen", mode[0] == 'r' ? KEEPS : CHANGES)
           ? NULL
           : REAL (fopen64) (path, mode);
}

FILE *
fopen (const char *path, const char *mode)
{
  return is_ours (path) && fails ("fopen", mode[0] == 'r' ? KEEPS : CHANGES)
           ? NULL
           : REAL (fopen) (path, mode);
}

ssize_t
read (int file, void *data, size_t n)
{
  return is_open (file) && fails ("read", KEEPS) ? -1 : REAL (read) (file, data, n);
}

ssize_t
pread64 (int file, void *data, size_t n, off64_t at)
{
  return is_open (file) && fails ("pread", KEEPS) ? -1 : REAL (pread64) (file, data, n, at);
}

ssize_t
write (int file, const void *data, size_t n)
{
  if (is_open (file) && fails ("write", WRITES))
    return plan.error != 0 ? -1 : cut (REAL (write) (file, data, (n + 1) / 2));
  return REAL (write) (file, data, n);
}

ssize_t
pwrite64 (int file, const void *data, size_t n, off64_t at)
{
  if (is_open (file) && fails ("pwrite", WRITES))
    return plan.error != 0 ? -1 : cut (REAL (pwrite64) (file, data, (n + 1) / 2, at));
  return REAL (pwrite64) (file, data, n, at);
}

int
ftruncate64 (int file, off64_t n)
{
  return is_open (file) && fails ("ftruncate", CHANGES) ? -1 : REAL (ftruncate64) (file, n);
}

int
fsync (int file)
{
  return is_open (file) && fails ("fsync", KEEPS) ? -1 : REAL (fsync) (file);
}

int
fdatasync (int file)
{
  return is_open (file) && fails ("fdatasync", KEEPS) ? -1 : REAL (fdatasync) (file);
}

/* The system has closed it when it says that it could not. */
int
close (int file)
{
  bool fail = is_open (file) && fails ("close", KEEPS);
  int  reason = errno, result;

  if (file >= 0 && file < FILES_MAX)
    atomic_store (&plan.ours[file], false);
  result = REAL (close) (file);
  if (!fail)
    return result;
  errno = reason;
  return -1;
}

int
rename (const char *from, const char *to)
{
  return is_ours (to) && fails ("rename", CHANGES) ? -1 : REAL (rename) (from, to);
}

int
linkat (int from_folder, const char *from, int to_folder, const char *to, int flags)
{
  return is_ours (to) && fails ("linkat", CHANGES)
           ? -1
           : REAL (linkat) (from_folder, from, to_folder, to, flags);
}

int
unlink (const char *path)
{
  return is_ours (path) && fails ("unlink", REMOVES) ? -1 : REAL (unlink) (path);
}

int
mkdir (const char *path, mode_t mode)
{
  return is_ours (path) && fails ("mkdir", CHANGES) ? -1 : REAL (mkdir) (path, mode);
}

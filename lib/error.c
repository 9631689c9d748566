/* SPDX-License-Identifier: MIT
 *
 * Failures, memory and forks.  */
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <string.h>

#include "core/run/base/error.h"
#include "lib/private.h"

static _Thread_local char sentence[2048]; /* in UTF-8 */

static _Thread_local bool in_gate;

static atomic_bool forked;

static void
mark_fork (void)
{
  atomic_store (&forked, true);
}

/* The program's locale at its first call, but with numbers and sentences as in C. */
static locale_t plain;

static void
begin_first (void)
{
  pthread_atfork (NULL, NULL, mark_fork);
  plain = newlocale (LC_NUMERIC_MASK | LC_MESSAGES_MASK, "C", duplocale (LC_GLOBAL_LOCALE));
}

void
sl_lib_gate_begin (void)
{
  in_gate = true;
}

void
sl_lib_gate_end (void)
{
  in_gate = false;
}

const char *
sluice_version (void)
{
  return SL_VERSION;
}

const char *
sluice_error (void)
{
  return sentence;
}

void
sluice_free (void *memory)
{
  g_free (memory);
}

/* Keeps a sentence, cut between two characters where it is too long. */
static SluiceCode
keep (SluiceCode code, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  size_t           n = MIN (strlen (valid), sizeof sentence - 1);

  while (n > 0 && ((unsigned char) valid[n] & 0xc0) == 0x80)
    n--;
  memcpy (sentence, valid, n);
  sentence[n] = '\0';
  return code;
}

SlLibCall
sl_lib_enter (void)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  SlLibCall             call = { .code = SLUICE_FINE };

  pthread_once (&once, begin_first);
  sentence[0] = '\0';
  call.before = uselocale (plain);
  if (atomic_load (&forked))
    call.code
      = keep (SLUICE_FORKED, "this process is a fork of one that used Sluice, whose threads "
                             "are not in it; start a new process, as by multiprocessing's "
                             "\"spawn\"");
  else if (in_gate)
    call.code = keep (SLUICE_INVALID, "a gate cannot use Sluice while it chooses");
  return call;
}

void
sl_lib_leave (SlLibCall *call)
{
  uselocale (call->before);
}

static SluiceCode
code_of (int code)
{
  static const SluiceCode codes[] = {
    [SL_OK] = SLUICE_FINE,
    [SL_EINVAL] = SLUICE_INVALID,
    [SL_ENOMEM] = SLUICE_MEMORY,
    [SL_EIO] = SLUICE_IO,
    [SL_EFORMAT] = SLUICE_FORMAT,
    [SL_EDIVERGED] = SLUICE_DIVERGED,
    [SL_ECANCELLED] = SLUICE_STOPPED,
    [SL_EUNSUPPORTED] = SLUICE_UNSUPPORTED,
    [SL_EGATE] = SLUICE_GATE,
  };

  return code > 0 && code < (int) G_N_ELEMENTS (codes) ? codes[code] : SLUICE_IO;
}

SluiceCode
sl_lib_fail (const SlStatus *status)
{
  char text[sizeof sentence];

  if (sl_ok (status))
    return SLUICE_FINE;
  return keep (code_of ((int) status->code), sl_status_text (status, text, sizeof text));
}

SluiceCode
sl_lib_fail_error (GError *error)
{
  SluiceCode code = error->domain == SL_ERROR ? code_of (error->code) : SLUICE_IO;

  keep (code, error->message);
  g_error_free (error);
  return code;
}

SluiceCode
sl_lib_refuse (SluiceCode code, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list          arguments;

  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  return keep (code, text);
}

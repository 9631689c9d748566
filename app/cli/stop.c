/* SPDX-License-Identifier: MIT
 *
 * See stop.h.  */
#include "app/cli/stop.h"

#include <signal.h>
#include <stddef.h>

/* The signal that came first.  A handler has nothing else to write to. */
static volatile sig_atomic_t asked;

static void
note (int signal_number)
{
  asked = signal_number;
}

void
sl_stop_watch (void)
{
  /* RESETHAND brings the default back after the first one. */
  struct sigaction action = { .sa_handler = note, .sa_flags = (int) SA_RESETHAND | SA_RESTART },
                   hangup;

  sigemptyset (&action.sa_mask);
  sigaction (SIGINT, &action, NULL);
  sigaction (SIGTERM, &action, NULL);
  /* nohup means it. */
  sigaction (SIGHUP, NULL, &hangup);
  if (hangup.sa_handler != SIG_IGN)
    sigaction (SIGHUP, &action, NULL);
}

bool
sl_stop_asked (void)
{
  return asked != 0;
}

bool
sl_stop_hurries (void)
{
  return asked == SIGTERM || asked == SIGHUP;
}

/* SPDX-License-Identifier: MIT
 *
 * Says on the error stream when what a command makes cannot be stored, and when it can again.  */
#pragma once

#include "app/cli/cli.h"
#include "core/run/store/store.h"

typedef struct
{
  SlStore *store; /* borrowed; NULL: none */
  char    *said;  /* the trouble that was said last, or NULL */
} SlStoring;

/* Says what is new.  To be called now and then, on the main thread. */
void sl_storing_look (SlStoring *storing);

/* At the end of a command that would end with `code`: waits for the disk and says what is not stored, which is
 * SL_EXIT_FAILED unless something else went wrong before.  */
SlExit sl_storing_end (SlStoring *storing, SlExit code);

/* SPDX-License-Identifier: MIT
 *
 * What leaves a store: one run as tables and figures, or several as a store, a table or event files.  */
#pragma once

#include "app/cli/show/outputs.h"
#include "core/run/store/store.h"

/* What is typed behind `sluice-cli runs`. */
typedef struct
{
  char     *lab, *to, *filter, *group, *wide, *events;
  gboolean  differences;
  SlOutputs outputs;
} SlRunsTyped;

/* Full names for beginnings of names, ended by NULL; NULL after a complaint. */
char **sl_runs_named (SlStore *store, char **words);

/* The runs that are named, or all that --lab and --filter leave, into the chosen file.  Refuses
 * what a store does not keep, and names the command that computes it.  Complains.  */
SlExit sl_runs_export (SlStore *store, char **words, SlRunsTyped *typed);

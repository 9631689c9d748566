/* SPDX-License-Identifier: MIT
 *
 * What sluice-cli, sluice-reproduce and sluice-bench share: exit codes, messages and the reading of
 * options.  */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "core/base/status.h"

typedef enum {
  SL_EXIT_FINE = 0,
  SL_EXIT_FAILED = 1,   /* a file, a data set, memory, the display */
  SL_EXIT_USAGE = 2,    /* a word or value on the command line */
  SL_EXIT_DIVERGED = 3, /* the loss is no longer finite */
  SL_EXIT_EXPECTED = 4, /* a recording that does not keep to what is expected of it */
  SL_EXIT_STOPPED = 130 /* Ctrl+C, SIGTERM or SIGHUP; what there was has been written */
} SlExit;

typedef struct
{
  const char *name, *summary; /* the summary is shown through gettext */
  /* args[0] is the program's name and this one's, "sluice-cli run"; ended by NULL. */
  SlExit (*run) (char **args);
} SlCliCommand;

extern const SlCliCommand sl_command_info, sl_command_labs, sl_command_data, sl_command_run,
  sl_command_replay, sl_command_plot, sl_command_sweep, sl_command_runs, sl_command_validate,
  sl_command_worksheet, sl_command_answers, sl_command_figures;

/* Those of the labs of this build, ended by NULL. */
extern const SlCliCommand *const sl_lab_commands[];

/* Before everything else in a program of the command line: the kernels of this processor, the user's
 * language, and the name that messages begin with (static).  */
void sl_cli_start (const char *program, char **argv);

/* At the end of a program: `code`, or SL_EXIT_FAILED after an error message when the standard output
 * could not be written.  */
SlExit sl_cli_end (SlExit code);

/* Prints the program's name and a sentence on the error stream, in the user's language: the format is
 * what the catalogue has.  */
void sl_cli_report (const char *format, ...) G_GNUC_PRINTF (1, 2);

/* The same with the facts of a failure; returns SL_EXIT_USAGE for SL_EINVAL, SL_EXIT_DIVERGED for
 * SL_EDIVERGED, else SL_EXIT_FAILED.  */
SlExit sl_cli_fail (const SlStatus *status);

/* The same with an error of GLib; frees it and returns SL_EXIT_FAILED. */
SlExit sl_cli_fail_error (GError *error);

/* The candidate most like `word`, or NULL when `candidates` (ended by NULL) is empty. */
const char *sl_cli_nearest (const char *word, const char *const *candidates);

/* Reads the options of `args` into whatever the context's entries point at and leaves the
 * other words in *rest (free with g_strfreev()).  Frees the context.  False when the command is
 * over: help was asked for and printed (SL_EXIT_FINE), or an option is wrong and was complained
 * about (SL_EXIT_USAGE).  `examples` is the end of the help.  */
bool sl_cli_options (GOptionContext *context, const char *examples, char **args, char ***rest,
                     SlExit *code);

/* An option as it is written, and whether it was typed. */
typedef struct
{
  const char *name;
  bool        typed;
} SlCliOption;

/* The name of the first of n options that was typed, or NULL. */
const char *sl_cli_first_typed (const SlCliOption *options, size_t n);

/* Complains about words beyond the first `most`, and returns false if there are any. */
bool sl_cli_at_most (char **args, char **rest, unsigned most);

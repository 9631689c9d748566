/* SPDX-License-Identifier: MIT
 *
 * See print-groups.h.  */
#include "app/cli/show/print-groups.h"

#include <glib/gi18n.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/run/query/group.h"
#include "plot/base/scale.h"

enum { SHOWN = 8, WIDEST = 40 };

void
sl_print_error (const char *before, const SlStoreRun *run, const SlOutcome *outcome)
{
  printf ("%s%.4g%s", before, outcome->error, outcome->validation ? " (validation)" : "");
  if (isnan (outcome->at))
    printf (" at an unknown update");
  else if (outcome->at != (double) run->step)
    printf (" at update %.0f", outcome->at);
}

static void
print_mean (const char *title, const char *unit, const SlMean *mean)
{
  char text[48];

  if (mean->n > 0)
    printf ("  %s %s%s", title, sl_interval_text (mean->mean, mean->half, 4, text, sizeof text),
            unit);
}

SlExit
sl_print_groups (const GPtrArray *runs, const char *name)
{
  g_autofree unsigned *group = g_new (unsigned, runs->len + 1);
  g_autoptr (GArray) groups = NULL;
  SlField field;
  bool    several = false;
  int     width = 1;

  if (!sl_field_find (name, runs, &field))
    {
      sl_cli_report ("no run has a setting, score or fact \"%s\"", name);
      return SL_EXIT_USAGE;
    }
  groups = sl_run_groups (runs, &field, group);
  for (int printing = 0; printing <= 1; printing++)
    for (guint g = 0; g < groups->len; g++)
      {
        const SlRunGroup *one = &g_array_index (groups, SlRunGroup, g);
        char              text[SL_FIELD_TEXT_SIZE];

        sl_field_text (&one->value, text);
        if (one->value.kind == SL_FIELD_NOTHING)
          g_strlcpy (text, _ ("(none)"), sizeof text);
        width = MAX (width, MIN (WIDEST, (int) g_utf8_strlen (text, -1)));
        if (!printing)
          continue;
        printf ("%s%*s  %5u", text, MAX (0, width - (int) g_utf8_strlen (text, -1)), "", one->n);
        print_mean (one->validation ? "error (validation)" : "error", "", &one->error);
        if (one->error.n > 0 && one->left_out > 0)
          printf (" of %u runs", one->error.n);
        print_mean ("executed", " %", &one->executed);
        print_mean ("timed", " %", &one->timed);
        putchar ('\n');
        several = several || one->n > 1;
      }
  if (several)
    puts (/* xgettext:no-c-format */ _ ("±: 95 % interval"));
  return SL_EXIT_FINE;
}

static void
print_cell (const char *text, int width)
{
  printf ("%s%*s  ", text, MAX (0, width - (int) g_utf8_strlen (text, -1)), "");
}

/* The text of a run's value; "–" where it has none. */
static const char *
cell_text (const SlField *field, const SlStoreRun *run, char text[SL_FIELD_TEXT_SIZE])
{
  SlFieldValue value;

  sl_field_read (field, run, &value);
  if (value.kind == SL_FIELD_NOTHING)
    return "–";
  return sl_field_text (&value, text);
}

void
sl_print_differences (const GPtrArray *runs)
{
  g_autoptr (GPtrArray) names = sl_run_differences (runs);
  g_autofree SlField *field = g_new (SlField, names->len + 1);
  g_autofree int     *width = g_new0 (int, names->len + 1);
  char                text[SL_FIELD_TEXT_SIZE];

  for (guint c = 0; c < names->len; c++)
    {
      sl_field_find (g_ptr_array_index (names, c), runs, &field[c]);
      width[c] = (int) g_utf8_strlen (g_ptr_array_index (names, c), -1);
      for (guint i = 0; i < runs->len; i++)
        width[c] = MAX (width[c], (int) g_utf8_strlen (
                                    cell_text (&field[c], g_ptr_array_index (runs, i), text), -1));
    }
  print_cell ("run", SHOWN);
  for (guint c = 0; c < names->len; c++)
    print_cell (g_ptr_array_index (names, c), width[c]);
  puts ("error");
  for (guint i = 0; i < runs->len; i++)
    {
      const SlStoreRun *run = g_ptr_array_index (runs, i);
      SlOutcome         outcome;

      printf ("%.*s  ", SHOWN, run->uuid);
      for (guint c = 0; c < names->len; c++)
        print_cell (cell_text (&field[c], run, text), width[c]);
      sl_store_run_outcome (run, &outcome);
      if (isfinite (outcome.error))
        sl_print_error ("", run, &outcome);
      else
        printf ("%s", sl_run_status_text (run->status));
      putchar ('\n');
    }
}

/* SPDX-License-Identifier: MIT
 *
 * The page of a run.  */
#include <glib/gi18n.h>
#include <math.h>

#include "core/run/base/error.h"
#include "core/run/state/state.h"
#include "core/run/sweep/command-line.h"
#include "plot/export/export.h"
#include "plot/page/private.h"

unsigned
sl_page_front (const SlLab *lab, const SlSettings *settings, const SlDataset *dataset,
               unsigned panel[1 + SL_FRONT_PLOTS])
{
  int      picture = sl_lab_picture (lab);
  unsigned n = 0;

  if (picture >= 0)
    panel[n++] = (unsigned) picture;
  return n + sl_lab_front_plots (lab, settings, dataset, panel + n);
}

/* How to have the run again: in a window and on a command line. */
static void
put_ways_back (SlPage *page, const SlRecipe *recipe)
{
  SlState state
    = { .lab = recipe->lab, .settings = recipe->settings, .seed = recipe->seed, .panel = -1 };
  g_autofree char *line = NULL, *command = sl_command_line_run (recipe);

  g_strlcpy (state.data, recipe->data, sizeof state.data);
  line = sl_state_write (&state, NULL); /* data in files have no place in one */
  sl_page_text (page, "state", line);
  sl_page_text (page, "command", command);
}

void
sl_page_changes (SlPage *page, const SlRecord *record)
{
  sl_page_open (page, "changes", '[');
  for (unsigned i = 0; i < record->n_flags; i++)
    {
      char text[SL_MESSAGE_SIZE];

      sl_page_open (page, NULL, '{');
      sl_page_number (page, "step", record->flag[i].step);
      sl_page_text (page, "text", sl_message_show (record->flag[i].text, NULL, text, sizeof text));
      sl_page_close (page);
    }
  sl_page_close (page);
}

static void
put_steps (SlPage *page, const SlFrames *frames)
{
  sl_page_open (page, "moments", '[');
  for (unsigned i = 0; frames != NULL && i < sl_frames_count (frames); i++)
    sl_page_number (page, NULL, (double) sl_frames_step (frames, i));
  sl_page_close (page);
}

GBytes *
sl_page_run (const SlPageRun *run, GError **error)
{
  const SlLab     *lab = run->record->lab;
  const char      *title = run->title != NULL ? run->title : lab->title;
  g_autofree char *recipe = sl_recipe_write (run->recipe), *caption = sl_export_caption (recipe);
  SlPage           page;
  bool             any = false;

  sl_page_begin (&page, "run");
  sl_page_text (&page, "title", title);
  sl_page_text (&page, "sentence", run->sentence != NULL ? run->sentence : lab->summary);
  sl_page_text (&page, "caption", caption);
  put_ways_back (&page, run->recipe);
  sl_page_changes (&page, run->record);
  put_steps (&page, run->frames);
  sl_page_open (&page, "panels", '[');
  for (unsigned i = 0; i < run->n_panels; i++)
    any |= sl_page_panel (&page, run, run->panel[i]);
  sl_page_close (&page);
  if (any)
    return sl_page_end (&page, title, recipe, error);
  g_bytes_unref (sl_page_end (&page, title, recipe, NULL));
  g_set_error_literal (error, SL_ERROR, SL_EINVAL, _ ("The panels have nothing to show yet"));
  return NULL;
}

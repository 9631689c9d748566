/* SPDX-License-Identifier: MIT
 *
 * Stored runs that are opened, in the window: what is said of them, and files of runs that another program
 * is writing while they are open here, whose runs go on in the list, too.  */
#include <glib/gi18n.h>

#include "core/nn/kernels/mat.h"
#include "core/run/follow/follow.h"
#include "core/train/checkpoint.h"
#include "ui/window/opening/opening.h"
#include "ui/window/plots/plots.h"

static void
on_ended (gpointer window, SlFollow *file, const GError *error)
{
  if (error != NULL)
    sl_window_report (window, error->message);
  g_ptr_array_remove (sl_window_parts (window)->followed, file);
}

static gboolean
is_of (gconstpointer file, gconstpointer path)
{
  return g_str_equal (sl_follow_path (file), path);
}

/* Shows the list, and says that n runs of the file are being trained; 0: none has begun. */
static void
follow (SlWindow *self, const char *path, unsigned n)
{
  g_autofree char *name = g_filename_display_basename (path);
  g_autofree char *sentence
    = n > 0 ? g_strdup_printf (
        /* Translators: %s is the name of a file of runs. */
        _ ("%s: shown while other programs train its runs (%u)"), name, n)
            /* Translators: %s is the name of a file of runs. */
            : g_strdup_printf (_ ("%s: no runs yet; they appear as they come"), name);

  sl_stage_show_list (sl_window_stage (self));
  sl_window_toast (self, sentence);
  if (!sl_store_is_at (sl_window_get_store (self), path)
      && !g_ptr_array_find_with_equal_func (sl_window_parts (self)->followed, path, is_of, NULL))
    g_ptr_array_add (sl_window_parts (self)->followed,
                     sl_follow_new (sl_window_get_store (self), path, on_ended, self));
}

/* Shows the list, with the runs of the file. */
static void
list (SlWindow *self, const SlOpening *opening)
{
  g_autofree char *name = g_filename_display_basename (opening->path);
  g_autofree char *sentence
    /* Translators: %s is the name of a file of runs. */
    = g_strdup_printf (ngettext ("Opened %s: %u run", "Opened %s: %u runs", opening->listed), name,
                       opening->listed);

  sl_stage_show_list (sl_window_stage (self));
  sl_runs_page_show_file (sl_window_child (self, "runs"), opening->path,
                          (const char *const *) opening->uuids);
  sl_window_toast (self, sentence);
  sl_window_note_recent (opening->path);
}

/* What was opened has no state: its curves stay, and the run that begins is another one. */
static void
tell_curves_only (SlWindow *self, const SlStoredRun *run)
{
  if (run->curves_only)
    sl_window_toast (self, _ ("Only curves are left of that run: a new one has its settings"));
}

static void
tell_opened (SlWindow *self, const SlOpened *opened)
{
  const SlStoredRun *run = &opened->opening.run;
  unsigned long long step = run->checkpoint.step;
  SlStatus           status
    = sl_checkpoint_check (run->checkpoint.data, run->checkpoint.bytes, run->recipe.lab);
  g_autofree char *name
    = opened->opening.path != NULL ? g_path_get_basename (opened->opening.path) : NULL;
  g_autofree char *sentence = NULL, *gone = sl_recipe_gone_text (&run->recipe);

  if (run->checkpoint.data != NULL && !sl_ok (&status))
    return; /* the session will say that it cannot go on */
  if (name != NULL && opened->opening.looked_up)
    sentence = g_strdup_printf (_ ("Opened %s: the curves of its run"), name);
  else if (name != NULL)
    sentence = g_strdup_printf (_ ("Opened %s at update %llu"), name, step);
  else if (run->status == SL_RUN_CUT_OFF)
    sentence = g_strdup_printf (_ ("Resumed the interrupted run at update %llu"), step);
  else
    sentence = g_strdup_printf (_ ("Resumed the run at update %llu"), step);
  sl_window_toast (self, sentence);
  if (!opened->opening.looked_up)
    tell_curves_only (self, run);
  if (gone != NULL)
    sl_window_toast (self, gone);
  if (g_strcmp0 (run->recipe.kernel, sl_blas_kernel ()) != 0)
    sl_window_toast (self, _ ("It began on another processor: its last digits will differ"));
}

static void
tell_returned (SlWindow *self, const SlOpened *opened)
{
  unsigned long long step = opened->opening.run.checkpoint.step;
  g_autofree char *sentence = g_strdup_printf (_ ("Back to the run before, at update %llu"), step);

  if (opened->lab == NULL)
    sl_window_toast (self, sentence);
  tell_curves_only (self, &opened->opening.run);
}

static void
on_opened (SlWindow *self, const SlOpened *opened)
{
  if (opened->error != NULL
      && (opened->returning != NULL || (opened->opening.looked_up && !opened->opening.figure)))
    sl_window_toast (self, opened->error->message);
  else if (opened->error != NULL)
    sl_window_report (self, opened->error->message);
  else if (opened->opening.written)
    follow (self, opened->opening.path, (unsigned) opened->opening.at_work);
  else if (opened->opening.listed > 0)
    list (self, &opened->opening);
  else
    {
      if (opened->returning != NULL)
        tell_returned (self, opened);
      else if (!opened->opening.looked_up || opened->opening.path != NULL)
        tell_opened (self, opened);
      if (opened->opening.path != NULL && !opened->opening.figure)
        sl_window_saved_at (self, opened->opening.path, opened->opening.run.uuid);
      sl_window_view_expect (self, opened->opening.run.view);
    }
}

void
sl_window_resume (SlWindow *self, const char *uuid, gboolean paused)
{
  if (sl_window_get_store (self) != NULL)
    sl_stage_resume (sl_window_stage (self), uuid, paused);
}

static void
on_resume (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  sl_window_resume (data, g_variant_get_string (parameter, NULL), FALSE);
}

void
sl_window_add_open (SlWindow *self)
{
  static const GActionEntry entries[]
    = { { .name = "resume", .activate = on_resume, .parameter_type = "s" } };

  sl_window_parts (self)->followed
    = g_ptr_array_new_with_free_func ((GDestroyNotify) sl_follow_free);
  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  g_signal_connect_swapped (sl_window_stage (self), "opened", G_CALLBACK (on_opened), self);
}

void
sl_window_drop_open (SlWindow *self)
{
  g_clear_pointer (&sl_window_parts (self)->followed, g_ptr_array_unref);
}

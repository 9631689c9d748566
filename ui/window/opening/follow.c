/* SPDX-License-Identifier: MIT
 *
 * Files of runs that another program is writing while they are open here.  */
#include <glib/gi18n.h>

#include "core/run/follow/follow.h"
#include "ui/window/controllers.h"

typedef struct SlWindowFollowed
{
  GPtrArray *files; /* of SlFollow */
} Followed;

static GPtrArray *
files_of (SlWindow *self)
{
  return sl_window_parts (self)->followed->files;
}

static void
on_ended (gpointer window, SlFollow *file, const GError *error)
{
  if (error != NULL)
    sl_window_report (window, error->message);
  g_ptr_array_remove (files_of (window), file);
}

static gboolean
is_of (gconstpointer file, gconstpointer path)
{
  return g_str_equal (sl_follow_path (file), path);
}

void
sl_window_follow (SlWindow *self, const char *path, unsigned n)
{
  g_autofree char *name = g_filename_display_basename (path);
  g_autofree char *sentence
    = n > 0 ? g_strdup_printf (
        /* Translators: %s is the name of a file of runs. */
        ngettext ("%s: %u run that another program is training is shown as it goes on",
                  "%s: %u runs that other programs are training are shown as they go on", n),
        name, n)
            /* Translators: %s is the name of a file of runs. */
            : g_strdup_printf (_ ("%s: no runs yet; they are shown as they come"), name);

  sl_window_show_list (self);
  sl_window_toast (self, sentence);
  if (!sl_store_is_at (sl_window_get_store (self), path)
      && !g_ptr_array_find_with_equal_func (files_of (self), path, is_of, NULL))
    g_ptr_array_add (files_of (self),
                     sl_follow_new (sl_window_get_store (self), path, on_ended, self));
}

void
sl_window_add_follow (SlWindow *self)
{
  sl_window_parts (self)->followed = g_new0 (Followed, 1);
  sl_window_parts (self)->followed->files
    = g_ptr_array_new_with_free_func ((GDestroyNotify) sl_follow_free);
}

void
sl_window_drop_follow (SlWindow *self)
{
  Followed *followed = g_steal_pointer (&sl_window_parts (self)->followed);

  g_ptr_array_unref (followed->files);
  g_free (followed);
}

/* SPDX-License-Identifier: MIT
 *
 * What the page shows: all runs or those of a sweep or a file, and the whole of it, kept for the next start of the program.  */
#include <glib/gi18n.h>

#include "core/run/base/language.h"
#include "ui/runs/opened.h"
#include "ui/runs/private.h"

#define WANTED "sl-wanted-sweep" /* set on the list of sweeps until they are there */
#define OPENED "sl-opened-files" /* likewise: the array of ui/runs/opened.h */

const char *
sl_runs_page_wanted_sweep (SlRunsPage *self)
{
  return g_object_get_data (G_OBJECT (self->scope), WANTED);
}

void
sl_runs_page_want_sweep (SlRunsPage *self, const char *title)
{
  g_object_set_data_full (G_OBJECT (self->scope), WANTED, g_strdup (title), g_free);
}

/* ---- the list: all runs, each opened file, each sweep, and the sweep of another program ---- */

static GPtrArray *
files_of (SlRunsPage *self)
{
  GPtrArray *files = g_object_get_data (G_OBJECT (self->scope), OPENED);

  if (files == NULL)
    {
      files = sl_opened_files_new ();
      g_object_set_data_full (G_OBJECT (self->scope), OPENED, files,
                              (GDestroyNotify) g_ptr_array_unref);
    }
  return files;
}

guint
sl_runs_page_first_sweep (SlRunsPage *self)
{
  return 1 + files_of (self)->len;
}

/* The file that is an item of the list; NULL: it is not one. */
static SlOpenedFile *
file_at (SlRunsPage *self, guint at)
{
  GPtrArray *files = files_of (self);

  return at > 0 && at <= files->len ? g_ptr_array_index (files, at - 1) : NULL;
}

/* The title of an item of the list; NULL: all runs, those of a file, or the sweep of another program. */
static const char *
sweep_at (SlRunsPage *self, guint at)
{
  guint first = sl_runs_page_first_sweep (self);

  return at >= first && at - first < self->sweeps->len
           ? g_ptr_array_index (self->sweeps, at - first)
           : NULL;
}

const char *
sl_runs_page_chosen_sweep (SlRunsPage *self)
{
  const char *chosen
    = self->list != NULL ? sweep_at (self, gtk_drop_down_get_selected (self->scope)) : NULL;

  return chosen != NULL ? chosen : sl_runs_page_wanted_sweep (self);
}

/* The table has the runs of an item of the list. */
static void
show_scope (SlRunsPage *self, guint at)
{
  SlOpenedFile *file = file_at (self, at);

  sl_run_table_set_scope (self->table, sweep_at (self, at), file != NULL ? file->uuids : NULL);
}

/* How many runs each sweep has; names are interned. */
static GHashTable *
count_sweeps (SlRunsPage *self)
{
  GHashTable *counts = g_hash_table_new (NULL, NULL);
  guint       n = self->list != NULL ? g_list_model_get_n_items (G_LIST_MODEL (self->list)) : 0;

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (SlRunItem) item = g_list_model_get_item (G_LIST_MODEL (self->list), i);
      gpointer sweep = (gpointer) sl_run_item_run (item)->sweep;
      guint    before = GPOINTER_TO_UINT (g_hash_table_lookup (counts, sweep));

      g_hash_table_insert (counts, sweep, GUINT_TO_POINTER (before + 1));
    }
  return counts;
}

/* "Experts: gate × k, 60 runs"; free with g_free(). */
static char *
sweep_title (SlRunsPage *self, SlRunItem *last, guint runs)
{
  const SlStoreRun *run = sl_run_item_run (last);
  const char       *lab = run->lab != NULL ? sl_words (run->lab->title) : run->lab_id;
  g_autofree char  *varied = sl_varied_text (sl_run_list_varied (self->list), run);
  g_autofree char  *count = g_strdup_printf (ngettext ("%u run", "%u runs", runs), runs);

  return *varied != '\0' ? g_strdup_printf ("%s: %s, %s", lab, varied, count)
                         : g_strdup_printf ("%s: %s", lab, count);
}

/* One of several that are called the same is told from them by its last run. */
static char *
tell_apart (char *title, SlRunItem *last, GHashTable *taken)
{
  char *longer = g_hash_table_contains (taken, title)
                   ? g_strdup_printf ("%s (%s)", title, sl_run_item_name (last))
                   : g_strdup (title);

  g_hash_table_add (taken, title);
  return longer;
}

/* Each sweep is named after what it varies.  The one that is wanted is chosen once it is there; until then, and
 * afterwards, what was chosen stays.  */
void
sl_runs_page_fill_scopes (SlRunsPage *self)
{
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL); /* interned */
  g_autoptr (GHashTable) counts = count_sweeps (self);
  g_autoptr (GHashTable) taken = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  const char *wanted = sl_runs_page_wanted_sweep (self);
  guint       n = self->list != NULL ? g_list_model_get_n_items (G_LIST_MODEL (self->list)) : 0;
  guint       at = gtk_drop_down_get_selected (self->scope);
  guint       chosen = file_at (self, at) != NULL ? at : 0;
  g_autofree char *before = g_strdup (sweep_at (self, at));
  gboolean         is_there = FALSE, of_others = sl_runs_page_shows_trials (self);

  gtk_string_list_append (names, _ ("All runs"));
  for (guint i = 0; i < files_of (self)->len; i++)
    {
      g_autofree char *title = sl_opened_file_title (file_at (self, 1 + i), self->list);

      gtk_string_list_append (names, title);
    }
  g_ptr_array_set_size (self->sweeps, 0);
  for (guint i = n; i > 0; i--)
    {
      g_autoptr (SlRunItem) item = g_list_model_get_item (G_LIST_MODEL (self->list), i - 1);
      const SlStoreRun *run = sl_run_item_run (item);
      g_autofree char  *title = NULL;
      gboolean          is_wanted;

      if (run->sweep[0] == '\0' || !g_hash_table_add (seen, (gpointer) run->sweep))
        continue;
      is_wanted = g_strcmp0 (wanted, run->sweep) == 0;
      g_ptr_array_add (self->sweeps, g_strdup (run->sweep));
      title = tell_apart (
        sweep_title (self, item,
                     GPOINTER_TO_UINT (g_hash_table_lookup (counts, (gpointer) run->sweep))),
        item, taken);
      gtk_string_list_append (names, title);
      is_there |= is_wanted;
      if (is_wanted || (!is_there && g_strcmp0 (before, run->sweep) == 0))
        chosen = sl_runs_page_trials_place (self) - 1;
    }
  if (self->trials != NULL)
    gtk_string_list_append (names, self->trials->title);
  if (of_others && !is_there)
    chosen = sl_runs_page_trials_place (self);
  if (is_there)
    sl_runs_page_want_sweep (self, NULL);
  self->filling = TRUE;
  gtk_drop_down_set_model (self->scope, G_LIST_MODEL (names));
  gtk_drop_down_set_selected (self->scope, chosen);
  self->filling = FALSE;
  show_scope (self, chosen);
}

void
sl_runs_page_scoped (SlRunsPage *self)
{
  guint at = gtk_drop_down_get_selected (self->scope);

  if (self->filling || at == GTK_INVALID_LIST_POSITION)
    return;
  sl_runs_page_want_sweep (self, NULL);
  show_scope (self, at);
  sl_runs_page_update_soon (self);
  g_signal_emit_by_name (self, "moved");
}

void
sl_runs_page_show_file (SlRunsPage *self, const char *path, const char *const *uuids)
{
  guint at;

  g_return_if_fail (SL_IS_RUNS_PAGE (self) && path != NULL && uuids != NULL);
  sl_runs_page_want_sweep (self, NULL);
  /* What is chosen now would have another place. */
  gtk_drop_down_set_selected (self->scope, 0);
  at = sl_opened_files_keep (files_of (self), path, uuids);
  sl_runs_page_fill_scopes (self);
  gtk_drop_down_set_selected (self->scope, 1 + at);
}

/* ---- kept for the next start ---- */

void
sl_runs_page_write_place (SlRunsPage *self, SlJsonWriter *w)
{
  const char *sweep;

  g_return_if_fail (SL_IS_RUNS_PAGE (self) && w != NULL);
  sweep = sl_runs_page_chosen_sweep (self);
  sl_json_add_text (w, "view", gtk_stack_get_visible_child_name (self->views));
  if (sweep != NULL)
    sl_json_add_text (w, "sweep", sweep);
  sl_json_add_text (w, "group", sl_given (sl_run_table_get_group (self->table)));
  if (sl_axis_chooser_wanted (self->x_axis) != NULL)
    sl_json_add_text (w, "x", sl_axis_chooser_wanted (self->x_axis));
  if (sl_axis_chooser_wanted (self->y_axis) != NULL)
    sl_json_add_text (w, "y", sl_axis_chooser_wanted (self->y_axis));
  sl_json_add_truth (w, "log-x", gtk_toggle_button_get_active (self->log_x));
  sl_json_add_truth (w, "log-y", gtk_toggle_button_get_active (self->log_y));
  sl_json_open (w, "setup", '{', SL_JSON_LINES);
  sl_sweep_bar_write_place (self->sweep, w);
  sl_json_close (w);
}

static gboolean
is_true (const SlJson *object, const char *key)
{
  const SlJson *member = sl_json_member_of (object, key, SL_JSON_TRUTH);

  return member != NULL && member->number != 0.0;
}

void
sl_runs_page_read_place (SlRunsPage *self, const SlJson *place)
{
  const SlJson *view = sl_json_member_of (place, "view", SL_JSON_TEXT);
  const SlJson *sweep = sl_json_member_of (place, "sweep", SL_JSON_TEXT);
  const SlJson *group = sl_json_member_of (place, "group", SL_JSON_TEXT);
  const SlJson *x = sl_json_member_of (place, "x", SL_JSON_TEXT);
  const SlJson *y = sl_json_member_of (place, "y", SL_JSON_TEXT);

  g_return_if_fail (SL_IS_RUNS_PAGE (self));
  if (place == NULL)
    return;
  if (view != NULL && gtk_stack_get_child_by_name (self->views, view->text) != NULL)
    gtk_stack_set_visible_child_name (self->views, view->text);
  sl_axis_chooser_want (self->x_axis, x != NULL ? x->text : NULL);
  sl_axis_chooser_want (self->y_axis, y != NULL ? y->text : NULL);
  if (group != NULL)
    gtk_widget_activate_action (GTK_WIDGET (self->table), "table.group", "s", group->text);
  gtk_toggle_button_set_active (self->log_x, is_true (place, "log-x"));
  gtk_toggle_button_set_active (self->log_y, is_true (place, "log-y"));
  sl_runs_page_want_sweep (self, sweep != NULL ? sweep->text : NULL);
  sl_sweep_bar_read_place (self->sweep, sl_json_member_of (place, "setup", SL_JSON_OBJECT));
}

/* SPDX-License-Identifier: MIT
 *
 * How plots are looked at: their views, which go into the store with the run and come back with it, and the
 * user's arrangement of the panels of each lab, which is in the preferences.  */
#include <glib/gi18n.h>
#include <string.h>

#include "core/run/base/language.h"
#include "ui/grid/chooser.h"
#include "ui/grid/views.h"
#include "ui/window/plots/plots.h"

/* The preference has a line for each lab: its id, a blank, and the arrangement as JSON. */
enum { TEXT_BYTES = 1 << 16 };

typedef struct SlWindowView
{
  char  of[SL_UUID]; /* the stored run whose view the plots have, or "" */
  char *kept;        /* what the store has of it, or NULL */
  char *due;         /* the view of the run that is to come, or NULL */
} View;

void
sl_window_keep_view (SlWindow *self)
{
  View            *view = sl_window_parts (self)->view;
  SlStore         *store = sl_window_get_store (self);
  g_autofree char *now = NULL;

  if (store == NULL || view->of[0] == '\0')
    return;
  now = sl_plot_views_write (sl_window_get_grid (self));
  if (g_strcmp0 (now, view->kept) == 0)
    return;
  sl_store_set_view (store, view->of, now != NULL ? now : "");
  g_free (view->kept);
  view->kept = g_steal_pointer (&now);
}

/* A run that is gone on with comes as it was looked at; any other one as the plots are now, without
 * the notes.  */
static void
come_back (SlWindow *self)
{
  g_autofree char *due = g_steal_pointer (&sl_window_parts (self)->view->due);

  if (due != NULL)
    sl_plot_views_read (sl_window_get_grid (self), due[0] != '\0' ? due : "{}");
  else
    sl_plot_views_forget_notes (sl_window_get_grid (self));
}

/* From now on the view of the plots belongs to the run that is shown. */
static void
follow (SlWindow *self)
{
  View       *view = sl_window_parts (self)->view;
  const char *uuid = sl_session_uuid (sl_window_get_session (self));

  if (sl_window_shows_overview (self))
    return;
  if (g_strcmp0 (uuid != NULL ? uuid : "", view->of) == 0)
    return;
  g_clear_pointer (&view->kept, g_free);
  g_strlcpy (view->of, uuid != NULL ? uuid : "", sizeof view->of);
}

void
sl_window_view_expect (SlWindow *self, const char *due)
{
  View *view = sl_window_parts (self)->view;

  g_free (view->due);
  view->due = g_strdup (due);
}

/* ---- panels ---- */

/* Arranges the panels of the lab that is shown as the preferences have them. */
static void
arrange (SlWindow *self)
{
  const SlLab  *lab = sl_session_lab (sl_window_get_session (self));
  SlPlotGrid   *grid = sl_window_get_grid (self);
  SlArrangement arrangement;

  if (lab == NULL || sl_plot_grid_get_n_cards (grid) != lab->n_panels)
    return;

  g_autofree char *text = sl_prefs_get_line (sl_window_get_prefs (self), "panels", lab->id);
  g_autoptr (SlJson) json
    = text != NULL ? sl_json_parse (text, strlen (text), TEXT_BYTES, "panels", NULL) : NULL;

  if (json == NULL)
    return;
  sl_arrangement_read (&arrangement, lab, json);
  sl_plot_grid_set_arrangement (grid, &arrangement);
}

static void
keep (SlWindow *self, const SlLab *lab)
{
  g_autofree char *json
    = sl_arrangement_write (sl_plot_grid_get_arrangement (sl_window_get_grid (self)), lab);

  sl_prefs_set_line (sl_window_get_prefs (self), "panels", lab->id,
                     strcmp (json, "{}") != 0 ? json : NULL);
}

void
sl_window_panels_arranged (SlWindow *self, int hidden)
{
  const SlLab     *lab = sl_session_lab (sl_window_get_session (self));
  g_autofree char *sentence = NULL;

  if (lab == NULL)
    return;
  keep (self, lab);
  if (hidden < 0)
    return;
  sentence = g_strdup_printf (_ ("%s is hidden"), sl_words (lab->panels[hidden].title));
  sl_window_toast_button (self, sentence, _ ("Panels…"), "win.panels");
}

/* Pins the panels of these ids, with spaces between them, that are not pinned yet, in this order,
 * and shows a toast.  */
static void
on_pin_panels (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SlWindow     *self = data;
  const char   *ids = g_variant_get_string (parameter, NULL);
  const SlLab  *lab = sl_session_lab (sl_window_get_session (self));
  SlPlotGrid   *grid = sl_window_get_grid (self);
  SlArrangement arrangement = *sl_plot_grid_get_arrangement (grid);
  g_auto (GStrv) id = g_strsplit (ids, " ", -1);
  unsigned n = 0;

  for (unsigned i = 0; id[i] != NULL; i++)
    {
      int panel = sl_lab_panel (lab, id[i]);

      if (panel < 0 || arrangement.section[panel] == SL_SECTION_PINNED)
        continue;
      sl_arrangement_pin (&arrangement, lab, (unsigned) panel, true);
      arrangement.hidden[panel] = false;
      n++;
    }
  if (n == 0)
    return;
  sl_plot_grid_set_arrangement (grid, &arrangement);
  keep (self, lab);
  sl_window_toast_button (self, _ ("The plots that show this are pinned to the top"), _ ("Panels…"),
                          "win.panels");
}

static void
on_panels (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  const SlLab *lab = sl_session_lab (sl_window_get_session (data));

  if (sl_stage_shows_list (sl_window_stage (data)))
    sl_stage_back (sl_window_stage (data));
  gtk_window_present (GTK_WINDOW (sl_panel_chooser_new (data, sl_window_get_grid (data), lab)));
}

static void
on_shown (SlWindow *self)
{
  follow (self);
  arrange (self);
}

static void
on_restarted (SlWindow *self)
{
  on_shown (self);
  come_back (self);
}

void
sl_window_add_look (SlWindow *self)
{
  static const GActionEntry entries[] = {
    { .name = "panels", .activate = on_panels },
    { .name = "pin-panels", .activate = on_pin_panels, .parameter_type = "s" },
  };

  sl_window_parts (self)->view = g_new0 (View, 1);
  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  sl_window_watch (self, "leaving", sl_window_keep_view);
  sl_window_watch (self, "shown", on_shown);
  sl_window_watch (self, "restarted", on_restarted);
  sl_window_watch (self, "progress", follow);
}

void
sl_window_drop_look (SlWindow *self)
{
  View *view = g_steal_pointer (&sl_window_parts (self)->view);

  g_free (view->kept);
  g_free (view->due);
  g_free (view);
}

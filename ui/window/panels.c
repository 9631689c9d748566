/* SPDX-License-Identifier: MIT */
#include "ui/window/controllers.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/run/base/language.h"
#include "ui/grid/chooser.h"

/* The preference has a line for each lab: its id, a blank, and the arrangement as JSON. */
enum { TEXT_BYTES = 1 << 16 };

void
sl_window_arrange_panels (SlWindow *self)
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
void
sl_window_pin_panels (SlWindow *self, const char *ids)
{
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

  sl_window_leave_runs (data);
  gtk_window_present (GTK_WINDOW (sl_panel_chooser_new (data, sl_window_get_grid (data), lab)));
}

void
sl_window_add_panels (SlWindow *self)
{
  static const GActionEntry entries[] = { { .name = "panels", .activate = on_panels } };

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
}

/* SPDX-License-Identifier: MIT
 *
 * Which cards of a grid are in sight, and where: by the settings of now, a lesson, and what the
 * user hid, moved, pinned, folded or maximised.  */
#include "ui/grid/private.h"

enum { FRAMES_TO_PLACE = 2 };

/* False for a panel that says nothing under the settings of now, or that a lesson leaves out. */
static gboolean
matters (SlPlotGrid *self, unsigned panel)
{
  const SlLab *lab = self->record->lab;

  if (self->shown != NULL
      && !g_strv_contains ((const char *const *) self->shown, lab->panels[panel].id))
    return FALSE;
  return self->session == NULL
         || (sl_needs_hold (sl_session_settings (self->session), lab->params, lab->n_params,
                            lab->panels[panel].needs)
             && sl_dataset_has (sl_session_dataset (self->session), lab->panels[panel].needs));
}

/* The user may have hidden the panel; a lesson shows the panels that it names. */
static gboolean
is_wanted (SlPlotGrid *self, unsigned panel)
{
  return matters (self, panel) && (self->shown != NULL || !self->arrangement.hidden[panel]);
}

/* What can be done with a panel from its menu. */
static void
tell_card (SlPlotGrid *self, unsigned panel)
{
  gboolean open = self->shown == NULL && self->maximised < 0;

  sl_plot_card_set_place (g_ptr_array_index (self->cards, panel), open,
                          open && sl_arrangement_beside (&self->arrangement, panel, -1) >= 0,
                          open && sl_arrangement_beside (&self->arrangement, panel, 1) >= 0,
                          self->arrangement.section[panel] == SL_SECTION_PINNED);
}

void
sl_plot_grid_show_cards (SlPlotGrid *self)
{
  gboolean headed = !self->bare && self->shown == NULL && self->maximised < 0;
  unsigned n[SL_N_SECTIONS] = { 0 };

  for (unsigned i = 0; i < self->cards->len; i++)
    {
      unsigned section = self->arrangement.section[i];
      gboolean wanted = self->maximised < 0 ? is_wanted (self, i) : (int) i == self->maximised;

      n[section] += headed && wanted;
      gtk_widget_set_visible (g_ptr_array_index (self->cards, i),
                              wanted && !(headed && self->arrangement.folded[section]));
      tell_card (self, i);
    }
  sl_plot_sections_show (self->sections, &self->arrangement, n);
}

void
sl_plot_grid_place (SlPlotGrid *self)
{
  sl_plot_sections_place (self->sections, &self->arrangement, self->cards);
  sl_plot_grid_show_cards (self);
}

/* Everything to its place, and the news told: `hidden` is the panel that went, or -1. */
static void
rearranged (SlPlotGrid *self, int hidden)
{
  sl_plot_grid_place (self);
  sl_plot_grid_wake (self);
  g_signal_emit_by_name (self, "arranged", hidden);
}

void
sl_plot_grid_on_fold (gpointer grid, unsigned section)
{
  SlPlotGrid *self = grid;

  self->arrangement.folded[section] = !self->arrangement.folded[section];
  rearranged (self, -1);
}

void
sl_plot_grid_on_arrange (SlPlotCard *card, int how, SlPlotGrid *self)
{
  guint panel;

  if (!g_ptr_array_find (self->cards, card, &panel))
    return;
  switch ((SlCardMove) how)
    {
    case SL_CARD_HIDE: sl_plot_grid_hide (self, panel, TRUE); return;
    case SL_CARD_UP: sl_arrangement_move (&self->arrangement, panel, -1); break;
    case SL_CARD_DOWN: sl_arrangement_move (&self->arrangement, panel, 1); break;
    case SL_CARD_PIN: sl_arrangement_pin (&self->arrangement, self->lab, panel, true); break;
    case SL_CARD_UNPIN: sl_arrangement_pin (&self->arrangement, self->lab, panel, false); break;
    }
  rearranged (self, -1);
  sl_plot_grid_reveal (self, panel);
}

void
sl_plot_grid_hide (SlPlotGrid *self, unsigned panel, gboolean hidden)
{
  g_return_if_fail (SL_IS_PLOT_GRID (self) && panel < self->arrangement.n);
  self->arrangement.hidden[panel] = hidden;
  rearranged (self, hidden ? (int) panel : -1);
}

void
sl_plot_grid_reveal (SlPlotGrid *self, unsigned panel)
{
  g_return_if_fail (SL_IS_PLOT_GRID (self) && panel < self->arrangement.n);
  if (self->maximised >= 0)
    sl_plot_grid_maximise (self, -1);
  if (self->arrangement.hidden[panel] || self->arrangement.folded[self->arrangement.section[panel]])
    {
      self->arrangement.hidden[panel] = false;
      self->arrangement.folded[self->arrangement.section[panel]] = false;
      rearranged (self, -1);
    }
  gtk_widget_grab_focus (GTK_WIDGET (sl_plot_grid_view_at (self, panel)));
  self->sought = (int) panel;
  self->frames = FRAMES_TO_PLACE;
  sl_plot_grid_wake (self);
}

void
sl_plot_grid_arrange_as_first (SlPlotGrid *self)
{
  g_return_if_fail (SL_IS_PLOT_GRID (self));
  sl_arrangement_init (&self->arrangement, self->lab);
  rearranged (self, -1);
}

const SlArrangement *
sl_plot_grid_get_arrangement (SlPlotGrid *self)
{
  g_return_val_if_fail (SL_IS_PLOT_GRID (self), NULL);
  return &self->arrangement;
}

void
sl_plot_grid_set_arrangement (SlPlotGrid *self, const SlArrangement *arrangement)
{
  g_return_if_fail (SL_IS_PLOT_GRID (self) && arrangement->n == self->cards->len);
  self->arrangement = *arrangement;
  sl_plot_grid_place (self);
  sl_plot_grid_wake (self);
}

void
sl_plot_grid_set_bare (SlPlotGrid *self, gboolean bare)
{
  g_return_if_fail (SL_IS_PLOT_GRID (self));
  self->bare = bare;
  sl_plot_grid_show_cards (self);
  sl_plot_grid_wake (self);
}

void
sl_plot_grid_set_shown (SlPlotGrid *self, const char *const *ids)
{
  g_return_if_fail (SL_IS_PLOT_GRID (self));
  g_strfreev (self->shown);
  self->shown = g_strdupv ((GStrv) ids);
  self->maximised = -1;
  sl_plot_grid_show_cards (self);
  sl_plot_grid_wake (self);
}

void
sl_plot_grid_maximise (SlPlotGrid *self, int panel)
{
  g_return_if_fail (SL_IS_PLOT_GRID (self));
  self->maximised = panel;
  sl_plot_grid_show_cards (self);
  if (panel >= 0)
    gtk_widget_grab_focus (GTK_WIDGET (sl_plot_grid_view_at (self, (unsigned) panel)));
  sl_plot_grid_wake (self);
}

int
sl_plot_grid_get_maximised (SlPlotGrid *self)
{
  g_return_val_if_fail (SL_IS_PLOT_GRID (self), -1);
  return self->maximised;
}

/* SPDX-License-Identifier: MIT
 *
 * Which cards of a grid are in sight, and where: by the settings of now, a lesson, and what the
 * user hid, moved, pinned, folded or maximised.  */
#include "ui/grid/front-layout.h"
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

/* ---- the front page ---- */

/* It is what there is unless all plots are wanted, a lesson shows its own, or one fills the page. */
static gboolean
is_front (SlPlotGrid *self)
{
  return self->lab != NULL && self->lab->front != NULL && !self->arrangement.all
         && self->shown == NULL && self->maximised < 0;
}

/* The picture, then the panels that the user pinned, then those of the lab, as far as there is room. */
static unsigned
list_front (SlPlotGrid *self, unsigned panels[1 + SL_FRONT_PLOTS])
{
  const SlLab *lab = self->lab;
  int          picture = sl_lab_picture (lab);
  unsigned     listed[SL_FRONT_PLOTS], n = 0, n_listed = 0;
  bool         taken[SL_PANELS_MAX] = { false };

  if (picture >= 0 && matters (self, (unsigned) picture))
    taken[panels[n++] = (unsigned) picture] = true;
  for (unsigned i = 0; i < self->arrangement.n && n <= SL_FRONT_PLOTS; i++)
    {
      unsigned panel = self->arrangement.order[i];

      if (self->arrangement.section[panel] == SL_SECTION_PINNED && !taken[panel]
          && !self->arrangement.hidden[panel] && matters (self, panel))
        taken[panels[n++] = panel] = true;
    }
  if (self->session != NULL)
    n_listed = sl_lab_front_plots (lab, sl_session_settings (self->session),
                                   sl_session_dataset (self->session), listed);
  for (unsigned i = 0; i < n_listed && n <= SL_FRONT_PLOTS; i++)
    if (!taken[listed[i]])
      panels[n++] = listed[i];
  return n;
}

/* ---- what is in sight ---- */

/* The user may have hidden the panel; a lesson shows the panels that it names. */
static gboolean
is_wanted (SlPlotGrid *self, unsigned panel)
{
  return matters (self, panel) && (self->shown != NULL || !self->arrangement.hidden[panel]);
}

unsigned
sl_plot_grid_get_shown (SlPlotGrid *self, unsigned panels[SL_PANELS_MAX])
{
  unsigned n = 0;

  g_return_val_if_fail (SL_IS_PLOT_GRID (self), 0);
  if (is_front (self))
    return list_front (self, panels);
  if (self->maximised >= 0)
    {
      panels[0] = (unsigned) self->maximised;
      return 1;
    }
  for (unsigned i = 0; i < self->arrangement.n; i++)
    if (is_wanted (self, self->arrangement.order[i]))
      panels[n++] = self->arrangement.order[i];
  return n;
}

/* What can be done with a panel from its menu. */
static void
tell_place (SlPlotGrid *self, unsigned panel)
{
  gboolean open = self->shown == NULL && self->maximised < 0;
  gboolean all = open && !is_front (self);

  sl_plot_card_set_place (sl_plot_grid_card_at (self, panel), open, all,
                          all && sl_arrangement_beside (&self->arrangement, panel, -1) >= 0,
                          all && sl_arrangement_beside (&self->arrangement, panel, 1) >= 0,
                          self->arrangement.section[panel] == SL_SECTION_PINNED);
}

static gboolean
on_make (gpointer data)
{
  SlPlotGrid *self = data;
  unsigned    panels[SL_PANELS_MAX], n = sl_plot_grid_get_shown (self, panels);

  for (unsigned i = 0; i < n; i++)
    if (sl_plot_grid_card_at (self, panels[i]) == NULL)
      {
        sl_plot_grid_make_card (self, panels[i]);
        sl_plot_grid_place (self);
        sl_plot_grid_wake (self);
        return G_SOURCE_CONTINUE;
      }
  self->making = 0;
  return G_SOURCE_REMOVE;
}

/* A few cards are made at once, as the page is to be whole; many one by one, between which the window answers. */
static void
make_cards (SlPlotGrid *self, const unsigned panels[], unsigned n)
{
  unsigned made = 0;

  for (unsigned i = 0; i < n; i++)
    if (sl_plot_grid_card_at (self, panels[i]) == NULL && made++ <= SL_FRONT_PLOTS)
      sl_plot_grid_make_card (self, panels[i]);
  if (made > 1 + SL_FRONT_PLOTS && self->making == 0)
    self->making = g_idle_add (on_make, self);
}

static void
place_front (SlPlotGrid *self, gboolean front, const unsigned panels[], unsigned n)
{
  GtkLayoutManager *layout = front ? self->front_layout : self->all_layout;
  GtkWidget        *cards[1 + SL_FRONT_PLOTS];

  for (unsigned i = 0; front && i < n; i++)
    cards[i] = GTK_WIDGET (sl_plot_grid_card_at (self, panels[i]));
  gtk_widget_set_visible (GTK_WIDGET (self->knobs), front && !self->bare && !self->beside
                                                      && sl_knobs_get_n (self->knobs) > 0);
  sl_front_layout_set_cards (SL_FRONT_LAYOUT (self->front_layout), cards, front ? n : 0,
                             GTK_WIDGET (self->knobs));
  if (gtk_widget_get_layout_manager (self->box) != layout)
    gtk_widget_set_layout_manager (self->box, g_object_ref (layout));
}

void
sl_plot_grid_show_cards (SlPlotGrid *self)
{
  gboolean front = is_front (self);
  gboolean headed = !front && !self->bare && self->shown == NULL && self->maximised < 0;
  unsigned panels[SL_PANELS_MAX], n = sl_plot_grid_get_shown (self, panels);
  unsigned in_section[SL_N_SECTIONS] = { 0 };
  bool     shown[SL_PANELS_MAX] = { false };

  make_cards (self, panels, n);
  for (unsigned i = 0; i < n; i++)
    {
      unsigned section = self->arrangement.section[panels[i]];

      in_section[section] += headed;
      shown[panels[i]] = !(headed && self->arrangement.folded[section]);
    }
  for (unsigned i = 0; i < self->cards->len; i++)
    if (sl_plot_grid_card_at (self, i) != NULL)
      {
        gtk_widget_set_visible (GTK_WIDGET (sl_plot_grid_card_at (self, i)), shown[i]);
        sl_plot_card_set_brief (sl_plot_grid_card_at (self, i), front);
        tell_place (self, i);
      }
  sl_plot_sections_show (self->sections, self->lab, &self->arrangement, in_section);
  place_front (self, front, panels, n);
  sl_plot_foot_set_place (
    self->foot, self->shown == NULL && self->maximised < 0 && !self->bare && self->lab != NULL,
    self->arrangement.all);
}

void
sl_plot_grid_place (SlPlotGrid *self)
{
  sl_plot_grid_show_cards (self);
  sl_plot_sections_place (self->sections, &self->arrangement, self->cards);
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

static gboolean
is_on_front (SlPlotGrid *self, unsigned panel)
{
  unsigned panels[1 + SL_FRONT_PLOTS], n = list_front (self, panels), i = 0;

  while (i < n && panels[i] != panel)
    i++;
  return i < n;
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
  if (is_front (self) && !is_on_front (self, panel))
    sl_plot_grid_set_all (self, TRUE);
  gtk_widget_grab_focus (GTK_WIDGET (sl_plot_grid_get_view (self, panel)));
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
sl_plot_grid_set_all (SlPlotGrid *self, gboolean all)
{
  g_return_if_fail (SL_IS_PLOT_GRID (self));
  if (all == self->arrangement.all)
    return;
  self->arrangement.all = all;
  gtk_adjustment_set_value (gtk_scrolled_window_get_vadjustment (self->scroller), 0.0);
  rearranged (self, -1);
}

gboolean
sl_plot_grid_shows_all (SlPlotGrid *self)
{
  g_return_val_if_fail (SL_IS_PLOT_GRID (self), FALSE);
  return self->arrangement.all;
}

void
sl_plot_grid_set_knobs (SlPlotGrid *self, gboolean shown)
{
  g_return_if_fail (SL_IS_PLOT_GRID (self));
  if (shown == !self->beside)
    return;
  self->beside = !shown;
  sl_plot_grid_show_cards (self);
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
    gtk_widget_grab_focus (GTK_WIDGET (sl_plot_grid_get_view (self, (unsigned) panel)));
  sl_plot_grid_wake (self);
}

int
sl_plot_grid_get_maximised (SlPlotGrid *self)
{
  g_return_val_if_fail (SL_IS_PLOT_GRID (self), -1);
  return self->maximised;
}

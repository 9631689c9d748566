/* SPDX-License-Identifier: MIT */
#include "ui/grid/grid.h"

#include "ui/grid/layout.h"
#include "ui/grid/pace.h"
#include "ui/grid/sections.h"
#include "ui/kit/widget.h"

struct _SlPlotGrid
{
  GtkWidget parent_instance;

  GtkScrolledWindow *scroller;
  GtkWidget         *box;

  SlSession      *session;
  const SlRecord *record;
  SlCrosshair    *crosshair;
  const SlLab    *lab;   /* of the record */
  GPtrArray      *cards; /* of SlPlotCard, borrowed; by panel */
  SlPlotPace     *pace;
  GArray         *watched; /* of gboolean */
  guint           tick;
  int             maximised;
  gboolean        sharp;  /* pictures are to be kept */
  GStrv           shown;  /* ids, or NULL: all */
  const SlGhost  *ghosts; /* (n_ghosts) borrowed */
  unsigned        n_ghosts;
  SlArrangement   arrangement; /* of the lab */
  SlPlotSections *sections;
  gboolean        bare;   /* no headings, nothing folded */
  int             sought; /* the panel to scroll to, or -1 */
  unsigned        frames; /* until it has its place */
};

G_DEFINE_FINAL_TYPE (SlPlotGrid, sl_plot_grid, GTK_TYPE_WIDGET)

enum { SHARP_SIDE = 256, FRAMES_TO_PLACE = 2 };

static SlPlotView *
view_at (SlPlotGrid *self, unsigned i)
{
  return sl_plot_card_get_view (g_ptr_array_index (self->cards, i));
}

/* Surveys cost the trainer time: only panels of which there is something to see get them. */
static void
watch (SlPlotGrid *self)
{
  for (unsigned i = 0; i < self->cards->len && self->session != NULL; i++)
    {
      gboolean wanted = (self->sharp || sl_plot_pace_visible (self->pace, i) > 0.4f)
                        && self->record->lab != NULL
                        && !sl_panel_is_series (self->record->lab->panels[i].kind);

      if (g_array_index (self->watched, gboolean, i) == wanted)
        continue;
      g_array_index (self->watched, gboolean, i) = wanted;
      sl_session_watch (self->session, i, wanted);
    }
}

/* Scrolls to the panel that is sought, as soon as it has its place. */
static void
seek (SlPlotGrid *self)
{
  GtkAdjustment  *adjustment = gtk_scrolled_window_get_vadjustment (self->scroller);
  GtkWidget      *card;
  graphene_rect_t bounds;

  if (self->sought < 0 || self->frames-- > 0)
    return;
  card = g_ptr_array_index (self->cards, self->sought);
  self->sought = -1;
  if (gtk_widget_compute_bounds (card, self->box, &bounds))
    gtk_adjustment_set_value (adjustment, bounds.origin.y);
}

static gboolean
on_tick (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  SlPlotGrid *self = SL_PLOT_GRID (widget);

  watch (self);
  seek (self);
  if (sl_plot_pace_tick (self->pace, gdk_frame_clock_get_frame_time (clock)) || self->sought >= 0)
    return G_SOURCE_CONTINUE;
  self->tick = 0;
  return G_SOURCE_REMOVE;
}

void
sl_plot_grid_wake (SlPlotGrid *self)
{
  g_return_if_fail (SL_IS_PLOT_GRID (self));
  if (self->tick == 0 && gtk_widget_get_mapped (GTK_WIDGET (self)))
    self->tick = gtk_widget_add_tick_callback (GTK_WIDGET (self), on_tick, NULL, NULL);
}

static unsigned
panel_of (SlPlotGrid *self, SlPlotView *view)
{
  unsigned i = 0;

  while (i < self->cards->len && view_at (self, i) != view)
    i++;
  return i;
}

static void
on_copy (SlPlotView *view, SlPlotGrid *self)
{
  g_signal_emit_by_name (self, "copy", panel_of (self, view));
}

static void
on_export (SlPlotView *view, SlPlotGrid *self)
{
  g_signal_emit_by_name (self, "export", panel_of (self, view));
}

static void
on_maximise (SlPlotView *view, SlPlotGrid *self)
{
  sl_plot_grid_maximise (self, self->maximised < 0 ? (int) panel_of (self, view) : -1);
}

static void
on_pick (SlPlotView *view, guint number, SlPlotGrid *self)
{
  g_signal_emit_by_name (self, "pick", panel_of (self, view), number);
}

static void
on_drag (SlPlotView *view, double value, SlPlotGrid *self)
{
  g_signal_emit_by_name (self, "drag", panel_of (self, view), value);
}

static void
on_dab (SlPlotView *view, double x, double y, int label, double radius_x, double radius_y,
        SlPlotGrid *self)
{
  g_signal_emit_by_name (self, "dab", x, y, label, radius_x, radius_y);
}

static void
on_stroke (SlPlotView *view, SlPlotGrid *self)
{
  g_signal_emit_by_name (self, "stroke");
}

static void
on_noted (SlPlotView *view, SlPlotGrid *self)
{
  g_signal_emit_by_name (self, "noted");
}

/* What is changed now came after all that was done to notes. */
static void
on_flagged (SlPlotGrid *self)
{
  for (unsigned i = 0; i < self->cards->len; i++)
    sl_plot_view_forget_note_changes (view_at (self, i));
  sl_plot_grid_wake (self);
}

static void
on_look (SlMapBar *bar, SlPlotGrid *self)
{
  SlMapView view = sl_map_bar_get_view (bar);

  if (self->session != NULL)
    sl_session_set_view (self->session, &view);
}

/* The rows that the parameters now say are looked at. */
static void
mark_picks (SlPlotGrid *self)
{
  const SlLab *lab = self->record != NULL ? self->record->lab : NULL;

  for (unsigned i = 0; i < self->cards->len && lab != NULL; i++)
    {
      const char *picks = lab->panels[i].picks;
      int         param = picks != NULL ? sl_param_find (lab->params, lab->n_params, picks) : -1;

      if (param >= 0)
        sl_plot_view_set_picked (view_at (self, i),
                                 (unsigned) sl_session_settings (self->session)->value[param].v[0]);
    }
}

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

/* Somebody may have hidden it; a lesson shows what it speaks of. */
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

static void
show_cards (SlPlotGrid *self)
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

/* ---- how somebody has the panels ---- */

/* Everything to its place, and the news told: `hidden` is the panel that went, or -1. */
static void
rearranged (SlPlotGrid *self, int hidden)
{
  sl_plot_sections_place (self->sections, &self->arrangement, self->cards);
  show_cards (self);
  sl_plot_grid_wake (self);
  g_signal_emit_by_name (self, "arranged", hidden);
}

static void
on_fold (gpointer data, unsigned section)
{
  SlPlotGrid *self = data;

  self->arrangement.folded[section] = !self->arrangement.folded[section];
  rearranged (self, -1);
}

static void
on_arrange (SlPlotCard *card, int how, SlPlotGrid *self)
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
  gtk_widget_grab_focus (GTK_WIDGET (view_at (self, panel)));
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
  sl_plot_sections_place (self->sections, &self->arrangement, self->cards);
  show_cards (self);
  sl_plot_grid_wake (self);
}

void
sl_plot_grid_set_bare (SlPlotGrid *self, gboolean bare)
{
  g_return_if_fail (SL_IS_PLOT_GRID (self));
  self->bare = bare;
  show_cards (self);
  sl_plot_grid_wake (self);
}

static void
on_painted (SlPlotCanvas *canvas, SlPlotGrid *self)
{
  for (unsigned i = 0; i < self->cards->len; i++)
    if (sl_plot_view_get_canvas (view_at (self, i)) == canvas
        && !sl_figure_empty (sl_plot_view_get_figure (view_at (self, i))))
      g_signal_emit_by_name (self, "drawn", i);
}

static void
add_card (SlPlotGrid *self)
{
  static const gboolean unwatched = FALSE;
  SlPlotCard           *card = g_object_new (SL_TYPE_PLOT_CARD, NULL);
  SlPlotView           *view = sl_plot_card_get_view (card);

  sl_plot_view_set_ghosts (view, self->ghosts, self->n_ghosts);
  sl_plot_view_set_crosshair (view, self->crosshair);
  g_signal_connect (view, "copy", G_CALLBACK (on_copy), self);
  g_signal_connect (view, "export", G_CALLBACK (on_export), self);
  g_signal_connect (view, "maximise", G_CALLBACK (on_maximise), self);
  g_signal_connect (view, "pick", G_CALLBACK (on_pick), self);
  g_signal_connect (view, "drag", G_CALLBACK (on_drag), self);
  g_signal_connect (view, "dab", G_CALLBACK (on_dab), self);
  g_signal_connect (view, "stroke", G_CALLBACK (on_stroke), self);
  g_signal_connect (view, "noted", G_CALLBACK (on_noted), self);
  g_signal_connect (card, "arrange", G_CALLBACK (on_arrange), self);
  g_signal_connect (sl_plot_card_get_bar (card), "look", G_CALLBACK (on_look), self);
  g_signal_connect (sl_plot_view_get_canvas (view), "painted", G_CALLBACK (on_painted), self);
  g_ptr_array_add (self->cards, card);
  g_array_append_val (self->watched, unwatched);
  gtk_box_append (GTK_BOX (self->box), GTK_WIDGET (card));
}

static void
drop_card (SlPlotGrid *self)
{
  unsigned last = self->cards->len - 1;

  gtk_box_remove (GTK_BOX (self->box), g_ptr_array_index (self->cards, last));
  g_ptr_array_set_size (self->cards, (int) last);
  g_array_set_size (self->watched, last);
}

void
sl_plot_grid_set_record (SlPlotGrid *self, const SlRecord *record)
{
  unsigned n = record != NULL && record->lab != NULL ? record->lab->n_panels : 0;

  g_return_if_fail (SL_IS_PLOT_GRID (self));
  if (n == 0 || record->lab != self->lab)
    sl_crosshair_set_step (self->crosshair, (double) NAN);
  if (n == 0 || record->lab != self->lab)
    sl_arrangement_init (&self->arrangement, n > 0 ? record->lab : NULL);
  self->lab = n > 0 ? record->lab : NULL;
  self->record = record;
  self->sought = -1;
  if (self->maximised >= (int) n)
    self->maximised = -1;
  while (self->cards->len > n)
    drop_card (self);
  while (self->cards->len < n)
    add_card (self);
  for (unsigned i = 0; i < n; i++)
    sl_plot_card_set_panel (g_ptr_array_index (self->cards, i), record, i);
  sl_plot_sections_place (self->sections, &self->arrangement, self->cards);
  show_cards (self);
  sl_plot_grid_wake (self);
}

/* What can be painted and sliced.  The session looks at the plane that the bar of the map which is
 * now shown says; it may have been told of another one by the map of another lab.  */
static void
tell_data (SlPlotGrid *self)
{
  const SlDataset *dataset = sl_session_dataset (self->session);

  for (unsigned i = 0; i < self->cards->len; i++)
    {
      SlMapBar *bar = sl_plot_card_get_bar (g_ptr_array_index (self->cards, i));

      sl_map_bar_set_data (bar, dataset != NULL ? dataset->features : 0,
                           dataset != NULL ? dataset->classes : 0);
      if (dataset != NULL && dataset->features > 2 && self->record->lab->panels[i].kind == SL_MAP)
        on_look (bar, self);
    }
}

/* A new run: other memory, perhaps another lab, and nobody watches anything yet. */
static void
on_restarted (SlPlotGrid *self)
{
  sl_plot_grid_set_record (self, sl_session_record (self->session));
  mark_picks (self);
  tell_data (self);
  for (unsigned i = 0; i < self->watched->len; i++)
    g_array_index (self->watched, gboolean, i) = FALSE;
  if (gtk_widget_get_mapped (GTK_WIDGET (self)))
    watch (self);
}

static void
on_state (SlPlotGrid *self)
{
  mark_picks (self);
  show_cards (self);
  sl_plot_grid_wake (self);
}

void
sl_plot_grid_set_session (SlPlotGrid *self, SlSession *session)
{
  g_return_if_fail (SL_IS_PLOT_GRID (self));
  g_return_if_fail (session == NULL || SL_IS_SESSION (session));
  if (self->session != NULL)
    g_signal_handlers_disconnect_by_data (self->session, self);
  g_set_object (&self->session, session);
  if (session == NULL)
    {
      sl_plot_grid_set_record (self, NULL);
      return;
    }
  g_signal_connect_swapped (session, "restarted", G_CALLBACK (on_restarted), self);
  g_signal_connect_swapped (session, "state", G_CALLBACK (on_state), self);
  g_signal_connect_swapped (session, "progress", G_CALLBACK (sl_plot_grid_wake), self);
  g_signal_connect_swapped (session, "samples", G_CALLBACK (sl_plot_grid_wake), self);
  g_signal_connect_swapped (session, "flagged", G_CALLBACK (on_flagged), self);
  on_restarted (self);
}

void
sl_plot_grid_sharpen (SlPlotGrid *self, gboolean sharp)
{
  g_return_if_fail (SL_IS_PLOT_GRID (self));

  const SlLab *lab = self->record != NULL ? self->record->lab : NULL;

  self->sharp = sharp;
  if (self->record != NULL)
    watch (self);
  for (unsigned i = 0; i < self->cards->len && lab != NULL && self->session != NULL; i++)
    if (lab->panels[i].kind == SL_MAP)
      {
        SlMapView view
          = sl_map_bar_get_view (sl_plot_card_get_bar (g_ptr_array_index (self->cards, i)));

        view.patient = sharp;
        view.side = sharp ? SHARP_SIDE : view.side;
        sl_session_set_view (self->session, &view);
      }
}

void
sl_plot_grid_set_rate (SlPlotGrid *self, double rate)
{
  g_return_if_fail (SL_IS_PLOT_GRID (self));
  sl_plot_pace_set_rate (self->pace, rate);
}

void
sl_plot_grid_set_ghosts (SlPlotGrid *self, const SlGhost *ghosts, unsigned n_ghosts)
{
  g_return_if_fail (SL_IS_PLOT_GRID (self));
  self->ghosts = ghosts;
  self->n_ghosts = n_ghosts;
  for (unsigned i = 0; i < self->cards->len; i++)
    sl_plot_view_set_ghosts (view_at (self, i), ghosts, n_ghosts);
}

void
sl_plot_grid_set_shown (SlPlotGrid *self, const char *const *ids)
{
  g_return_if_fail (SL_IS_PLOT_GRID (self));
  g_strfreev (self->shown);
  self->shown = g_strdupv ((GStrv) ids);
  self->maximised = -1;
  show_cards (self);
  sl_plot_grid_wake (self);
}

void
sl_plot_grid_maximise (SlPlotGrid *self, int panel)
{
  g_return_if_fail (SL_IS_PLOT_GRID (self));
  self->maximised = panel;
  show_cards (self);
  if (panel >= 0)
    gtk_widget_grab_focus (GTK_WIDGET (view_at (self, (unsigned) panel)));
  sl_plot_grid_wake (self);
}

int
sl_plot_grid_get_maximised (SlPlotGrid *self)
{
  g_return_val_if_fail (SL_IS_PLOT_GRID (self), -1);
  return self->maximised;
}

unsigned
sl_plot_grid_get_n_cards (SlPlotGrid *self)
{
  g_return_val_if_fail (SL_IS_PLOT_GRID (self), 0);
  return self->cards->len;
}

SlPlotCard *
sl_plot_grid_get_card (SlPlotGrid *self, unsigned panel)
{
  g_return_val_if_fail (SL_IS_PLOT_GRID (self), NULL);
  return panel < self->cards->len ? g_ptr_array_index (self->cards, panel) : NULL;
}

SlPlotView *
sl_plot_grid_get_view (SlPlotGrid *self, unsigned panel)
{
  SlPlotCard *card = sl_plot_grid_get_card (self, panel);

  return card != NULL ? sl_plot_card_get_view (card) : NULL;
}

int
sl_plot_grid_get_focused (SlPlotGrid *self)
{
  g_return_val_if_fail (SL_IS_PLOT_GRID (self), -1);
  for (unsigned i = 0; i < self->cards->len; i++)
    if (gtk_widget_is_focus (GTK_WIDGET (view_at (self, i))))
      return (int) i;
  return -1;
}

guint64
sl_plot_grid_get_redraws (SlPlotGrid *self)
{
  g_return_val_if_fail (SL_IS_PLOT_GRID (self), 0);
  return sl_plot_pace_redraws (self->pace);
}

static void
sl_plot_grid_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (sl_plot_grid_parent_class)->map (widget);
  sl_plot_grid_wake (SL_PLOT_GRID (widget));
}

static void
sl_plot_grid_unmap (GtkWidget *widget)
{
  SlPlotGrid *self = SL_PLOT_GRID (widget);

  if (self->tick != 0)
    gtk_widget_remove_tick_callback (widget, self->tick);
  self->tick = 0;
  sl_crosshair_set_step (self->crosshair, (double) NAN);
  GTK_WIDGET_CLASS (sl_plot_grid_parent_class)->unmap (widget);
  watch (self);
}

static void
sl_plot_grid_dispose (GObject *object)
{
  SlPlotGrid *self = SL_PLOT_GRID (object);

  if (self->cards != NULL)
    sl_plot_grid_set_session (self, NULL);
  g_clear_object (&self->crosshair);
  sl_widget_dispose (object);
}

static void
sl_plot_grid_finalize (GObject *object)
{
  SlPlotGrid *self = SL_PLOT_GRID (object);

  g_ptr_array_unref (self->cards);
  sl_plot_sections_free (self->sections);
  sl_plot_pace_free (self->pace);
  g_array_unref (self->watched);
  g_strfreev (self->shown);
  G_OBJECT_CLASS (sl_plot_grid_parent_class)->finalize (object);
}

static void
sl_plot_grid_class_init (SlPlotGridClass *klass)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = sl_plot_grid_dispose;
  G_OBJECT_CLASS (klass)->finalize = sl_plot_grid_finalize;
  widget->map = sl_plot_grid_map;
  widget->unmap = sl_plot_grid_unmap;
  g_type_ensure (SL_TYPE_PLOT_LAYOUT);
  sl_widget_class_set_template (widget, "grid/grid.ui");
  gtk_widget_class_bind_template_child (widget, SlPlotGrid, scroller);
  gtk_widget_class_bind_template_child (widget, SlPlotGrid, box);
  sl_signal_new (SL_TYPE_PLOT_GRID, "copy", 1, G_TYPE_UINT);
  sl_signal_new (SL_TYPE_PLOT_GRID, "export", 1, G_TYPE_UINT);
  sl_signal_new (SL_TYPE_PLOT_GRID, "pick", 2, G_TYPE_UINT, G_TYPE_UINT);
  sl_signal_new (SL_TYPE_PLOT_GRID, "drag", 2, G_TYPE_UINT, G_TYPE_DOUBLE);
  sl_signal_new (SL_TYPE_PLOT_GRID, "dab", 5, G_TYPE_DOUBLE, G_TYPE_DOUBLE, G_TYPE_INT,
                 G_TYPE_DOUBLE, G_TYPE_DOUBLE);
  sl_signal_new (SL_TYPE_PLOT_GRID, "stroke", 0);
  sl_signal_new (SL_TYPE_PLOT_GRID, "noted", 0);
  sl_signal_new (SL_TYPE_PLOT_GRID, "drawn", 1, G_TYPE_UINT);
  sl_signal_new (SL_TYPE_PLOT_GRID, "arranged", 1, G_TYPE_INT);
}

static gboolean
update_card (gpointer card)
{
  return sl_plot_view_update (sl_plot_card_get_view (card));
}

static void
sl_plot_grid_init (SlPlotGrid *self)
{
  GtkAdjustment *adjustment;

  self->cards = g_ptr_array_new ();
  self->watched = g_array_new (FALSE, FALSE, sizeof (gboolean));
  self->crosshair = g_object_new (SL_TYPE_CROSSHAIR, NULL);
  self->maximised = self->sought = -1;
  gtk_widget_init_template (GTK_WIDGET (self));
  self->sections = sl_plot_sections_new (GTK_BOX (self->box), on_fold, self);
  self->pace = sl_plot_pace_new (self->cards, GTK_WIDGET (self->scroller), update_card);
  adjustment = gtk_scrolled_window_get_vadjustment (self->scroller);
  g_signal_connect_object (adjustment, "value-changed", G_CALLBACK (sl_plot_grid_wake), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (adjustment, "changed", G_CALLBACK (sl_plot_grid_wake), self,
                           G_CONNECT_SWAPPED);
}

/* SPDX-License-Identifier: MIT */
#include "ui/grid/front-layout.h"
#include "ui/grid/layout.h"
#include "ui/grid/private.h"
#include "ui/kit/widget.h"

G_DEFINE_FINAL_TYPE (SlPlotGrid, sl_plot_grid, GTK_TYPE_WIDGET)

enum { SHARP_SIDE = 256 };

/* Probes cost the trainer time: only panels of which there is something to see get them. */
static void
watch (SlPlotGrid *self)
{
  for (unsigned i = 0; i < self->cards->len && self->session != NULL; i++)
    {
      gboolean wanted = (self->sharp || sl_plot_pace_visible (self->pace, i) > 0.4f)
                        && self->record->lab != NULL && !self->record->stored
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
  card = GTK_WIDGET (sl_plot_grid_get_card (self, (unsigned) self->sought));
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
  sl_plot_foot_show (self->foot, self->record, gdk_frame_clock_get_frame_time (clock));
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

/* A later change of another kind makes the changes of notes final. */
static void
on_flagged (SlPlotGrid *self)
{
  for (unsigned i = 0; i < self->cards->len; i++)
    if (sl_plot_grid_card_at (self, i) != NULL)
      sl_plot_view_forget_note_changes (sl_plot_grid_view_at (self, i));
  sl_plot_grid_wake (self);
}

/* The row that a parameter now says is looked at. */
static void
mark_pick (SlPlotGrid *self, unsigned panel)
{
  const SlLab *lab = self->record->lab;
  const char  *picks = lab->panels[panel].picks;
  int          param = picks != NULL ? sl_param_find (lab->params, lab->n_params, picks) : -1;

  if (param >= 0 && self->session != NULL)
    sl_plot_view_set_picked (sl_plot_grid_view_at (self, panel),
                             (unsigned) (sl_session_settings (self->session)->value[param].v[0]
                                         - lab->params[param].lo + 1.0));
}

void
sl_plot_grid_set_record (SlPlotGrid *self, const SlRecord *record)
{
  const SlLab *lab
    = record != NULL && record->lab != NULL && record->lab->n_panels > 0 ? record->lab : NULL;
  unsigned n = lab != NULL ? lab->n_panels : 0;

  g_return_if_fail (SL_IS_PLOT_GRID (self));
  self->record = record;
  self->sought = -1;
  if (self->maximised >= (int) n)
    self->maximised = -1;
  if (lab == NULL || lab != self->lab)
    {
      sl_crosshair_set_step (self->crosshair, (double) NAN);
      sl_arrangement_init (&self->arrangement, lab);
      sl_plot_grid_park_cards (self, n);
    }
  self->lab = lab;
  for (unsigned i = 0; i < n; i++)
    if (sl_plot_grid_card_at (self, i) != NULL)
      sl_plot_card_set_panel (sl_plot_grid_card_at (self, i), record, i);
  sl_plot_grid_place (self);
  sl_plot_grid_wake (self);
}

/* What can be gone back over, drawn on, painted and sliced.  The session looks at the plane that the bar of the map which is
 * now shown says; it may have been told of another one by the map of another lab.  */
void
sl_plot_grid_tell_card (SlPlotGrid *self, unsigned panel)
{
  SlPlotCard      *card = sl_plot_grid_card_at (self, panel);
  const SlDataset *dataset = self->session != NULL ? sl_session_dataset (self->session) : NULL;

  mark_pick (self, panel);
  sl_plot_card_set_session (card, self->record->stored ? NULL : self->session);
  sl_plot_view_set_drawable (sl_plot_card_get_view (card),
                             !self->record->stored && sl_own_can (self->own));
  sl_plot_card_set_data (card, dataset != NULL ? dataset->features : 0,
                         dataset != NULL ? dataset->classes : 0);
  if (dataset != NULL && dataset->features > 2 && self->lab->panels[panel].kind == SL_MAP)
    sl_plot_grid_on_look (card, self);
}

static void
show_record (SlPlotGrid *self)
{
  sl_plot_grid_set_record (self, sl_session_record (self->session));
  for (unsigned i = 0; i < self->cards->len; i++)
    if (sl_plot_grid_card_at (self, i) != NULL)
      sl_plot_grid_tell_card (self, i);
}

/* A new run: other memory, perhaps another lab, and no panel is watched yet. */
static void
on_restarted (SlPlotGrid *self)
{
  show_record (self);
  for (unsigned i = 0; i < self->watched->len; i++)
    g_array_index (self->watched, gboolean, i) = FALSE;
  if (gtk_widget_get_mapped (GTK_WIDGET (self)))
    watch (self);
}

/* A stored run that goes on has a record of its own. */
static void
on_state (SlPlotGrid *self)
{
  if (self->record != sl_session_record (self->session))
    show_record (self);
  for (unsigned i = 0; i < self->cards->len; i++)
    if (sl_plot_grid_card_at (self, i) != NULL)
      mark_pick (self, i);
  sl_plot_grid_show_cards (self);
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
  sl_own_set_sessions (self->own, &session, session != NULL);
  sl_knobs_set_session (self->knobs, session);
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
    if (lab->panels[i].kind == SL_MAP && sl_plot_grid_card_at (self, i) != NULL)
      {
        SlMapView view = sl_plot_card_get_look (sl_plot_grid_card_at (self, i));

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
    if (sl_plot_grid_card_at (self, i) != NULL)
      sl_plot_view_set_ghosts (sl_plot_grid_view_at (self, i), ghosts, n_ghosts);
}

const SlLab *
sl_plot_grid_get_lab (SlPlotGrid *self)
{
  g_return_val_if_fail (SL_IS_PLOT_GRID (self), NULL);
  return self->lab;
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
  if (panel >= self->cards->len)
    return NULL;
  if (sl_plot_grid_card_at (self, panel) == NULL)
    {
      sl_plot_grid_make_card (self, panel);
      sl_plot_grid_place (self);
    }
  return sl_plot_grid_card_at (self, panel);
}

gboolean
sl_plot_grid_has_card (SlPlotGrid *self, unsigned panel)
{
  g_return_val_if_fail (SL_IS_PLOT_GRID (self), FALSE);
  return panel < self->cards->len && sl_plot_grid_card_at (self, panel) != NULL;
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
    if (sl_plot_grid_card_at (self, i) != NULL
        && gtk_widget_is_focus (GTK_WIDGET (sl_plot_grid_view_at (self, i))))
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

  if (self->crosshair != NULL)
    sl_plot_grid_set_session (self, NULL);
  g_clear_handle_id (&self->making, g_source_remove);
  if (self->box != NULL)
    gtk_widget_set_layout_manager (self->box, NULL);
  g_clear_object (&self->all_layout);
  g_clear_object (&self->front_layout);
  g_clear_object (&self->crosshair);
  g_clear_object (&self->own);
  sl_widget_dispose (object);
}

static void
sl_plot_grid_finalize (GObject *object)
{
  SlPlotGrid *self = SL_PLOT_GRID (object);

  g_ptr_array_unref (self->cards);
  g_ptr_array_unref (self->spare);
  sl_plot_sections_free (self->sections);
  sl_plot_pace_free (self->pace);
  g_array_unref (self->watched);
  g_strfreev (self->shown);
  G_OBJECT_CLASS (sl_plot_grid_parent_class)->finalize (object);
}

static void
on_refused (SlPlotGrid *self, const char *sentence)
{
  g_signal_emit_by_name (self, "refused", sentence);
}

static void
sl_plot_grid_class_init (SlPlotGridClass *klass)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = sl_plot_grid_dispose;
  G_OBJECT_CLASS (klass)->finalize = sl_plot_grid_finalize;
  widget->map = sl_plot_grid_map;
  widget->unmap = sl_plot_grid_unmap;
  g_type_ensure (SL_TYPE_KNOBS);
  g_type_ensure (SL_TYPE_PLOT_FOOT);
  sl_widget_class_set_template (widget, "grid/grid.ui");
  gtk_widget_class_bind_template_child (widget, SlPlotGrid, scroller);
  gtk_widget_class_bind_template_child (widget, SlPlotGrid, box);
  gtk_widget_class_bind_template_child (widget, SlPlotGrid, knobs);
  gtk_widget_class_bind_template_child (widget, SlPlotGrid, foot);
  gtk_widget_class_bind_template_callback (widget, on_refused);
  sl_signal_new (SL_TYPE_PLOT_GRID, "copy", 1, G_TYPE_UINT);
  sl_signal_new (SL_TYPE_PLOT_GRID, "export", 1, G_TYPE_UINT);
  g_signal_new ("offer", SL_TYPE_PLOT_GRID, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                GDK_TYPE_CONTENT_PROVIDER, 1, G_TYPE_UINT);
  sl_signal_new (SL_TYPE_PLOT_GRID, "pick", 2, G_TYPE_UINT, G_TYPE_UINT);
  sl_signal_new (SL_TYPE_PLOT_GRID, "drag", 2, G_TYPE_UINT, G_TYPE_DOUBLE);
  sl_signal_new (SL_TYPE_PLOT_GRID, "dab", 5, G_TYPE_DOUBLE, G_TYPE_DOUBLE, G_TYPE_INT,
                 G_TYPE_DOUBLE, G_TYPE_DOUBLE);
  sl_signal_new (SL_TYPE_PLOT_GRID, "stroke", 0);
  sl_signal_new (SL_TYPE_PLOT_GRID, "noted", 0);
  sl_signal_new (SL_TYPE_PLOT_GRID, "refused", 1, G_TYPE_STRING);
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
  self->spare = g_ptr_array_new ();
  self->all_layout = g_object_new (SL_TYPE_PLOT_LAYOUT, NULL);
  self->front_layout = g_object_new (SL_TYPE_FRONT_LAYOUT, NULL);
  self->watched = g_array_new (FALSE, FALSE, sizeof (gboolean));
  self->crosshair = g_object_new (SL_TYPE_CROSSHAIR, NULL);
  self->own = sl_own_new ();
  self->maximised = self->sought = -1;
  gtk_widget_init_template (GTK_WIDGET (self));
  self->sections = sl_plot_sections_new (GTK_BOX (self->box), sl_plot_grid_on_fold, self);
  self->pace = sl_plot_pace_new (self->cards, GTK_WIDGET (self->scroller), update_card);
  adjustment = gtk_scrolled_window_get_vadjustment (self->scroller);
  g_signal_connect_object (adjustment, "value-changed", G_CALLBACK (sl_plot_grid_wake), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (adjustment, "changed", G_CALLBACK (sl_plot_grid_wake), self,
                           G_CONNECT_SWAPPED);
}

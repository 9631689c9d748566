/* SPDX-License-Identifier: MIT */
#include "ui/overview/band.h"

#include "ui/grid/pace.h"
#include "ui/kit/widget.h"

/* px */
enum { GAP = 8, LOWEST = 200, PAD_WIDTH = 196 };

struct _SlOverviewBand
{
  GtkWidget parent_instance;

  GtkWidget  *pad;
  GtkBox     *place; /* of the pictures */
  SlGroup    *group;
  GPtrArray  *pictures; /* of SlOverviewPicture, borrowed */
  SlPlotPace *pace;     /* of them */
  gboolean    seen;
};

G_DEFINE_FINAL_TYPE (SlOverviewBand, sl_overview_band, GTK_TYPE_WIDGET)

static SlOverviewPicture *
picture_at (SlOverviewBand *self, unsigned i)
{
  return g_ptr_array_index (self->pictures, i);
}

static SlSession *
session_at (SlOverviewBand *self, unsigned i)
{
  return sl_overview_picture_get_session (picture_at (self, i));
}

static void
watch (SlOverviewBand *self)
{
  for (unsigned i = 0; i < self->pictures->len; i++)
    {
      SlSession *session = session_at (self, i);

      if (sl_session_lab (session) != NULL)
        sl_session_watch (session, (unsigned) sl_overview_picture_panel (sl_session_lab (session)),
                          self->seen);
    }
}

static void
on_example (SlOverviewPicture *picture, int by, SlOverviewBand *self)
{
  SlOwn   *own = sl_input_pad_get_own (SL_INPUT_PAD (self->pad));
  unsigned example = sl_own_example (own);

  if (by >= 0 || example >= (unsigned) -by)
    sl_own_show_example (own, example + (unsigned) by);
}

static void
on_switch_off (SlOverviewPicture *picture, guint field, guint unit, SlOverviewBand *self)
{
  sl_session_switch_off (sl_overview_picture_get_session (picture), field, unit);
}

static void
add (SlOverviewBand *self, unsigned i)
{
  SlSession         *session = sl_group_session (self->group, i);
  SlOverviewPicture *picture = sl_overview_picture_new (session, sl_group_lab (self->group, i), i);

  g_signal_connect (picture, "example", G_CALLBACK (on_example), self);
  g_signal_connect (picture, "switch-off", G_CALLBACK (on_switch_off), self);
  gtk_widget_set_size_request (GTK_WIDGET (picture), -1, LOWEST);
  g_ptr_array_add (self->pictures, picture);
  gtk_box_append (self->place, GTK_WIDGET (picture));
}

/* The pad is for all networks that take an input. */
static void
show_input (SlOverviewBand *self)
{
  g_autofree SlSession **sessions = g_new (SlSession *, self->pictures->len + 1);

  for (unsigned i = 0; i < self->pictures->len; i++)
    sessions[i] = session_at (self, i);
  sl_input_pad_set_sessions (SL_INPUT_PAD (self->pad), sessions, self->pictures->len);
}

void
sl_overview_band_set_group (SlOverviewBand *self, SlGroup *group)
{
  g_return_if_fail (SL_IS_OVERVIEW_BAND (self));
  g_return_if_fail (group == NULL || SL_IS_GROUP (group));
  g_ptr_array_set_size (self->pictures, 0);
  sl_box_clear (self->place);
  sl_input_pad_set_sessions (SL_INPUT_PAD (self->pad), NULL, 0);
  g_set_object (&self->group, group);
  for (unsigned i = 0; group != NULL && i < sl_group_size (group); i++)
    if (sl_overview_picture_panel (sl_group_lab (group, i)) >= 0)
      add (self, i);
  show_input (self);
  watch (self);
}

void
sl_overview_band_set_form (SlOverviewBand *self, SlBandForm form)
{
  g_return_if_fail (SL_IS_OVERVIEW_BAND (self));
  gtk_orientable_set_orientation (
    GTK_ORIENTABLE (gtk_widget_get_layout_manager (GTK_WIDGET (self))),
    form == SL_BAND_ROW ? GTK_ORIENTATION_HORIZONTAL : GTK_ORIENTATION_VERTICAL);
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->place), form == SL_BAND_COLUMN
                                                                  ? GTK_ORIENTATION_VERTICAL
                                                                  : GTK_ORIENTATION_HORIZONTAL);
}

void
sl_overview_band_set_seen (SlOverviewBand *self, gboolean seen)
{
  g_return_if_fail (SL_IS_OVERVIEW_BAND (self));
  self->seen = seen;
  watch (self);
}

void
sl_overview_band_restart (SlOverviewBand *self, SlSession *session)
{
  g_return_if_fail (SL_IS_OVERVIEW_BAND (self));
  for (unsigned i = 0; i < self->pictures->len; i++)
    if (session_at (self, i) == session)
      sl_overview_picture_restart (picture_at (self, i));
  watch (self);
}

gboolean
sl_overview_band_tick (SlOverviewBand *self, gint64 now)
{
  g_return_val_if_fail (SL_IS_OVERVIEW_BAND (self), FALSE);
  return sl_plot_pace_tick (self->pace, now);
}

SlInputPad *
sl_overview_band_get_pad (SlOverviewBand *self)
{
  g_return_val_if_fail (SL_IS_OVERVIEW_BAND (self), NULL);
  return SL_INPUT_PAD (self->pad);
}

unsigned
sl_overview_band_get_n_pictures (SlOverviewBand *self)
{
  g_return_val_if_fail (SL_IS_OVERVIEW_BAND (self), 0);
  return self->pictures->len;
}

SlOverviewPicture *
sl_overview_band_get_picture (SlOverviewBand *self, unsigned i)
{
  g_return_val_if_fail (SL_IS_OVERVIEW_BAND (self), NULL);
  return i < self->pictures->len ? picture_at (self, i) : NULL;
}

static gboolean
update (gpointer picture)
{
  return sl_overview_picture_update (picture);
}

static void
sl_overview_band_dispose (GObject *object)
{
  SlOverviewBand *self = SL_OVERVIEW_BAND (object);

  if (self->place != NULL)
    {
      sl_overview_band_set_group (self, NULL);
      gtk_widget_unparent (GTK_WIDGET (self->place));
      gtk_widget_unparent (self->pad);
      self->place = NULL;
    }
  G_OBJECT_CLASS (sl_overview_band_parent_class)->dispose (object);
}

static void
sl_overview_band_finalize (GObject *object)
{
  SlOverviewBand *self = SL_OVERVIEW_BAND (object);

  g_ptr_array_unref (self->pictures);
  sl_plot_pace_free (self->pace);
  G_OBJECT_CLASS (sl_overview_band_parent_class)->finalize (object);
}

static void
sl_overview_band_class_init (SlOverviewBandClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = sl_overview_band_dispose;
  G_OBJECT_CLASS (klass)->finalize = sl_overview_band_finalize;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BOX_LAYOUT);
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
sl_overview_band_init (SlOverviewBand *self)
{
  GtkWidget *place = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, GAP);

  self->pad = sl_input_pad_new ();
  gtk_widget_add_css_class (self->pad, "plot-card");
  gtk_widget_add_css_class (self->pad, "glance-card");
  gtk_widget_set_size_request (self->pad, PAD_WIDTH, LOWEST);
  gtk_widget_set_parent (self->pad, GTK_WIDGET (self));
  gtk_box_layout_set_spacing (GTK_BOX_LAYOUT (gtk_widget_get_layout_manager (GTK_WIDGET (self))),
                              GAP);
  gtk_box_set_homogeneous (GTK_BOX (place), TRUE);
  gtk_widget_set_hexpand (place, TRUE);
  gtk_widget_set_parent (place, GTK_WIDGET (self));
  self->place = GTK_BOX (place);
  self->pictures = g_ptr_array_new ();
  self->pace = sl_plot_pace_new (self->pictures, NULL, update);
  /* Pictures come no oftener than they are to be drawn, and are to follow the hand. */
  sl_plot_pace_set_rate (self->pace, 0.0);
}

/* SPDX-License-Identifier: MIT */
#include "ui/form/scale.h"

#include <math.h>

#include "ui/kit/widget.h"

enum { REST_MS = 500 };

struct _SlParamScale
{
  GtkScale parent_instance;

  const SlParam *param;
  gboolean       logarithmic;
  double         shift; /* position = log10 (value + shift), so that whole numbers may begin at 0 */
  gboolean       showing; /* the program moves it, not the user */
  gboolean       pressed;
  gboolean       moved; /* since the last final signal */
  guint          rest;
};

G_DEFINE_FINAL_TYPE (SlParamScale, sl_param_scale, GTK_TYPE_SCALE)

/* The number of the slider, rounded as the user would type it. */
static double
number_of (SlParamScale *self)
{
  double position = gtk_range_get_value (GTK_RANGE (self));

  return sl_param_tidy (self->param,
                        self->logarithmic ? pow (10.0, position) - self->shift : position);
}

gboolean
sl_param_scale_is_moving (SlParamScale *self)
{
  g_return_val_if_fail (SL_IS_PARAM_SCALE (self), FALSE);
  return self->moved;
}

void
sl_param_scale_set_number (SlParamScale *self, double value)
{
  g_return_if_fail (SL_IS_PARAM_SCALE (self));
  /* The position between two whole numbers is kept, so that arrow keys can leave it. */
  if (number_of (self) == value)
    return;
  self->showing = TRUE;
  gtk_range_set_value (GTK_RANGE (self), self->logarithmic ? log10 (value + self->shift) : value);
  self->showing = FALSE;
}

void
sl_param_scale_set_reach (SlParamScale *self, double hi)
{
  g_return_if_fail (SL_IS_PARAM_SCALE (self));

  GtkAdjustment *adjustment = gtk_range_get_adjustment (GTK_RANGE (self));
  double         end = CLAMP (hi, self->param->lo, self->param->hi);

  self->showing = TRUE;
  gtk_adjustment_set_upper (adjustment, self->logarithmic ? log10 (end + self->shift) : end);
  self->showing = FALSE;
}

static void
finish (SlParamScale *self)
{
  g_clear_handle_id (&self->rest, g_source_remove);
  if (!self->moved)
    return;
  self->moved = FALSE;
  g_signal_emit_by_name (self, "moved", number_of (self), TRUE);
}

static void
on_rest (SlParamScale *self)
{
  self->rest = 0;
  finish (self);
}

static void
sl_param_scale_value_changed (GtkRange *range)
{
  SlParamScale *self = SL_PARAM_SCALE (range);
  char          text[G_ASCII_DTOSTR_BUF_SIZE];

  if (self->param == NULL)
    return;
  g_ascii_formatd (text, sizeof text, "%.6g", number_of (self));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, text,
                                  -1);
  if (self->showing)
    return;
  self->moved = TRUE;
  g_clear_handle_id (&self->rest, g_source_remove);
  if (!self->pressed)
    self->rest = g_timeout_add_once (REST_MS, (GSourceOnceFunc) on_rest, self);
  g_signal_emit_by_name (self, "moved", number_of (self), FALSE);
}

/* Gestures on a GtkScale end at the first motion, because GtkRange claims the sequence; raw
 * events in the capture phase see the true press and release.  */
static gboolean
on_event (GtkEventControllerLegacy *controller, GdkEvent *event, SlParamScale *self)
{
  GdkEventType type = gdk_event_get_event_type (event);

  if (type == GDK_BUTTON_PRESS || type == GDK_TOUCH_BEGIN)
    self->pressed = TRUE;
  else if (type == GDK_BUTTON_RELEASE || type == GDK_TOUCH_END || type == GDK_TOUCH_CANCEL)
    {
      self->pressed = FALSE;
      finish (self);
    }
  return GDK_EVENT_PROPAGATE;
}

static void
sl_param_scale_dispose (GObject *object)
{
  SlParamScale *self = SL_PARAM_SCALE (object);

  g_clear_handle_id (&self->rest, g_source_remove);
  G_OBJECT_CLASS (sl_param_scale_parent_class)->dispose (object);
}

static void
sl_param_scale_class_init (SlParamScaleClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = sl_param_scale_dispose;
  GTK_RANGE_CLASS (klass)->value_changed = sl_param_scale_value_changed;
  sl_signal_new (SL_TYPE_PARAM_SCALE, "moved", 2, G_TYPE_DOUBLE, G_TYPE_BOOLEAN);
}

static void
sl_param_scale_init (SlParamScale *self)
{
  GtkEventController *raw = gtk_event_controller_legacy_new ();

  gtk_event_controller_set_propagation_phase (raw, GTK_PHASE_CAPTURE);
  g_signal_connect (raw, "event", G_CALLBACK (on_event), self);
  gtk_widget_add_controller (GTK_WIDGET (self), raw);
  gtk_scale_set_draw_value (GTK_SCALE (self), FALSE);
  gtk_widget_set_hexpand (GTK_WIDGET (self), TRUE);
  sl_widget_pass_scroll (GTK_WIDGET (self));
}

SlParamScale *
sl_param_scale_new (const SlParam *param, const char *label)
{
  g_return_val_if_fail (param != NULL && param->lo <= param->hi, NULL);

  SlParamScale *self = g_object_new (SL_TYPE_PARAM_SCALE, NULL);
  gboolean      logarithmic = param->logarithmic && (param->lo > 0.0 || sl_param_is_whole (param));
  double        shift = param->lo > 0.0 ? 0.0 : 1.0 - param->lo;
  double        lo = logarithmic ? log10 (param->lo + shift) : param->lo;
  double        hi = logarithmic ? log10 (param->hi + shift) : param->hi;
  double        step = logarithmic ? (hi - lo) / 60.0 : param->step;

  self->showing = TRUE;
  gtk_range_set_adjustment (GTK_RANGE (self),
                            gtk_adjustment_new (lo, lo, hi, step, MAX (step, (hi - lo) / 10.0), 0));
  self->showing = FALSE;
  self->logarithmic = logarithmic;
  self->shift = shift;
  self->param = param;
  sl_widget_label (GTK_WIDGET (self), label);
  return self;
}

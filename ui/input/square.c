/* SPDX-License-Identifier: MIT */
#include "ui/input/square.h"

#include <glib/gi18n.h>

#include "ui/input/picture.h"
#include "ui/input/sending.h"
#include "ui/kit/widget.h"

enum { LEAST = 60, USUAL = 160 /* px */ };

struct _SlInputSquare
{
  GtkWidget parent_instance;

  SlOwn      *own;
  GdkTexture *texture; /* of what is shown; NULL: not made yet */
  gboolean    erasing;
  double      press_x, press_y;
};

G_DEFINE_FINAL_TYPE (SlInputSquare, sl_input_square, GTK_TYPE_WIDGET)

/* Makes the texture where there is none yet, and returns where it is: in the middle, as wide as it is high where the
 * picture is.  */
static graphene_rect_t
place (SlInputSquare *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  float      width = (float) MAX (gtk_widget_get_width (widget), 1);
  float      height = (float) MAX (gtk_widget_get_height (widget), 1), scale, across, down;

  if (self->texture == NULL)
    self->texture = sl_input_texture (
      self->own, (unsigned) MAX (width, height) * (unsigned) gtk_widget_get_scale_factor (widget));
  if (self->texture == NULL)
    return GRAPHENE_RECT_INIT (0, 0, width, height);
  across = (float) gdk_texture_get_width (self->texture);
  down = (float) gdk_texture_get_height (self->texture);
  scale = MIN (width / across, height / down);
  return GRAPHENE_RECT_INIT ((width - scale * across) / 2, (height - scale * down) / 2,
                             scale * across, scale * down);
}

static void
draw (SlInputSquare *self, SlHand hand, double dx, double dy)
{
  graphene_rect_t at = place (self);

  sl_own_hand (self->own, hand,
               (self->press_x + dx - (double) at.origin.x) / (double) at.size.width,
               (self->press_y + dy - (double) at.origin.y) / (double) at.size.height,
               self->erasing ? SL_PEN_ERASES : SL_PEN_NEW);
  sl_own_send_soon (self->own, GTK_WIDGET (self));
}

static void
on_begin (GtkGestureDrag *drag, double x, double y, SlInputSquare *self)
{
  if (!sl_own_can (self->own))
    {
      gtk_gesture_set_state (GTK_GESTURE (drag), GTK_EVENT_SEQUENCE_DENIED);
      return;
    }
  /* A finger that draws does not scroll the page. */
  gtk_gesture_set_state (GTK_GESTURE (drag), GTK_EVENT_SEQUENCE_CLAIMED);
  gtk_widget_grab_focus (GTK_WIDGET (self));
  self->press_x = x;
  self->press_y = y;
  draw (self, SL_HAND_BEGINS, 0.0, 0.0);
}

static void
on_update (GtkGestureDrag *drag, double dx, double dy, SlInputSquare *self)
{
  draw (self, SL_HAND_MOVES, dx, dy);
}

static void
on_end (GtkGestureDrag *drag, double dx, double dy, SlInputSquare *self)
{
  draw (self, SL_HAND_ENDS, dx, dy);
}

static gboolean
on_arrow (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  SlInputSquare *self = SL_INPUT_SQUARE (widget);
  int            columns, rows;

  g_variant_get (arguments, "(ii)", &columns, &rows);
  if (!sl_own_can (self->own))
    return FALSE;
  sl_own_shift (self->own, columns, rows);
  sl_own_send_soon (self->own, GTK_WIDGET (self));
  return TRUE;
}

static gboolean
on_delete (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  sl_own_clear (SL_INPUT_SQUARE (widget)->own);
  return TRUE;
}

void
sl_input_square_set_erasing (SlInputSquare *self, gboolean erasing)
{
  g_return_if_fail (SL_IS_INPUT_SQUARE (self));
  self->erasing = erasing;
}

void
sl_input_square_refresh (SlInputSquare *self)
{
  g_return_if_fail (SL_IS_INPUT_SQUARE (self));
  g_clear_object (&self->texture);
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), sl_own_can (self->own) ? "crosshair" : NULL);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
sl_input_square_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  SlInputSquare  *self = SL_INPUT_SQUARE (widget);
  graphene_rect_t at = place (self);

  if (self->texture != NULL)
    gtk_snapshot_append_texture (snapshot, self->texture, &at);
}

static void
sl_input_square_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                         int *natural, int *minimum_baseline, int *natural_baseline)
{
  *minimum = LEAST;
  *natural = USUAL;
}

/* Points are drawn in pixels of the screen. */
static void
sl_input_square_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  g_clear_object (&SL_INPUT_SQUARE (widget)->texture);
}

static void
sl_input_square_dispose (GObject *object)
{
  SlInputSquare *self = SL_INPUT_SQUARE (object);

  g_clear_object (&self->texture);
  g_clear_object (&self->own);
  G_OBJECT_CLASS (sl_input_square_parent_class)->dispose (object);
}

static void
sl_input_square_class_init (SlInputSquareClass *klass)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = sl_input_square_dispose;
  widget->snapshot = sl_input_square_snapshot;
  widget->measure = sl_input_square_measure;
  widget->size_allocate = sl_input_square_size_allocate;
  sl_widget_class_bind_arrows (widget, 0, on_arrow);
  gtk_widget_class_add_binding (widget, GDK_KEY_Delete, 0, on_delete, NULL);
  gtk_widget_class_add_binding (widget, GDK_KEY_BackSpace, 0, on_delete, NULL);
  gtk_widget_class_set_css_name (widget, "inputsquare");
  gtk_widget_class_set_accessible_role (widget, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
sl_input_square_init (SlInputSquare *self)
{
  GtkGesture *drag = gtk_gesture_drag_new ();

  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (drag), GDK_BUTTON_PRIMARY);
  g_signal_connect (drag, "drag-begin", G_CALLBACK (on_begin), self);
  g_signal_connect (drag, "drag-update", G_CALLBACK (on_update), self);
  g_signal_connect (drag, "drag-end", G_CALLBACK (on_end), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drag));
  sl_widget_label (GTK_WIDGET (self), _ ("Input"));
}

SlInputSquare *
sl_input_square_new (SlOwn *own)
{
  SlInputSquare *self = g_object_new (SL_TYPE_INPUT_SQUARE, NULL);

  self->own = g_object_ref (own);
  return self;
}

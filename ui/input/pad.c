/* SPDX-License-Identifier: MIT */
#include "ui/input/pad.h"

#include <adwaita.h>
#include <glib/gi18n.h>

#include "ui/input/layout.h"
#include "ui/input/square.h"
#include "ui/input/strip.h"
#include "ui/kit/widget.h"

enum {
  WIDE = 150,
  HIGH = 220,
  LEARNT = 200,  /* updates from which on it is worth to know what the network says */
  LATE_MS = 300, /* after which other examples are chosen without that */
};

struct _SlInputPad
{
  GtkWidget parent_instance;

  SlOwn         *own;
  SlInputSquare *square;
  SlInputStrip  *strip;
  GtkLabel      *words;
  GtkWidget     *buttons, *shuffle, *clear, *erase;
  uint64_t       hash;   /* of the data that the strip is of */
  guint          late;   /* timeout of waiting for what a network says; 0: does not wait */
  gboolean       sorted; /* the strip was chosen by what a network says, or by hand */
};

G_DEFINE_FINAL_TYPE (SlInputPad, sl_input_pad, GTK_TYPE_WIDGET)

/* ---- words ---- */

static const char *
far_words (SlInputPad *self)
{
  return sl_own_n_sessions (self->own) == 1 ? _ ("Unlike anything it was trained on")
                                            : _ ("Unlike anything they were trained on");
}

static char *
own_words (SlInputPad *self)
{
  SlOwnPlane plane;

  if (sl_own_is_far (self->own))
    return g_strdup (far_words (self));
  if (sl_own_plane (self->own, &plane))
    return g_strdup (_ ("Your own point"));
  return g_strdup (_ ("Your own drawing"));
}

static void
say (SlInputPad *self)
{
  const SlDataset *data = sl_own_dataset (self->own);
  g_autofree char *words = NULL;

  if (data == NULL)
    words = g_strdup (sl_own_n_sessions (self->own) > 0 ? _ ("Loading data…") : "");
  else if (sl_own_is_shown (self->own))
    words = own_words (self);
  else
    words
      = data->label != NULL && !data->stream ? sl_input_strip_words (self->strip) : g_strdup ("");
  if (g_str_equal (gtk_label_get_label (self->words), words))
    return;
  gtk_label_set_label (self->words, words);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->square),
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, words, -1);
}

/* What can be done, for assistive tools. */
static void
tell_how (SlInputPad *self)
{
  SlOwnPlane  plane;
  const char *how = "";

  if (sl_own_plane (self->own, &plane))
    how = _ ("Drag the point, or use the arrow keys; Delete goes back to the example");
  else if (sl_own_can (self->own))
    how = _ ("Draw here; arrow keys shift the drawing, Delete goes back to the example");
  /* A tooltip would lie over what is drawn. */
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->square),
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, how, -1);
}

/* ---- what changes ---- */

static void
shuffle (SlInputPad *self)
{
  g_clear_handle_id (&self->late, g_source_remove);
  sl_input_strip_shuffle (self->strip);
  say (self);
}

static void
on_late (gpointer pad)
{
  ((SlInputPad *) pad)->late = 0;
  shuffle (pad);
}

/* By what the networks say now. */
static void
on_shuffle (SlInputPad *self)
{
  self->sorted = TRUE;
  g_clear_handle_id (&self->late, g_source_remove);
  self->late = g_timeout_add_once (LATE_MS, on_late, self);
  for (unsigned i = 0; i < sl_own_n_sessions (self->own); i++)
    sl_session_ask_predictions (sl_own_session (self->own, i));
}

static void
on_predicted (SlInputPad *self)
{
  if (self->late != 0)
    shuffle (self);
}

/* The first examples are chosen before a network says anything; they stay where the person has chosen one. */
static void
on_progress (SlInputPad *self, SlSession *session)
{
  if (self->sorted || sl_session_info (session)->step < LEARNT)
    return;
  self->sorted = TRUE;
  if (!sl_input_strip_is_chosen (self->strip))
    on_shuffle (self);
}

static void
on_changed (SlInputPad *self)
{
  const SlDataset *data = sl_own_dataset (self->own);
  uint64_t         hash = data != NULL ? data->hash : 0;
  SlOwnPlane       plane;

  if (hash != self->hash)
    {
      self->hash = hash;
      self->sorted = FALSE;
      sl_input_strip_shuffle (self->strip);
      tell_how (self);
    }
  sl_input_square_refresh (self->square);
  sl_input_strip_mark (self->strip);
  gtk_widget_set_sensitive (self->clear, sl_own_is_shown (self->own));
  gtk_widget_set_sensitive (self->shuffle, data != NULL);
  gtk_widget_set_sensitive (self->erase, sl_own_can (self->own));
  gtk_widget_set_visible (self->erase, !sl_own_plane (self->own, &plane));
  say (self);
}

static void
on_clear (SlInputPad *self)
{
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->erase), FALSE);
  sl_own_clear (self->own);
}

static void
on_erase (SlInputPad *self)
{
  sl_input_square_set_erasing (self->square,
                               gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->erase)));
}

static void
on_style (SlInputPad *self)
{
  sl_input_square_refresh (self->square);
  sl_input_strip_redraw (self->strip);
}

static void
leave_sessions (SlInputPad *self)
{
  for (unsigned i = 0; i < sl_own_n_sessions (self->own); i++)
    g_signal_handlers_disconnect_by_data (sl_own_session (self->own, i), self);
}

void
sl_input_pad_set_sessions (SlInputPad *self, SlSession **sessions, unsigned n)
{
  g_return_if_fail (SL_IS_INPUT_PAD (self));
  leave_sessions (self);
  sl_own_set_sessions (self->own, sessions, n);
  for (unsigned i = 0; i < n; i++)
    {
      g_signal_connect_swapped (sessions[i], "predicted", G_CALLBACK (on_predicted), self);
      g_signal_connect_swapped (sessions[i], "progress", G_CALLBACK (on_progress), self);
    }
}

SlOwn *
sl_input_pad_get_own (SlInputPad *self)
{
  g_return_val_if_fail (SL_IS_INPUT_PAD (self), NULL);
  return self->own;
}

const char *
sl_input_pad_get_words (SlInputPad *self)
{
  g_return_val_if_fail (SL_IS_INPUT_PAD (self), NULL);
  return gtk_label_get_label (self->words);
}

/* ---- the widget ---- */

static int
height_of (GtkWidget *widget, int width)
{
  int natural;

  gtk_widget_measure (widget, GTK_ORIENTATION_VERTICAL, width, NULL, &natural, NULL, NULL);
  return natural;
}

/* Room for what may be said next: the square does not move below a pen. */
static int
height_of_words (SlInputPad *self, int width)
{
  g_autoptr (PangoLayout) layout
    = gtk_widget_create_pango_layout (GTK_WIDGET (self->words), far_words (self));
  int height;

  pango_layout_set_wrap (layout, PANGO_WRAP_WORD);
  pango_layout_set_width (layout, width * PANGO_SCALE);
  pango_layout_get_pixel_size (layout, NULL, &height);
  return MAX (height, height_of (GTK_WIDGET (self->words), width));
}

static void
sl_input_pad_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  SlInputPad   *self = SL_INPUT_PAD (widget);
  SlInputLayout at = sl_input_layout (width, height, height_of_words (self, width),
                                      height_of (self->buttons, width));

  sl_input_strip_set_columns (self->strip, at.columns);
  gtk_widget_size_allocate (GTK_WIDGET (self->square), &at.square, -1);
  gtk_widget_size_allocate (GTK_WIDGET (self->strip), &at.strip, -1);
  gtk_widget_size_allocate (GTK_WIDGET (self->words), &at.words, -1);
  gtk_widget_size_allocate (self->buttons, &at.buttons, -1);
}

static void
sl_input_pad_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                      int *natural, int *minimum_baseline, int *natural_baseline)
{
  SlInputPad *self = SL_INPUT_PAD (widget);
  int         buttons;

  gtk_widget_measure (self->buttons, GTK_ORIENTATION_HORIZONTAL, -1, &buttons, NULL, NULL, NULL);
  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? MAX (WIDE, buttons) : HIGH;
  *natural = *minimum;
}

static void
sl_input_pad_dispose (GObject *object)
{
  SlInputPad *self = SL_INPUT_PAD (object);
  GtkWidget  *child;

  g_clear_handle_id (&self->late, g_source_remove);
  if (self->own != NULL)
    {
      leave_sessions (self);
      g_signal_handlers_disconnect_by_data (self->own, self);
      sl_own_set_sessions (self->own, NULL, 0);
      g_clear_object (&self->own);
    }
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  G_OBJECT_CLASS (sl_input_pad_parent_class)->dispose (object);
}

static void
sl_input_pad_class_init (SlInputPadClass *klass)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = sl_input_pad_dispose;
  widget->measure = sl_input_pad_measure;
  widget->size_allocate = sl_input_pad_size_allocate;
  gtk_widget_class_set_css_name (widget, "inputpad");
  gtk_widget_class_set_accessible_role (widget, GTK_ACCESSIBLE_ROLE_GROUP);
}

static GtkWidget *
add_button (SlInputPad *self, GtkWidget *button, const char *icon, const char *help)
{
  gtk_button_set_icon_name (GTK_BUTTON (button), icon);
  gtk_widget_set_tooltip_text (button, help);
  gtk_widget_add_css_class (button, "flat");
  sl_widget_label (button, help);
  gtk_box_append (GTK_BOX (self->buttons), button);
  return button;
}

static void
add_buttons (SlInputPad *self)
{
  self->buttons = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 2);
  gtk_widget_set_halign (self->buttons, GTK_ALIGN_CENTER);
  self->shuffle
    = add_button (self, gtk_button_new (), "media-playlist-shuffle-symbolic", _ ("Other examples"));
  self->erase = add_button (self, gtk_toggle_button_new (), "sl-eraser-symbolic", _ ("Eraser"));
  self->clear
    = add_button (self, gtk_button_new (), "edit-clear-symbolic", _ ("Back to the example"));
  g_signal_connect_swapped (self->shuffle, "clicked", G_CALLBACK (on_shuffle), self);
  g_signal_connect_swapped (self->erase, "toggled", G_CALLBACK (on_erase), self);
  g_signal_connect_swapped (self->clear, "clicked", G_CALLBACK (on_clear), self);
  gtk_widget_set_parent (self->buttons, GTK_WIDGET (self));
}

static void
add_words (SlInputPad *self)
{
  self->words = GTK_LABEL (gtk_label_new (""));
  gtk_label_set_wrap (self->words, TRUE);
  gtk_label_set_lines (self->words, 2);
  gtk_label_set_ellipsize (self->words, PANGO_ELLIPSIZE_END);
  gtk_label_set_justify (self->words, GTK_JUSTIFY_CENTER);
  gtk_widget_add_css_class (GTK_WIDGET (self->words), "caption");
  gtk_widget_set_parent (GTK_WIDGET (self->words), GTK_WIDGET (self));
}

static void
sl_input_pad_init (SlInputPad *self)
{
  self->own = sl_own_new ();
  self->square = sl_input_square_new (self->own);
  self->strip = sl_input_strip_new (self->own);
  gtk_widget_set_parent (GTK_WIDGET (self->square), GTK_WIDGET (self));
  gtk_widget_set_parent (GTK_WIDGET (self->strip), GTK_WIDGET (self));
  add_words (self);
  add_buttons (self);
  g_signal_connect_swapped (self->own, "changed", G_CALLBACK (on_changed), self);
  g_signal_connect_object (adw_style_manager_get_default (), "notify::dark", G_CALLBACK (on_style),
                           self, G_CONNECT_SWAPPED);
  g_signal_connect_object (adw_style_manager_get_default (), "notify::high-contrast",
                           G_CALLBACK (on_style), self, G_CONNECT_SWAPPED);
  sl_widget_label (GTK_WIDGET (self), _ ("Input of the networks"));
  on_changed (self);
}

GtkWidget *
sl_input_pad_new (void)
{
  return g_object_new (SL_TYPE_INPUT_PAD, NULL);
}

/* SPDX-License-Identifier: MIT */
#include "ui/input/strip.h"

#include <glib/gi18n.h>

#include "core/run/base/language.h"
#include "core/run/own/strip.h"
#include "ui/input/picture.h"
#include "ui/kit/widget.h"

enum { THUMB = 56, WIDE = 18 /* px of an example at least */ };

struct _SlInputStrip
{
  GtkWidget parent_instance;

  SlOwn         *own;
  GtkWidget     *button[SL_STRIP];
  SlStripExample strip[SL_STRIP];
  unsigned       n, columns;
  uint64_t       draws; /* how often it was shuffled */
  const SlLab   *says;  /* the lab whose network the cases are of, or NULL */
};

G_DEFINE_FINAL_TYPE (SlInputStrip, sl_input_strip, GTK_TYPE_WIDGET)

static const SlPredictions *
predictions_of (SlInputStrip *self)
{
  self->says = NULL;
  for (unsigned i = 0; i < sl_own_n_sessions (self->own); i++)
    {
      SlSession *session = sl_own_session (self->own, i);

      if (sl_session_predictions (session) == NULL
          || sl_session_dataset (session) != sl_own_dataset (self->own))
        continue;
      self->says = sl_session_lab (session);
      return sl_session_predictions (session);
    }
  return NULL;
}

/* "Example 17: Sneaker" */
static char *
example_words (SlInputStrip *self, unsigned example)
{
  const SlDataset *data = sl_own_dataset (self->own);
  SlSplit          split = data->n[SL_VALID] > 0 ? SL_VALID : SL_TRAIN;
  unsigned         number = example % (unsigned) data->n[split] + 1;
  unsigned         label = data->label[sl_dataset_first (data, split) + number - 1];

  if (data->class_title != NULL)
    return g_strdup_printf (_ ("Example %u: %s"), number, data->class_title[label]);
  /* Translators: the number of an example, and that of its class. */
  return g_strdup_printf (_ ("Example %u: class %u"), number, label);
}

/* NULL: nothing is known. */
static char *
case_words (SlInputStrip *self, SlStripCase why)
{
  const char *lab = self->says != NULL ? sl_words (self->says->title) : "";

  switch (why)
    {
    /* Translators: the name of a lab, whose network is meant. */
    case SL_CASE_SURE: return g_strdup_printf (_ ("%s is sure"), lab);
    case SL_CASE_UNSURE: return g_strdup_printf (_ ("%s is unsure"), lab);
    case SL_CASE_WRONG: return g_strdup_printf (_ ("%s is wrong"), lab);
    case SL_CASE_RIGHT: return g_strdup_printf (_ ("%s is right"), lab);
    case SL_CASE_PLAIN: break;
    }
  return NULL;
}

static char *
words_of (SlInputStrip *self, unsigned i)
{
  g_autofree char *example = example_words (self, self->strip[i].example);
  g_autofree char *why = case_words (self, self->strip[i].why);

  return why != NULL ? g_strdup_printf ("%s, %s", example, why) : g_steal_pointer (&example);
}

static int
shown (SlInputStrip *self)
{
  for (unsigned i = 0; i < self->n && !sl_own_is_shown (self->own); i++)
    if (self->strip[i].example == sl_own_example (self->own))
      return (int) i;
  return -1;
}

gboolean
sl_input_strip_is_chosen (SlInputStrip *self)
{
  g_return_val_if_fail (SL_IS_INPUT_STRIP (self), FALSE);
  return shown (self) >= 0;
}

char *
sl_input_strip_words (SlInputStrip *self)
{
  int at = shown (self);

  g_return_val_if_fail (SL_IS_INPUT_STRIP (self), NULL);
  return at >= 0 ? words_of (self, (unsigned) at)
                 : example_words (self, sl_own_example (self->own));
}

/* One of them can be reached by Tab, the others from there by arrow keys. */
void
sl_input_strip_mark (SlInputStrip *self)
{
  int at = shown (self);

  g_return_if_fail (SL_IS_INPUT_STRIP (self));
  for (unsigned i = 0; i < SL_STRIP; i++)
    {
      gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->button[i]), (int) i == at);
      gtk_widget_set_focusable (self->button[i],
                                (int) i == MAX (at, 0) || gtk_widget_has_focus (self->button[i]));
    }
}

void
sl_input_strip_redraw (SlInputStrip *self)
{
  g_return_if_fail (SL_IS_INPUT_STRIP (self));
  for (unsigned i = 0; i < SL_STRIP; i++)
    {
      GtkPicture *picture = GTK_PICTURE (gtk_button_get_child (GTK_BUTTON (self->button[i])));
      g_autoptr (GdkTexture) texture = NULL;
      g_autofree char *words = NULL;

      gtk_widget_set_visible (self->button[i], i < self->n);
      if (i >= self->n)
        continue;
      texture = sl_input_example_texture (self->own, self->strip[i].example, THUMB);
      words = words_of (self, i);
      gtk_picture_set_paintable (picture, GDK_PAINTABLE (texture));
      sl_widget_tip (self->button[i], words);
      sl_widget_label (self->button[i], words);
    }
}

void
sl_input_strip_shuffle (SlInputStrip *self)
{
  const SlDataset *data = sl_own_dataset (self->own);

  g_return_if_fail (SL_IS_INPUT_STRIP (self));
  self->n = data == NULL || data->label == NULL
              ? 0
              : sl_strip_choose (data, predictions_of (self), ++self->draws, self->strip);
  sl_input_strip_redraw (self);
  sl_input_strip_mark (self);
}

void
sl_input_strip_set_columns (SlInputStrip *self, unsigned columns)
{
  g_return_if_fail (SL_IS_INPUT_STRIP (self));
  if (self->columns == columns)
    return;
  self->columns = columns;
  gtk_widget_queue_allocate (GTK_WIDGET (self));
}

unsigned
sl_input_strip_get_n (SlInputStrip *self)
{
  return self->n;
}

unsigned
sl_input_strip_get_example (SlInputStrip *self, unsigned i)
{
  return self->strip[i].example;
}

GtkWidget *
sl_input_strip_get_button (SlInputStrip *self, unsigned i)
{
  return self->button[i];
}

static void
choose (SlInputStrip *self, unsigned i)
{
  sl_own_show_example (self->own, self->strip[i].example);
  sl_input_strip_mark (self);
}

static void
on_clicked (GtkWidget *button, SlInputStrip *self)
{
  for (unsigned i = 0; i < self->n; i++)
    if (self->button[i] == button)
      choose (self, i);
}

static gboolean
on_arrow (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  SlInputStrip *self = SL_INPUT_STRIP (widget);
  int           columns, rows, at = 0, n = (int) self->n;

  g_variant_get (arguments, "(ii)", &columns, &rows);
  if (self->n == 0)
    return FALSE;
  for (unsigned i = 0; i < self->n; i++)
    if (gtk_widget_has_focus (self->button[i]))
      at = (int) i;
  at = ((at + columns + rows * (int) self->columns) % n + n) % n;
  gtk_widget_set_focusable (self->button[at], TRUE);
  gtk_widget_grab_focus (self->button[at]);
  choose (self, (unsigned) at);
  return TRUE;
}

static void
sl_input_strip_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                        int *natural, int *minimum_baseline, int *natural_baseline)
{
  SlInputStrip *self = SL_INPUT_STRIP (widget);
  unsigned      across
    = orientation == GTK_ORIENTATION_HORIZONTAL ? self->columns : SL_STRIP / self->columns;

  *minimum = *natural = 0;
  for (unsigned i = 0; i < SL_STRIP; i++)
    {
      int least;

      gtk_widget_measure (self->button[i], orientation, -1, &least, NULL, NULL, NULL);
      *minimum = MAX (*minimum, least);
    }
  *minimum *= (int) across;
  *natural = MAX (*minimum, (int) across * WIDE);
}

static void
sl_input_strip_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  SlInputStrip *self = SL_INPUT_STRIP (widget);
  int           columns = (int) self->columns, rows = SL_STRIP / columns;

  for (int i = 0; i < SL_STRIP; i++)
    {
      int x = i % columns * width / columns, y = i / columns * height / rows;

      gtk_widget_size_allocate (self->button[i],
                                &(GtkAllocation) { x, y, width / columns, height / rows }, -1);
    }
}

static void
sl_input_strip_dispose (GObject *object)
{
  SlInputStrip *self = SL_INPUT_STRIP (object);

  for (unsigned i = 0; i < SL_STRIP; i++)
    g_clear_pointer (&self->button[i], gtk_widget_unparent);
  g_clear_object (&self->own);
  G_OBJECT_CLASS (sl_input_strip_parent_class)->dispose (object);
}

static void
sl_input_strip_class_init (SlInputStripClass *klass)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = sl_input_strip_dispose;
  widget->measure = sl_input_strip_measure;
  widget->size_allocate = sl_input_strip_size_allocate;
  sl_widget_class_bind_arrows (widget, 0, on_arrow);
  gtk_widget_class_set_css_name (widget, "inputstrip");
  gtk_widget_class_set_accessible_role (widget, GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
sl_input_strip_init (SlInputStrip *self)
{
  self->columns = SL_STRIP;
  for (unsigned i = 0; i < SL_STRIP; i++)
    {
      GtkWidget *picture = g_object_new (GTK_TYPE_PICTURE, "accessible-role",
                                         GTK_ACCESSIBLE_ROLE_PRESENTATION, NULL);

      self->button[i] = gtk_toggle_button_new ();
      gtk_picture_set_can_shrink (GTK_PICTURE (picture), TRUE);
      gtk_button_set_child (GTK_BUTTON (self->button[i]), picture);
      gtk_widget_add_css_class (self->button[i], "flat");
      gtk_widget_set_visible (self->button[i], FALSE);
      gtk_widget_set_parent (self->button[i], GTK_WIDGET (self));
      g_signal_connect (self->button[i], "clicked", G_CALLBACK (on_clicked), self);
    }
  sl_widget_label (GTK_WIDGET (self), _ ("Examples"));
}

SlInputStrip *
sl_input_strip_new (SlOwn *own)
{
  SlInputStrip *self = g_object_new (SL_TYPE_INPUT_STRIP, NULL);

  self->own = g_object_ref (own);
  return self;
}

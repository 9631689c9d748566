/* SPDX-License-Identifier: MIT */
#include "ui/form/row.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "core/run/base/language.h"
#include "ui/form/scale.h"
#include "ui/help/popover.h"
#include "ui/kit/field.h"
#include "ui/kit/widget.h"

struct _SlParamRow
{
  GtkWidget parent_instance;

  GtkLabel      *title, *note;
  GtkWidget     *revert, *lock;
  GtkMenuButton *help;
  GtkBox        *slot, *sliders;

  const SlParam *param;
  SlValue        fallback, value;
  GtkWidget     *control; /* spin button, entry, switch or drop-down */
  GPtrArray     *scales;  /* of SlParamScale, borrowed; one per element */
  GPtrArray     *numbers; /* of GtkLabel, borrowed; the value beside each slider of a list */
  gboolean       showing; /* the program moves the controls, not the user */
};

G_DEFINE_FINAL_TYPE (SlParamRow, sl_param_row, GTK_TYPE_WIDGET)

enum { TEXT_MAX = 512 };

/* An arrow of the spin button moves the second significant digit where the range is
 * logarithmic; just above a power of ten that is a finer step, so that 0.001 goes down to
 * 0.0009 and not to zero.  */
static double
spin_step (const SlParam *param, double value)
{
  double decade;

  if (!param->logarithmic || !(value > 0.0))
    return param->step;
  decade = pow (10.0, floor (log10 (value) + 1e-9));
  if (value < 2.0 * decade)
    decade /= 10.0;
  return sl_param_is_whole (param) ? fmax (decade, 1.0) : decade;
}

/* A choice that is not offered is among the others while the value is that, as in a run of a program. */
static void
list_choices (SlParamRow *self, GtkDropDown *drop_down)
{
  GListModel *titles = gtk_drop_down_get_model (drop_down);
  guint       offers = sl_param_offers (self->param), value = (guint) self->value.v[0];
  const char *more[]
    = { value < offers ? NULL : sl_words (self->param->choices[value].title), NULL };
  guint n = g_list_model_get_n_items (titles);

  if (n != offers + (value >= offers))
    gtk_string_list_splice (GTK_STRING_LIST (titles), offers, n - offers, more);
  gtk_drop_down_set_selected (drop_down, MIN (value, offers));
}

static void
show_control (SlParamRow *self)
{
  char text[TEXT_MAX];

  switch (self->param->kind)
    {
    case SL_REAL:
    case SL_INTEGER:
      gtk_spin_button_set_increments (GTK_SPIN_BUTTON (self->control),
                                      spin_step (self->param, self->value.v[0]),
                                      10.0 * spin_step (self->param, self->value.v[0]));
      gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->control), self->value.v[0]);
      break;
    case SL_CHOICE: list_choices (self, GTK_DROP_DOWN (self->control)); break;
    case SL_BOOLEAN:
      gtk_switch_set_active (GTK_SWITCH (self->control), self->value.v[0] != 0.0);
      break;
    case SL_LIST:
      gtk_editable_set_text (GTK_EDITABLE (self->control),
                             sl_param_format (self->param, &self->value, text, sizeof text));
      break;
    }
}

/* Its room is kept: the title does not wrap, and no slider shrinks, when the arrow appears. */
static void
show_revert (SlParamRow *self)
{
  gboolean changed = sl_param_row_is_changed (self);

  gtk_widget_set_child_visible (self->revert, changed);
  gtk_accessible_update_state (GTK_ACCESSIBLE (self->revert), GTK_ACCESSIBLE_STATE_HIDDEN, !changed,
                               -1);
}

static void
show (SlParamRow *self)
{
  self->showing = TRUE;
  show_control (self);
  for (unsigned i = 0; i < self->scales->len; i++)
    sl_param_scale_set_number (g_ptr_array_index (self->scales, i), self->value.v[i]);
  for (unsigned i = 0; i < self->numbers->len; i++)
    {
      char text[G_ASCII_DTOSTR_BUF_SIZE];

      gtk_label_set_label (g_ptr_array_index (self->numbers, i),
                           g_ascii_formatd (text, sizeof text, "%.6g", self->value.v[i]));
    }
  show_revert (self);
  self->showing = FALSE;
}

static void
take (SlParamRow *self, const SlValue *value, gboolean final)
{
  SlValue taken = *value;

  if (self->showing)
    return;
  self->value = taken;
  show (self);
  g_signal_emit_by_name (self, "edited", &taken, final);
}

static void
on_moved (SlParamScale *scale, double number, gboolean final, SlParamRow *self)
{
  SlValue value = self->value;
  guint   element;

  if (self->showing || !g_ptr_array_find (self->scales, scale, &element))
    return;
  value.v[element] = number;
  take (self, &value, final);
}

static void
on_revert (SlParamRow *self)
{
  take (self, &self->fallback, TRUE);
}

/* With the commas of decimals made points.  Those of a list part its elements, unless slashes do or it has only
 * one; those of a whole number part its thousands elsewhere.  */
static char *
dup_pointed (SlParamRow *self, const char *typed)
{
  gboolean list = self->param->kind == SL_LIST;
  char    *text;

  if (sl_param_is_whole (self->param)
      || (list && strchr (typed, '/') == NULL && self->value.n != 1))
    return g_strstrip (g_strdup (typed));
  if (!list || strchr (typed, '/') == NULL)
    return sl_field_dup_number (typed);
  text = g_strstrip (g_strdup (typed));
  return g_strdelimit (text, ",", '.');
}

/* Reads what was typed; on failure says why and leaves the value alone. */
static gboolean
read_text (SlParamRow *self, const char *typed, SlValue *value)
{
  g_autofree char *text = dup_pointed (self, typed);
  SlStatus         status = sl_param_parse (self->param, text, value);
  g_autofree char *sentence = NULL;

  if (sl_ok (&status))
    return TRUE;
  g_strlcpy (status.subject, sl_words (self->param->title), sizeof status.subject);
  sentence = sl_status_sentence (&status);
  g_signal_emit_by_name (self, "refused", sentence);
  return FALSE;
}

static int
on_spin_input (GtkSpinButton *spin, double *number, SlParamRow *self)
{
  SlValue value;

  if (self->showing)
    {
      *number = self->value.v[0];
      return TRUE;
    }
  if (!read_text (self, gtk_editable_get_text (GTK_EDITABLE (spin)), &value))
    return GTK_INPUT_ERROR;
  *number = value.v[0];
  return TRUE;
}

static gboolean
on_spin_output (GtkSpinButton *spin, SlParamRow *self)
{
  SlValue value = { .n = 1, .v = { gtk_spin_button_get_value (spin) } };
  char    text[TEXT_MAX];

  gtk_editable_set_text (GTK_EDITABLE (spin),
                         sl_param_format (self->param, &value, text, sizeof text));
  return TRUE;
}

static void
on_spin_changed (GtkSpinButton *spin, SlParamRow *self)
{
  SlValue value = { .n = 1, .v = { gtk_spin_button_get_value (spin) } };

  if (self->param->kind == SL_INTEGER)
    value.v[0] = rint (value.v[0]);
  else /* Sums of steps leave noise in the last digits. */
    value.v[0] = g_ascii_strtod (g_ascii_formatd ((char[G_ASCII_DTOSTR_BUF_SIZE]) { 0 },
                                                  G_ASCII_DTOSTR_BUF_SIZE, "%.12g", value.v[0]),
                                 NULL);
  /* The signal also comes when what was typed was refused. */
  if (!sl_value_same (&value, &self->value))
    take (self, &value, TRUE);
}

static void
on_entry_done (SlParamRow *self)
{
  SlValue value;

  if (self->showing)
    return;
  if (!read_text (self, gtk_editable_get_text (GTK_EDITABLE (self->control)), &value))
    show (self);
  else if (!sl_value_same (&value, &self->value))
    {
      if (self->param->each != NULL && value.n != self->value.n)
        {
          /* A list that follows another one keeps its length: the last element repeats. */
          for (unsigned i = value.n; i < self->value.n; i++)
            value.v[i] = value.v[value.n - 1];
          value.n = self->value.n;
        }
      take (self, &value, TRUE);
    }
}

static void
on_chosen (SlParamRow *self)
{
  guint selected = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->control));

  if (selected < sl_param_offers (self->param) && selected != (guint) self->value.v[0])
    take (self, &(SlValue) { .n = 1, .v = { selected } }, TRUE);
}

static void
on_switched (SlParamRow *self)
{
  take (self, &(SlValue) { .n = 1, .v = { gtk_switch_get_active (GTK_SWITCH (self->control)) } },
        TRUE);
}

static GtkWidget *
make_spin (SlParamRow *self)
{
  GtkWidget *spin = gtk_spin_button_new_with_range (self->param->lo, self->param->hi, 1.0);

  gtk_spin_button_set_digits (GTK_SPIN_BUTTON (spin), self->param->kind == SL_INTEGER ? 0 : 12);
  gtk_spin_button_set_numeric (GTK_SPIN_BUTTON (spin), FALSE); /* "3e-4" is a number too */
  gtk_spin_button_set_update_policy (GTK_SPIN_BUTTON (spin), GTK_UPDATE_IF_VALID);
  gtk_editable_set_width_chars (GTK_EDITABLE (spin), 7);
  gtk_editable_set_max_width_chars (GTK_EDITABLE (spin), 7);
  g_signal_connect (spin, "input", G_CALLBACK (on_spin_input), self);
  g_signal_connect (spin, "output", G_CALLBACK (on_spin_output), self);
  g_signal_connect (spin, "value-changed", G_CALLBACK (on_spin_changed), self);
  sl_field_leave_undo (GTK_EDITABLE (spin), G_CALLBACK (show), self);
  sl_widget_pass_scroll (spin);
  return spin;
}

static GtkWidget *
make_entry (SlParamRow *self)
{
  GtkWidget          *entry = gtk_entry_new ();
  GtkEventController *focus = gtk_event_controller_focus_new ();

  gtk_editable_set_width_chars (GTK_EDITABLE (entry), 12);
  gtk_editable_set_max_width_chars (GTK_EDITABLE (entry), 14);
  g_signal_connect_swapped (entry, "activate", G_CALLBACK (on_entry_done), self);
  g_signal_connect_swapped (focus, "leave", G_CALLBACK (on_entry_done), self);
  gtk_widget_add_controller (entry, focus);
  sl_field_leave_undo (GTK_EDITABLE (entry), G_CALLBACK (show), self);
  return entry;
}

static GtkWidget *
make_drop_down (SlParamRow *self)
{
  GtkStringList *titles = gtk_string_list_new (NULL);
  GtkWidget     *drop_down;

  for (unsigned i = 0; i < sl_param_offers (self->param); i++)
    gtk_string_list_append (titles, sl_words (self->param->choices[i].title));
  drop_down = gtk_drop_down_new (G_LIST_MODEL (titles), NULL);
  sl_drop_down_shorten (GTK_DROP_DOWN (drop_down), 0);
  g_signal_connect_swapped (drop_down, "notify::selected", G_CALLBACK (on_chosen), self);
  return drop_down;
}

static GtkWidget *
make_switch (SlParamRow *self)
{
  GtkWidget *widget = gtk_switch_new ();

  gtk_widget_set_valign (widget, GTK_ALIGN_CENTER);
  g_signal_connect_swapped (widget, "notify::active", G_CALLBACK (on_switched), self);
  return widget;
}

static GtkWidget *
make_control (SlParamRow *self)
{
  switch (self->param->kind)
    {
    case SL_REAL:
    case SL_INTEGER: return make_spin (self);
    case SL_CHOICE: return make_drop_down (self);
    case SL_BOOLEAN: return make_switch (self);
    case SL_LIST: break;
    }
  return make_entry (self);
}

static void
add_slider (SlParamRow *self, unsigned element)
{
  g_autofree char *one /* "layer 2" */
    = g_strdup_printf ("%s %u", sl_words (self->param->one), element + 1);
  g_autofree char *name = self->param->kind == SL_LIST
                            ? g_strdup_printf ("%s, %s", sl_words (self->param->title), one)
                            : g_strdup (sl_words (self->param->title));
  SlParamScale    *scale = sl_param_scale_new (self->param, name);

  g_signal_connect (scale, "moved", G_CALLBACK (on_moved), self);
  g_ptr_array_add (self->scales, scale);
  if (self->param->kind == SL_LIST)
    {
      GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
      GtkWidget *label = gtk_label_new (one);
      GtkWidget *number = gtk_label_new (NULL);

      gtk_widget_add_css_class (label, "dim-label");
      gtk_widget_add_css_class (label, "caption");
      gtk_widget_add_css_class (number, "numeric");
      gtk_widget_add_css_class (number, "caption");
      gtk_label_set_width_chars (GTK_LABEL (number), 5);
      gtk_label_set_xalign (GTK_LABEL (number), 1.0f);
      gtk_box_append (GTK_BOX (box), label);
      gtk_box_append (GTK_BOX (box), GTK_WIDGET (scale));
      gtk_box_append (GTK_BOX (box), number);
      g_ptr_array_add (self->numbers, number);
      gtk_box_append (self->sliders, box);
    }
  else
    gtk_box_append (self->sliders, GTK_WIDGET (scale));
}

/* One slider per element of numbers and of lists that follow another list; a list of free
 * length is edited as text.  */
static void
fit_sliders (SlParamRow *self)
{
  unsigned wanted = self->param->kind == SL_REAL || self->param->kind == SL_INTEGER ? 1
                    : self->param->kind == SL_LIST && self->param->each != NULL     ? self->value.n
                                                                                    : 0;

  while (self->scales->len > wanted)
    {
      gtk_box_remove (self->sliders, gtk_widget_get_last_child (GTK_WIDGET (self->sliders)));
      g_ptr_array_set_size (self->scales, (int) self->scales->len - 1);
      g_ptr_array_set_size (self->numbers, (int) MIN (self->numbers->len, self->scales->len));
    }
  while (self->scales->len < wanted)
    add_slider (self, self->scales->len);
}

static void
move_revert (SlParamRow *self)
{
  GtkBox *head = GTK_BOX (gtk_widget_get_parent (GTK_WIDGET (self->slot)));

  g_object_ref (self->revert);
  gtk_box_remove (GTK_BOX (gtk_widget_get_parent (self->revert)), self->revert);
  gtk_box_insert_child_after (head, self->revert, self->lock);
  g_object_unref (self->revert);
}

/* "Density s" with its symbol on the line of the word before. */
static char *
dup_unparted (const char *title)
{
  const char *last = strrchr (title, ' ');

  return last != NULL && g_utf8_strlen (last + 1, -1) == 1
           ? g_strdup_printf ("%.*s\u00a0%s", (int) (last - title), title, last + 1)
           : g_strdup (title);
}

static void
on_help (GtkMenuButton *button, gpointer row)
{
  const SlParam   *param = SL_PARAM_ROW (row)->param;
  g_autofree char *help = g_markup_escape_text (sl_words (param->help), -1);

  sl_help_popover_describe (sl_help_popover_of (button), help, sl_words (param->formula),
                            sl_words (param->source), param);
}

static void
describe (SlParamRow *self)
{
  const SlParam   *param = self->param;
  gboolean         restarts = param->effect == SL_RESTART;
  gboolean         number = param->kind == SL_REAL || param->kind == SL_INTEGER;
  const char      *title = sl_words (param->title), *unit = sl_words (sl_given (param->unit));
  g_autofree char *note = g_strconcat (unit, *unit != '\0' && restarts ? " · " : "",
                                       restarts ? _ ("restarts the run") : "", NULL);
  g_autofree char *unparted = dup_unparted (title);
  g_autofree char *name = g_strdup_printf (_ ("%s, exact value"), title);
  g_autofree char *revert = g_strdup_printf (_ ("Revert %s"), title);
  g_autofree char *about = g_strdup_printf (_ ("About %s"), title);

  gtk_label_set_label (self->title, unparted);
  gtk_label_set_label (self->note, note);
  gtk_widget_set_visible (GTK_WIDGET (self->note), *note != '\0');
  gtk_widget_set_tooltip_text (self->revert, _ ("Back to the default"));
  sl_widget_label (GTK_WIDGET (self->revert), revert);
  sl_widget_label (GTK_WIDGET (self->help), about);
  /* Beside a slider of the same name, the entry says which of the two it is. */
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->control), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  number ? name : title, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  sl_words (param->help), -1);
}

/* A value that waits for the release of its slider is not yet that of the run. */
static gboolean
is_waiting (SlParamRow *self)
{
  for (unsigned i = 0; self->param->effect == SL_RESTART && i < self->scales->len; i++)
    if (sl_param_scale_is_moving (g_ptr_array_index (self->scales, i)))
      return TRUE;
  return FALSE;
}

void
sl_param_row_set_value (SlParamRow *self, const SlValue *value)
{
  g_return_if_fail (SL_IS_PARAM_ROW (self));
  /* An entry in which the user types is left alone while the value did not change. */
  if (sl_value_same (&self->value, value) || is_waiting (self))
    return;
  self->value = *value;
  fit_sliders (self);
  show (self);
}

void
sl_param_row_set_reach (SlParamRow *self, double hi)
{
  g_return_if_fail (SL_IS_PARAM_ROW (self));
  for (unsigned i = 0; i < self->scales->len; i++)
    {
      SlParamScale *scale = g_ptr_array_index (self->scales, i);

      sl_param_scale_set_reach (scale, hi);
      sl_param_scale_set_number (scale, self->value.v[i]);
    }
}

void
sl_param_row_set_fallback (SlParamRow *self, const SlValue *fallback)
{
  g_return_if_fail (SL_IS_PARAM_ROW (self));
  self->fallback = *fallback;
  show_revert (self);
}

/* What a revert arrow goes back to: the default, at the length of the list it follows. */
static SlValue
fallback_of (const SlParam *params, unsigned n_params, const SlSettings *settings,
             const SlSettings *defaults, unsigned i)
{
  SlSettings with = *settings;

  with.value[i] = defaults->value[i];
  sl_settings_settle (&with, params, n_params);
  return with.value[i];
}

void
sl_param_row_show (SlParamRow *self, const SlParam *params, unsigned n_params,
                   const SlSettings *settings, const SlSettings *defaults)
{
  g_return_if_fail (SL_IS_PARAM_ROW (self));

  unsigned    i = (unsigned) (self->param - params);
  const char *most = self->param->most;
  /* A slider ends where moving it further would change nothing. */
  int     end = most != NULL ? sl_param_find (params, n_params, most) : -1;
  SlValue back = fallback_of (params, n_params, settings, defaults, i);

  sl_param_row_set_value (self, &settings->value[i]);
  if (end >= 0)
    sl_param_row_set_reach (self, settings->value[end].v[0]);
  sl_param_row_set_fallback (self, &back);
}

void
sl_param_row_set_many (SlParamRow *self, double n)
{
  g_return_if_fail (SL_IS_PARAM_ROW (self));
  if (n > 1.0)
    sl_param_row_set_reach (self, self->param->lo + n - 1.0);
}

void
sl_param_row_set_compact (SlParamRow *self)
{
  g_return_if_fail (SL_IS_PARAM_ROW (self));
  gtk_widget_add_css_class (GTK_WIDGET (self), "compact");
  if (sl_given (self->param->unit)[0] != '\0')
    {
      g_autofree char *title
        /* Translators: a setting and its unit: "Cache (GiB)". */
        = g_strdup_printf (_ ("%s (%s)"), gtk_label_get_label (self->title),
                           sl_words (self->param->unit));

      gtk_label_set_label (self->title, title);
    }
  gtk_widget_set_visible (GTK_WIDGET (self->help), FALSE);
  gtk_widget_set_visible (GTK_WIDGET (self->note), FALSE);
  if (self->param->kind == SL_LIST && self->scales->len > 0)
    gtk_widget_set_visible (GTK_WIDGET (self->slot), FALSE);
}

gboolean
sl_param_row_is_changed (SlParamRow *self)
{
  g_return_val_if_fail (SL_IS_PARAM_ROW (self), FALSE);
  return !sl_value_same (&self->value, &self->fallback);
}

void
sl_param_row_set_locked (SlParamRow *self, gboolean locked)
{
  g_return_if_fail (SL_IS_PARAM_ROW (self));

  GtkWidget *parts[] = { GTK_WIDGET (self->title), GTK_WIDGET (self->slot),
                         GTK_WIDGET (self->sliders), self->revert };

  gtk_widget_set_visible (self->lock, locked);
  for (unsigned i = 0; i < G_N_ELEMENTS (parts); i++)
    gtk_widget_set_sensitive (parts[i], !locked);
}

gboolean
sl_param_row_is_locked (SlParamRow *self)
{
  g_return_val_if_fail (SL_IS_PARAM_ROW (self), FALSE);
  return gtk_widget_get_visible (self->lock);
}

const SlParam *
sl_param_row_get_param (SlParamRow *self)
{
  g_return_val_if_fail (SL_IS_PARAM_ROW (self), NULL);
  return self->param;
}

GtkWidget *
sl_param_row_get_scale (SlParamRow *self, unsigned element)
{
  g_return_val_if_fail (SL_IS_PARAM_ROW (self), NULL);
  return element < self->scales->len ? g_ptr_array_index (self->scales, element) : NULL;
}

static void
sl_param_row_finalize (GObject *object)
{
  SlParamRow *self = SL_PARAM_ROW (object);

  g_ptr_array_unref (self->scales);
  g_ptr_array_unref (self->numbers);
  G_OBJECT_CLASS (sl_param_row_parent_class)->finalize (object);
}

static void
sl_param_row_class_init (SlParamRowClass *klass)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = sl_param_row_finalize;
  sl_widget_class_set_template (widget, "form/row.ui");
  sl_widget_class_bind_children (widget, SL_CHILD (SlParamRow, title), SL_CHILD (SlParamRow, note),
                                 SL_CHILD (SlParamRow, lock), SL_CHILD (SlParamRow, revert),
                                 SL_CHILD (SlParamRow, help), SL_CHILD (SlParamRow, slot),
                                 SL_CHILD (SlParamRow, sliders), NULL);
  gtk_widget_class_bind_template_callback (widget, on_revert);
  gtk_widget_class_set_accessible_role (widget, GTK_ACCESSIBLE_ROLE_GROUP);
  sl_signal_new (SL_TYPE_PARAM_ROW, "edited", 2, G_TYPE_POINTER, G_TYPE_BOOLEAN);
  sl_signal_new (SL_TYPE_PARAM_ROW, "refused", 1, G_TYPE_STRING);
}

static void
sl_param_row_init (SlParamRow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->scales = g_ptr_array_new ();
  self->numbers = g_ptr_array_new ();
  gtk_menu_button_set_create_popup_func (self->help, on_help, self, NULL);
}

SlParamRow *
sl_param_row_new (const SlParam *param, const SlValue *fallback)
{
  g_return_val_if_fail (param != NULL && fallback != NULL, NULL);

  SlParamRow *self = g_object_new (SL_TYPE_PARAM_ROW, NULL);

  self->param = param;
  self->value = self->fallback = *fallback;
  self->showing = TRUE;
  self->control = make_control (self);
  gtk_box_append (self->slot, self->control);
  sl_widget_name_inner (GTK_WIDGET (self->slot));
  self->showing = FALSE;
  describe (self);
  sl_widget_label (GTK_WIDGET (self), sl_words (param->title));
  fit_sliders (self);
  if (self->scales->len == 0)
    move_revert (self);
  show (self);
  return self;
}

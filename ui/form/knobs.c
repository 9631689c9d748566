/* SPDX-License-Identifier: MIT */
#include "ui/form/knobs.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/run/base/language.h"
#include "ui/form/row.h"
#include "ui/form/setting.h"
#include "ui/help/popover.h"
#include "ui/kit/widget.h"

struct _SlKnobs
{
  GtkWidget parent_instance;

  GtkBox        *rows;
  GtkMenuButton *help;

  SlSession   *session;
  const SlLab *shown;
  unsigned     n, param[SL_FRONT_KNOBS];
  SlParamRow  *row[SL_FRONT_KNOBS];
};

G_DEFINE_FINAL_TYPE (SlKnobs, sl_knobs, GTK_TYPE_WIDGET)

static void update (SlKnobs *self);

static void
on_edited (SlParamRow *row, SlValue *value, gboolean final, SlKnobs *self)
{
  g_autoptr (GError) error = NULL;

  if (sl_setting_edit (self->session, self->shown, sl_param_row_get_param (row)->id, value, final,
                       &error))
    return;
  g_signal_emit_by_name (self, "refused", error->message);
  update (self);
}

/* One explanation for all: beside each row there is no room for its own. */
static void
explain (GtkMenuButton *button, gpointer data)
{
  SlKnobs *self = data;
  g_autoptr (GString) text = g_string_new (NULL);

  for (unsigned i = 0; i < self->n; i++)
    {
      const SlParam   *param = &self->shown->params[self->param[i]];
      g_autofree char *line = g_markup_printf_escaped (
        "%s<b>%s</b>: %s%s%s", i > 0 ? "\n" : "", sl_words (param->title), sl_words (param->help),
        param->effect == SL_RESTART ? " " : "",
        param->effect == SL_RESTART ? _ ("A change restarts the run.") : "");

      g_string_append (text, line);
    }
  sl_help_popover_describe (sl_help_popover_of (button), text->str, NULL, NULL,
                            self->n > 0 ? &self->shown->params[self->param[0]] : NULL);
}

static void
on_refused (SlParamRow *row, const char *sentence, SlKnobs *self)
{
  g_signal_emit_by_name (self, "refused", sentence);
}

/* The row of a setting, kept where it is shown already: it may have the focus. */
static SlParamRow *
row_of (SlKnobs *self, SlParamRow *const old[SL_FRONT_KNOBS], const SlParam *param,
        const SlValue *value)
{
  SlParamRow *row;

  for (unsigned i = 0; i < SL_FRONT_KNOBS; i++)
    if (old[i] != NULL && sl_param_row_get_param (old[i]) == param)
      return old[i];
  row = sl_param_row_new (param, value);
  sl_param_row_set_compact (row);
  g_signal_connect (row, "edited", G_CALLBACK (on_edited), self);
  g_signal_connect (row, "refused", G_CALLBACK (on_refused), self);
  gtk_box_append (self->rows, GTK_WIDGET (row));
  return row;
}

static gboolean
is_shown (SlKnobs *self, SlParamRow *row)
{
  for (unsigned i = 0; i < self->n; i++)
    if (self->row[i] == row)
      return TRUE;
  return FALSE;
}

/* Rows of settings without an effect give way to the next ones. */
static void
list_rows (SlKnobs *self, const SlLab *lab, const SlSettings *settings)
{
  unsigned    param[SL_FRONT_KNOBS];
  unsigned    n = sl_lab_front_knobs (lab, settings, sl_session_dataset (self->session), param);
  SlParamRow *old[SL_FRONT_KNOBS] = { NULL };

  if (lab == self->shown && n == self->n && memcmp (param, self->param, n * sizeof *param) == 0)
    return;
  memcpy (old, self->row, self->n * sizeof *old);
  self->shown = lab;
  self->n = n;
  for (unsigned i = 0; i < n; i++)
    {
      self->param[i] = param[i];
      self->row[i] = row_of (self, old, &lab->params[param[i]], &settings->value[param[i]]);
      gtk_box_reorder_child_after (self->rows, GTK_WIDGET (self->row[i]),
                                   i > 0 ? GTK_WIDGET (self->row[i - 1]) : NULL);
    }
  for (unsigned i = 0; i < SL_FRONT_KNOBS; i++)
    if (old[i] != NULL && !is_shown (self, old[i]))
      gtk_box_remove (self->rows, GTK_WIDGET (old[i]));
}

/* While a new run is on its way, the rows show the requested values. */
static void
update (SlKnobs *self)
{
  const SlLab *lab = sl_session_lab (self->session);
  SlSettings   defaults;

  if (lab == NULL || sl_session_is_loading (self->session))
    return;
  list_rows (self, lab, sl_session_settings (self->session));
  sl_settings_default (&defaults, lab->params, lab->n_params);
  for (unsigned i = 0; i < self->n; i++)
    {
      sl_param_row_show (self->row[i], lab->params, lab->n_params,
                         sl_session_settings (self->session), &defaults);
      sl_param_row_set_many (self->row[i], sl_dataset_fact (sl_session_dataset (self->session),
                                                            lab->params[self->param[i]].most));
    }
}

void
sl_knobs_set_session (SlKnobs *self, SlSession *session)
{
  g_return_if_fail (SL_IS_KNOBS (self));
  g_return_if_fail (session == NULL || SL_IS_SESSION (session));
  if (self->session != NULL)
    g_signal_handlers_disconnect_by_data (self->session, self);
  g_set_object (&self->session, session);
  if (session == NULL)
    return;
  g_signal_connect_swapped (session, "restarted", G_CALLBACK (update), self);
  g_signal_connect_swapped (session, "state", G_CALLBACK (update), self);
  update (self);
}

unsigned
sl_knobs_get_n (SlKnobs *self)
{
  g_return_val_if_fail (SL_IS_KNOBS (self), 0);
  return self->n;
}

static void
sl_knobs_dispose (GObject *object)
{
  sl_knobs_set_session (SL_KNOBS (object), NULL);
  sl_widget_dispose (object);
}

static void
sl_knobs_class_init (SlKnobsClass *klass)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = sl_knobs_dispose;
  sl_widget_class_set_template (widget, "form/knobs.ui");
  gtk_widget_class_bind_template_child (widget, SlKnobs, rows);
  gtk_widget_class_bind_template_child (widget, SlKnobs, help);
  gtk_widget_class_set_accessible_role (widget, GTK_ACCESSIBLE_ROLE_GROUP);
  sl_signal_new (SL_TYPE_KNOBS, "refused", 1, G_TYPE_STRING);
}

static void
sl_knobs_init (SlKnobs *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_menu_button_set_create_popup_func (self->help, explain, self, NULL);
}

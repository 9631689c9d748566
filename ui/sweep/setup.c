/* SPDX-License-Identifier: MIT
 *
 * What a sweep is set up as: fields to a sweep, the runs of it that are still to be made, and what
 * is filled in for the user.  */
#include <glib/gi18n.h>
#include <string.h>

#include "core/data/source/files.h"
#include "core/run/base/language.h"
#include "ui/kit/widget.h"
#include "ui/sweep/private.h"
#include "ui/sweep/values.h"

int
sl_sweep_bar_chosen (SlSweepBar *self, unsigned axis)
{
  guint at = gtk_drop_down_get_selected (self->param[axis]);

  return at == GTK_INVALID_LIST_POSITION ? -1 : (int) at - 1;
}

gboolean
sl_sweep_bar_read (SlSweepBar *self, SlSweep *sweep, GError **error)
{
  SlSweepHow how = (SlSweepHow) gtk_drop_down_get_selected (self->how);
  gboolean   fine = TRUE;

  sl_sweep_init (sweep, self->lab);
  sweep->settings = self->settings;
  if (self->hint != NULL
      && !sl_sweep_hint_settings (self->hint, self->lab, &sweep->settings, error))
    fine = FALSE;
  g_free (sweep->data);
  sweep->data = self->lab->data == SL_NEEDS_NOTHING ? NULL : g_strdup (self->data);
  sweep->budget = (SlBudget) { .steps = (uint64_t) gtk_spin_button_get_value (self->steps) };
  fine = fine
         && sl_sweep_set_sample (
           sweep, sl_sweep_how_id (how),
           how != SL_SWEEP_GRID ? (unsigned) gtk_spin_button_get_value_as_int (self->points) : 0, 1,
           error);
  for (unsigned axis = 0; axis < SL_SWEEP_BAR_AXES && fine; axis++)
    if (sl_sweep_bar_chosen (self, axis) >= 0)
      {
        g_autofree char *text = g_strdup_printf (
          "%s=%s", sl_sweep_axis_id (self->lab, (unsigned) sl_sweep_bar_chosen (self, axis)),
          gtk_editable_get_text (GTK_EDITABLE (self->values[axis])));

        fine = sl_sweep_add_axis (sweep, text, error);
      }
  fine = fine
         && sl_sweep_set_seeds (sweep, gtk_editable_get_text (GTK_EDITABLE (self->seeds)), error)
         && sl_sweep_check (sweep, error) && sl_sweep_check_reach (sweep, error);
  if (!fine)
    sl_sweep_clear (sweep);
  return fine;
}

char *
sl_sweep_bar_words (const SlSweep *sweep)
{
  GString         *text = g_string_new (NULL);
  g_autofree char *seeds = sl_sweep_seeds_text (sweep);

  for (unsigned a = 0; a < sweep->n_axes; a++)
    {
      g_autofree char *axis = sl_sweep_axis_text (sweep, a);

      g_string_append_printf (text, "%s %s, ",
                              sl_words (sl_sweep_axis_title (sweep->lab, sweep->axis[a].param)),
                              strchr (axis, '=') + 1);
    }
  if (sweep->how != SL_SWEEP_GRID)
    g_string_append_printf (text, ngettext ("%u point, ", "%u points, ", sweep->points),
                            sweep->points);
  /* Translators: the end of what a sweep is made of: "rank 5,10,20, seeds 1-3, 400 updates". */
  g_string_append_printf (text, _ ("seeds %s, %u updates"), seeds, (unsigned) sweep->budget.steps);
  return g_string_free (text, FALSE);
}

GArray *
sl_sweep_bar_jobs (SlSweepBar *self, const SlSweep *sweep, unsigned *there)
{
  GArray  *jobs = sl_sweep_expand (sweep);
  unsigned kept = 0;

  for (guint i = 0; i < jobs->len; i++)
    if (self->store == NULL
        || !self->is_made (g_array_index (jobs, SlSweepJob, i).id, self->made_data))
      g_array_index (jobs, SlSweepJob, kept++) = g_array_index (jobs, SlSweepJob, i);
  *there = jobs->len - kept;
  g_array_set_size (jobs, kept);
  return jobs;
}

/* Shows the settings of a suggestion beside its axes. */
static void
take_hint (SlSweepBar *self, const SlSweepHint *hint)
{
  gboolean sets = hint != NULL && hint->settings != NULL;
  /* Translators: settings of all runs of a sweep, as they are typed: "with method=gram". */
  g_autofree char *text = sets ? g_strdup_printf (_ ("with %s"), hint->settings) : NULL;

  self->hint = hint;
  gtk_label_set_label (self->with, sets ? text : "");
  gtk_widget_set_visible (GTK_WIDGET (self->with), sets);
}

static gboolean
is_drawn (SlSweepBar *self)
{
  return gtk_drop_down_get_selected (self->how) != SL_SWEEP_GRID;
}

/* Values to begin with: around that of now, or all presets; for drawn points between the least and the largest of
 * them.  */
static char *
values_of (SlSweepBar *self, unsigned param)
{
  g_autofree SlChoice *choices = NULL;
  SlParam              axis = sl_sweep_axis_param (self->lab, param, &choices);
  char                *values = sl_sweep_values (
                   &axis, param < sl_lab_n_settings (self->lab) ? &self->settings.value[param] : NULL);

  return is_drawn (self) ? sl_sweep_values_range (&axis, values) : values;
}

void
sl_sweep_bar_choose_how (SlSweepBar *self)
{
  if (self->filling || self->lab == NULL)
    return;
  gtk_widget_set_visible (GTK_WIDGET (self->points), is_drawn (self));
  self->filling = TRUE;
  for (unsigned axis = 0; axis < SL_SWEEP_BAR_AXES; axis++)
    {
      int              param = sl_sweep_bar_chosen (self, axis);
      g_autofree char *values = param >= 0 ? values_of (self, (unsigned) param) : g_strdup ("");

      gtk_editable_set_text (GTK_EDITABLE (self->values[axis]), values);
    }
  self->filling = FALSE;
  sl_sweep_bar_follow (self);
}

void
sl_sweep_bar_choose (SlSweepBar *self, GParamSpec *spec, GtkDropDown *which)
{
  if (self->filling || self->lab == NULL)
    return;
  take_hint (self, NULL);
  for (unsigned axis = 0; axis < SL_SWEEP_BAR_AXES; axis++)
    if (which == self->param[axis] && sl_sweep_bar_chosen (self, axis) >= 0)
      {
        g_autofree char *values = values_of (self, (unsigned) sl_sweep_bar_chosen (self, axis));

        self->filling = TRUE;
        gtk_editable_set_text (GTK_EDITABLE (self->values[axis]), values);
        self->filling = FALSE;
      }
  sl_sweep_bar_follow (self);
}

gboolean
sl_sweep_bar_suggest (SlSweepBar *self, const char *id)
{
  const SlSweepHint *hint;
  g_auto (GStrv) axes = NULL;

  g_return_val_if_fail (SL_IS_SWEEP_BAR (self) && id != NULL, FALSE);
  hint = self->lab != NULL ? sl_sweep_hint (self->lab, id) : NULL;
  if (hint == NULL || self->run != NULL)
    return FALSE;
  axes = g_strsplit (hint->axes, " ", SL_SWEEP_BAR_AXES);
  self->filling = TRUE;
  gtk_drop_down_set_selected (self->how, SL_SWEEP_GRID);
  gtk_widget_set_visible (GTK_WIDGET (self->points), FALSE);
  for (unsigned axis = 0, n = g_strv_length (axes); axis < SL_SWEEP_BAR_AXES; axis++)
    {
      char *equals = axis < n ? strchr (axes[axis], '=') : NULL;
      int   param = -1;

      if (equals != NULL)
        {
          *equals = '\0';
          param = sl_sweep_axis_find (self->lab, axes[axis]);
        }
      gtk_drop_down_set_selected (self->param[axis], (guint) (param + 1));
      gtk_editable_set_text (GTK_EDITABLE (self->values[axis]), param >= 0 ? equals + 1 : "");
    }
  gtk_editable_set_text (GTK_EDITABLE (self->seeds), hint->seeds);
  gtk_spin_button_set_value (self->steps, (double) hint->steps);
  self->filling = FALSE;
  take_hint (self, hint);
  sl_sweep_bar_follow (self);
  return TRUE;
}

void
sl_sweep_bar_show_subject (SlSweepBar *self)
{
  const char      *lab = sl_words (self->lab->title);
  g_autofree char *alone = g_strdup_printf (_ ("New sweep: %s"), lab);
  g_autofree char *path = NULL, *file = NULL, *text = NULL;
  const SlSource  *source;
  SlSettings       settings;
  SlStatus         status;

  if (self->lab->data == SL_NEEDS_NOTHING || self->data == NULL)
    {
      gtk_label_set_label (self->subject, alone);
      return;
    }
  status = sl_source_parse (self->data, &source, &settings, NULL);
  path = g_strdup (self->data);
  sl_source_cut_options (path);
  file = g_filename_display_basename (path);
  text = g_strdup_printf ("%s · %s", alone,
                          sl_ok (&status) && source != NULL ? sl_words (source->title) : file);
  gtk_label_set_label (self->subject, text);
}

/* "Rank 5,10,20, seeds 1-3, 400 updates · 9 runs, about 8 s" */
static char *
summary (SlSweepBar *self)
{
  const char      *estimate = gtk_label_get_label (self->estimate);
  g_autofree char *words = NULL;
  SlSweep          sweep;

  if (self->lab == NULL || !sl_sweep_bar_read (self, &sweep, NULL))
    return g_strdup ("");
  words = sl_sweep_bar_words (&sweep);
  sl_sweep_clear (&sweep);
  return g_strconcat (words, *estimate != '\0' ? " · " : "", estimate, NULL);
}

void
sl_sweep_bar_sum_up (SlSweepBar *self)
{
  g_autofree char *text = summary (self);

  gtk_label_set_label (self->summary, text);
}

/* A button for each suggestion of the lab. */
static void
list_suggestions (SlSweepBar *self)
{
  sl_box_clear (GTK_BOX (self->suggestions));
  gtk_widget_set_visible (self->suggested_word, sl_lab_n_sweeps (self->lab) > 0);
  for (unsigned i = 0; i < sl_lab_n_sweeps (self->lab); i++)
    {
      const SlSweepHint *hint = &self->lab->sweeps[i];

      gtk_box_append (
        GTK_BOX (self->suggestions),
        sl_button_for (sl_words (hint->title), sl_words (hint->help), "sweep.suggest", hint->id));
    }
}

/* Whether the model is the default of the lab, for which suggestions are made. */
static gboolean
has_usual_model (SlSweepBar *self)
{
  const SlLab *lab = self->lab;
  SlSettings   usual;

  sl_settings_default (&usual, lab->params, lab->n_params);
  sl_settings_settle (&usual, lab->params, lab->n_params);
  for (unsigned p = 0; p < lab->n_params; p++)
    if (lab->params[p].effect == SL_RESTART
        && !sl_value_same (&usual.value[p], &self->settings.value[p]))
      return FALSE;
  return TRUE;
}

/* Begins with the lab's first suggestion, else with values around those of now. */
void
sl_sweep_bar_fill (SlSweepBar *self)
{
  int first = sl_sweep_first_param (self->lab, &self->settings);

  list_suggestions (self);
  self->filling = TRUE;
  for (unsigned axis = 0; axis < SL_SWEEP_BAR_AXES; axis++)
    {
      g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);

      gtk_string_list_append (names, axis == 0 ? _ ("Nothing") : _ ("Nothing else"));
      for (unsigned p = 0; p < sl_lab_n_settings (self->lab) + (sl_lab_n_named (self->lab) > 0);
           p++)
        gtk_string_list_append (names, sl_words (sl_sweep_axis_title (self->lab, p)));
      gtk_drop_down_set_model (self->param[axis], G_LIST_MODEL (names));
      gtk_drop_down_set_selected (self->param[axis], axis == 0 ? (guint) (first + 1) : 0);
      gtk_editable_set_text (GTK_EDITABLE (self->values[axis]), "");
    }
  self->filling = FALSE;
  if (sl_lab_n_sweeps (self->lab) == 0 || !has_usual_model (self)
      || !sl_sweep_bar_suggest (self, self->lab->sweeps[0].id))
    sl_sweep_bar_choose (self, NULL, self->param[0]);
  sl_sweep_bar_take_place (self);
}

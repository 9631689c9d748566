/* SPDX-License-Identifier: MIT */
#include "ui/form/form.h"

#include <string.h>

#include "core/run/base/language.h"
#include "ui/form/strip.h"
#include "ui/kit/search.h"
#include "ui/kit/widget.h"

struct _SlParamForm
{
  GtkWidget parent_instance;

  const SlParam *params;
  unsigned       n_params;
  SlSettings     settings;               /* that are shown */
  unsigned       order[SL_PARAMS_MAX];   /* (n_params) group by group */
  SlParamRow    *row[SL_PARAMS_MAX];     /* NULL: not made */
  gboolean       shown[SL_PARAMS_MAX];   /* the row is, or will be */
  gboolean       idle[SL_PARAMS_MAX];    /* it has no effect with the data */
  double         many[SL_PARAMS_MAX];    /* of what it counts are in the data; 0: not known */
  gboolean       matters[SL_PARAMS_MAX]; /* it has an effect under the settings that are shown */
  GtkWidget     *heading[SL_PARAMS_MAX]; /* of the group that begins with this parameter, or NULL */
  guint          making;                 /* idle source that makes rows, or 0 */
  gboolean       brief, strip;
  GStrv          named, leading;          /* or NULL */
  GStrv          offered, hidden, locked; /* of a lesson, or NULL */
  GStrv          sought;                  /* words that are searched for, or NULL: no search */
};

G_DEFINE_FINAL_TYPE (SlParamForm, sl_param_form, GTK_TYPE_WIDGET)

/* Time for rows in one turn of the main loop. */
enum { SLICE_US = 8000 };

static void
on_edited (SlParamRow *row, SlValue *value, gboolean final, SlParamForm *self)
{
  g_signal_emit_by_name (self, "edited", sl_param_row_get_param (row)->id, value, final);
}

static void
on_refused (SlParamRow *row, const char *sentence, SlParamForm *self)
{
  g_signal_emit_by_name (self, "refused", sentence);
}

static gboolean
is_in (GStrv ids, const char *id)
{
  return ids != NULL && g_strv_contains ((const char *const *) ids, id);
}

/* True for the parameters that a brief form shows: those that lead, and those that a lesson names. */
static gboolean
stands_out (SlParamForm *self, unsigned i)
{
  return is_in (self->named, self->params[i].id) || is_in (self->leading, self->params[i].id);
}

/* What has no effect under these settings is hidden.  Lessons also leave out what they do not speak of. */
static gboolean
is_allowed (SlParamForm *self, unsigned i)
{
  if (!self->matters[i] || self->idle[i])
    return FALSE;
  if (self->strip && is_in (self->locked, self->params[i].id))
    return FALSE;
  return (self->offered == NULL || is_in (self->offered, self->params[i].id))
         && !is_in (self->hidden, self->params[i].id);
}

/* The word is in the title, the heading, the help or the name of a choice; an id is found as typed. */
static gboolean
has_word (const SlParam *param, const char *word)
{
  if (sl_search_has (param->title, word) || sl_search_has (param->group, word)
      || sl_search_has (param->help, word) || strstr (param->id, word) != NULL)
    return TRUE;
  for (unsigned i = 0; param->kind == SL_CHOICE && i < sl_param_offers (param); i++)
    if (sl_search_has (param->choices[i].title, word))
      return TRUE;
  return FALSE;
}

/* All words that are searched for are there. */
static gboolean
is_found (SlParamForm *self, unsigned i)
{
  for (char **word = self->sought; word != NULL && *word != NULL; word++)
    if (!has_word (&self->params[i], *word))
      return FALSE;
  return TRUE;
}

/* A heading is shown over at least one row. */
static gboolean
has_rows (SlParamForm *self, const char *group)
{
  for (unsigned i = 0; i < self->n_params; i++)
    if (strcmp (self->params[i].group, group) == 0 && is_allowed (self, i) && is_found (self, i))
      return TRUE;
  return FALSE;
}

static void make_rows_soon (SlParamForm *self);

static void
show_row (SlParamForm *self, unsigned i)
{
  if (self->row[i] == NULL)
    return;
  gtk_widget_set_visible (GTK_WIDGET (self->row[i]), self->shown[i]);
  sl_param_row_set_locked (self->row[i], is_in (self->locked, self->params[i].id));
}

/* Chooses the rows to show.  A lab in which no parameter stands out shows its first group.  `keep`:
 * rows that are shown stay, so that no row moves away under the pointer.  */
static void
choose_rows (SlParamForm *self, gboolean keep)
{
  gboolean any = FALSE;

  for (unsigned i = 0; i < self->n_params; i++)
    any = any || stands_out (self, i);
  for (unsigned i = 0; i < self->n_params; i++)
    {
      gboolean wanted
        = any ? stands_out (self, i) : strcmp (self->params[i].group, self->params[0].group) == 0;

      wanted = wanted || !self->brief || (keep && self->shown[i]);
      self->shown[i] = is_allowed (self, i) && (self->sought != NULL ? is_found (self, i) : wanted);
      show_row (self, i);
      if (self->heading[i] != NULL)
        gtk_widget_set_visible (self->heading[i],
                                !self->brief && has_rows (self, self->params[i].group));
    }
  make_rows_soon (self);
}

unsigned
sl_param_form_set_search (SlParamForm *self, const char *text)
{
  g_autofree char *lower = g_utf8_casefold (text, -1);
  unsigned         found = 0;

  g_return_val_if_fail (SL_IS_PARAM_FORM (self), 0);
  g_strstrip (lower);
  g_strfreev (self->sought);
  self->sought = *lower != '\0' ? g_strsplit (lower, " ", -1) : NULL;
  choose_rows (self, FALSE);
  for (unsigned i = 0; i < self->n_params; i++)
    found += self->shown[i];
  return found;
}

void
sl_param_form_set_brief (SlParamForm *self, gboolean brief)
{
  g_return_if_fail (SL_IS_PARAM_FORM (self));
  self->brief = brief;
  choose_rows (self, FALSE);
}

static void
stack_rows (SlParamForm *self)
{
  GtkLayoutManager *layout = gtk_box_layout_new (GTK_ORIENTATION_VERTICAL);

  gtk_box_layout_set_spacing (GTK_BOX_LAYOUT (layout), 6);
  gtk_widget_set_layout_manager (GTK_WIDGET (self), layout);
}

void
sl_param_form_set_strip (SlParamForm *self, gboolean strip)
{
  g_return_if_fail (SL_IS_PARAM_FORM (self));
  if (strip == self->strip)
    return;
  self->strip = strip;
  if (strip)
    gtk_widget_set_layout_manager (GTK_WIDGET (self), sl_strip_layout_new ());
  else
    stack_rows (self);
  choose_rows (self, FALSE);
}

static void
copy_ids (GStrv *to, const char *const *ids)
{
  g_strfreev (*to);
  *to = g_strdupv ((GStrv) ids);
}

void
sl_param_form_set_named (SlParamForm *self, const char *const *ids)
{
  g_return_if_fail (SL_IS_PARAM_FORM (self));
  copy_ids (&self->named, ids);
  choose_rows (self, FALSE);
}

void
sl_param_form_set_leading (SlParamForm *self, const char *const *ids)
{
  g_return_if_fail (SL_IS_PARAM_FORM (self));
  if (self->leading != NULL && ids != NULL
      && g_strv_equal ((const char *const *) self->leading, ids))
    return;
  copy_ids (&self->leading, ids);
  choose_rows (self, FALSE);
}

void
sl_param_form_set_rules (SlParamForm *self, const char *const *offered, const char *const *hidden,
                         const char *const *locked)
{
  g_return_if_fail (SL_IS_PARAM_FORM (self));
  copy_ids (&self->offered, offered);
  copy_ids (&self->hidden, hidden);
  copy_ids (&self->locked, locked);
  choose_rows (self, FALSE);
}

static void
show_value (SlParamForm *self, unsigned i, const SlSettings *defaults)
{
  if (self->row[i] == NULL)
    return;
  sl_param_row_show (self->row[i], self->params, self->n_params, &self->settings, defaults);
  sl_param_row_set_many (self->row[i], self->many[i]);
}

void
sl_param_form_show (SlParamForm *self, const SlSettings *settings)
{
  SlSettings defaults;

  g_return_if_fail (SL_IS_PARAM_FORM (self));
  self->settings = *settings;
  sl_settings_default (&defaults, self->params, self->n_params);
  for (unsigned i = 0; i < self->n_params; i++)
    {
      show_value (self, i, &defaults);
      self->matters[i] = sl_param_matters (settings, self->params, self->n_params, i);
    }
  choose_rows (self, TRUE);
}

void
sl_param_form_set_data (SlParamForm *self, const SlDataset *dataset)
{
  gboolean changed = FALSE;

  g_return_if_fail (SL_IS_PARAM_FORM (self));
  for (unsigned i = 0; i < self->n_params; i++)
    {
      gboolean idle = !sl_dataset_has (dataset, self->params[i].needs);

      changed = changed || idle != self->idle[i];
      self->idle[i] = idle;
      self->many[i] = sl_dataset_fact (dataset, self->params[i].most);
      if (self->row[i] != NULL)
        sl_param_row_set_many (self->row[i], self->many[i]);
    }
  if (changed)
    choose_rows (self, TRUE);
}

static void
clear (SlParamForm *self)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  self->n_params = 0;
  memset (self->row, 0, sizeof self->row);
  memset (self->heading, 0, sizeof self->heading);
  memset (self->shown, 0, sizeof self->shown);
  memset (self->idle, 0, sizeof self->idle);
  memset (self->many, 0, sizeof self->many);
}

/* ---- rows, which are made when they are shown or asked for ---- */

static void
add_heading (SlParamForm *self, unsigned first)
{
  const char *group = self->params[first].group;
  GtkWidget *heading = g_object_new (GTK_TYPE_LABEL, "accessible-role", GTK_ACCESSIBLE_ROLE_HEADING,
                                     "label", sl_words (group), "xalign", 0.0, NULL);

  gtk_widget_add_css_class (heading, "heading");
  gtk_widget_add_css_class (heading, "form-heading");
  gtk_widget_set_parent (heading, GTK_WIDGET (self));
  self->heading[first] = heading;
}

/* The row or heading that the row at a place of the order is to follow, or NULL. */
static GtkWidget *
find_before (SlParamForm *self, unsigned place)
{
  GtkWidget *heading = self->heading[self->order[place]];

  for (; heading == NULL && place-- > 0; heading = self->heading[self->order[place]])
    if (self->row[self->order[place]] != NULL)
      return GTK_WIDGET (self->row[self->order[place]]);
  return heading;
}

static void
make_row (SlParamForm *self, unsigned place)
{
  unsigned    i = self->order[place];
  SlParamRow *row = sl_param_row_new (&self->params[i], &self->settings.value[i]);
  SlSettings  defaults;

  g_signal_connect (row, "edited", G_CALLBACK (on_edited), self);
  g_signal_connect (row, "refused", G_CALLBACK (on_refused), self);
  self->row[i] = row;
  show_row (self, i);
  sl_settings_default (&defaults, self->params, self->n_params);
  show_value (self, i, &defaults);
  gtk_widget_insert_after (GTK_WIDGET (row), GTK_WIDGET (self), find_before (self, place));
}

static gboolean
on_making (gpointer data)
{
  SlParamForm *self = data;
  gint64       end = g_get_monotonic_time () + SLICE_US;

  for (unsigned place = 0; place < self->n_params; place++)
    {
      unsigned i = self->order[place];

      if (!self->shown[i] || self->row[i] != NULL)
        continue;
      if (g_get_monotonic_time () > end)
        return G_SOURCE_CONTINUE;
      make_row (self, place);
    }
  self->making = 0;
  return G_SOURCE_REMOVE;
}

/* The window answers between slices.  A form that is not in sight makes none. */
static void
make_rows_soon (SlParamForm *self)
{
  if (self->making == 0 && gtk_widget_get_mapped (GTK_WIDGET (self)))
    self->making = g_idle_add (on_making, self);
}

static void
sl_param_form_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (sl_param_form_parent_class)->map (widget);
  make_rows_soon (SL_PARAM_FORM (widget));
}

static void
sl_param_form_unmap (GtkWidget *widget)
{
  g_clear_handle_id (&SL_PARAM_FORM (widget)->making, g_source_remove);
  GTK_WIDGET_CLASS (sl_param_form_parent_class)->unmap (widget);
}

SlParamRow *
sl_param_form_row (SlParamForm *self, const char *id)
{
  g_return_val_if_fail (SL_IS_PARAM_FORM (self), NULL);

  int i = sl_param_find (self->params, self->n_params, id);

  for (unsigned place = 0; i >= 0 && self->row[i] == NULL; place++)
    if (self->order[place] == (unsigned) i)
      make_row (self, place);
  return i < 0 ? NULL : self->row[i];
}

gboolean
sl_param_form_has_row (SlParamForm *self, const char *id)
{
  g_return_val_if_fail (SL_IS_PARAM_FORM (self), FALSE);

  int i = sl_param_find (self->params, self->n_params, id);

  return i >= 0 && self->row[i] != NULL;
}

/* True for the first parameter of its group. */
static gboolean
leads (const SlParam *params, unsigned i)
{
  for (unsigned j = 0; j < i; j++)
    if (strcmp (params[j].group, params[i].group) == 0)
      return FALSE;
  return TRUE;
}

/* True for several groups.  One alone needs no heading: the title of the form is above it. */
static gboolean
has_groups (const SlParam *params, unsigned n_params)
{
  for (unsigned i = 1; i < n_params; i++)
    if (leads (params, i))
      return TRUE;
  return FALSE;
}

void
sl_param_form_build (SlParamForm *self, const SlParam *params, unsigned n_params,
                     const SlSettings *settings)
{
  unsigned n = 0;

  g_return_if_fail (SL_IS_PARAM_FORM (self));
  clear (self);
  self->params = params;
  self->n_params = n_params;
  for (unsigned first = 0; first < n_params; first++)
    {
      if (!leads (params, first))
        continue;
      if (*params[first].group != '\0' && has_groups (params, n_params))
        add_heading (self, first);
      for (unsigned i = first; i < n_params; i++)
        if (strcmp (params[i].group, params[first].group) == 0)
          self->order[n++] = i;
    }
  sl_param_form_show (self, settings);
}

static void
sl_param_form_dispose (GObject *object)
{
  g_clear_handle_id (&SL_PARAM_FORM (object)->making, g_source_remove);
  clear (SL_PARAM_FORM (object));
  G_OBJECT_CLASS (sl_param_form_parent_class)->dispose (object);
}

static void
sl_param_form_finalize (GObject *object)
{
  g_strfreev (SL_PARAM_FORM (object)->named);
  g_strfreev (SL_PARAM_FORM (object)->sought);
  g_strfreev (SL_PARAM_FORM (object)->leading);
  g_strfreev (SL_PARAM_FORM (object)->offered);
  g_strfreev (SL_PARAM_FORM (object)->hidden);
  g_strfreev (SL_PARAM_FORM (object)->locked);
  G_OBJECT_CLASS (sl_param_form_parent_class)->finalize (object);
}

static void
sl_param_form_class_init (SlParamFormClass *klass)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = sl_param_form_dispose;
  G_OBJECT_CLASS (klass)->finalize = sl_param_form_finalize;
  widget->map = sl_param_form_map;
  widget->unmap = sl_param_form_unmap;
  gtk_widget_class_set_accessible_role (widget, GTK_ACCESSIBLE_ROLE_GROUP);
  sl_signal_new (SL_TYPE_PARAM_FORM, "edited", 3, G_TYPE_STRING, G_TYPE_POINTER, G_TYPE_BOOLEAN);
  sl_signal_new (SL_TYPE_PARAM_FORM, "refused", 1, G_TYPE_STRING);
}

static void
sl_param_form_init (SlParamForm *self)
{
  stack_rows (self);
}

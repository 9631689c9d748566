/* SPDX-License-Identifier: MIT */
#include "ui/form/sidebar.h"

#include <glib/gi18n.h>

#include "core/run/base/language.h"
#include "core/run/record/data.h"
#include "ui/form/preset-row.h"
#include "ui/form/run-group.h"
#include "ui/form/setting.h"
#include "ui/kit/widget.h"

struct _SlSidebar
{
  GtkWidget parent_instance;

  GtkWidget      *content;
  GtkCheckButton *all;
  GtkWidget      *sweeps;   /* a button for each that the lab suggests */
  GtkWidget      *settings; /* the parts above the form */
  SlPresetRow    *presets;
  SlParamForm    *form;
  GtkWidget      *place; /* of the form, while it is here */
  SlDataGroup    *data;
  SlRunGroup     *run;
  GtkEditable    *search;
  GtkWidget      *nothing; /* says that nothing was found */

  SlSession   *session;
  const SlLab *shown;  /* the lab of the form */
  const SlLab *listed; /* the lab of the sweeps */
  gboolean     brief, taught;
};

G_DEFINE_FINAL_TYPE (SlSidebar, sl_sidebar, GTK_TYPE_WIDGET)

static void
list_sweeps (SlSidebar *self, const SlLab *lab)
{
  sl_box_clear (GTK_BOX (self->sweeps));
  for (unsigned i = 0; i < sl_lab_n_sweeps (lab); i++)
    gtk_box_append (GTK_BOX (self->sweeps),
                    sl_button_for (sl_words (lab->sweeps[i].title), sl_words (lab->sweeps[i].help),
                                   "win.sweep", lab->sweeps[i].id));
}

/* What a brief sidebar shows: the settings of the front page, and those that dragging a mark in a plot moves, too. */
static void
name_leading (SlSidebar *self, const SlLab *lab)
{
  const char *ids[SL_PANELS_MAX + SL_FRONT_KNOBS + 1] = { NULL };
  unsigned    knobs[SL_FRONT_KNOBS], n = 0;
  unsigned    n_knobs = sl_lab_front_knobs (lab, sl_session_settings (self->session),
                                            sl_session_dataset (self->session), knobs);

  for (unsigned i = 0; i < n_knobs; i++)
    ids[n++] = lab->params[knobs[i]].id;
  for (unsigned p = 0; p < lab->n_panels; p++)
    if (lab->panels[p].drags != NULL)
      ids[n++] = lab->panels[p].drags;
  sl_param_form_set_leading (self->form, ids);
}

static void show_parts (SlSidebar *self);

/* All but the form, which knows itself when it is seen. */
static void
fill (SlSidebar *self)
{
  const SlLab      *lab = sl_session_lab (self->session);
  const SlSettings *settings = sl_session_settings (self->session);
  const SlDataset  *dataset = sl_session_dataset (self->session);
  const char       *spec = lab->data != SL_NEEDS_NOTHING ? sl_session_spec (self->session) : NULL;
  g_autofree char  *note = sl_data_note (lab, settings, dataset);

  if (lab != self->listed)
    {
      self->listed = lab;
      list_sweeps (self, lab);
      show_parts (self);
    }
  sl_preset_row_show (self->presets, lab, settings);
  sl_data_group_set_needs (self->data, lab->data);
  sl_data_group_show (self->data, spec, dataset, note);
  sl_run_group_show (self->run, sl_session_seed (self->session),
                     sl_session_info (self->session)->limit);
}

static gboolean
can_show (SlSidebar *self)
{
  return self->session != NULL && sl_session_lab (self->session) != NULL
         && !sl_session_is_loading (self->session);
}

/* While a new run is on its way, the form shows the requested values; when the run cannot be made,
 * it shows those of the run that goes on.  */
static void
sl_sidebar_update (SlSidebar *self)
{
  const SlLab *lab = sl_session_lab (self->session);

  if (!can_show (self))
    return;
  if (lab != self->shown)
    {
      self->shown = lab;
      gtk_editable_set_text (self->search, "");
      show_parts (self);
      sl_param_form_build (self->form, lab->params, lab->n_params,
                           sl_session_settings (self->session));
    }
  else
    sl_param_form_show (self->form, sl_session_settings (self->session));
  sl_param_form_set_data (self->form, sl_session_dataset (self->session));
  name_leading (self, lab);
  if (gtk_widget_get_mapped (GTK_WIDGET (self)))
    fill (self);
}

/* What is not in sight is not even measured. */
static void
sl_sidebar_map (GtkWidget *widget)
{
  SlSidebar *self = SL_SIDEBAR (widget);

  gtk_widget_set_visible (self->content, TRUE);
  if (can_show (self))
    fill (self);
  GTK_WIDGET_CLASS (sl_sidebar_parent_class)->map (widget);
}

static void
sl_sidebar_unmap (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (sl_sidebar_parent_class)->unmap (widget);
  gtk_widget_set_visible (SL_SIDEBAR (widget)->content, FALSE);
}

static void
on_edited (SlSidebar *self, const char *id, SlValue *value, gboolean final)
{
  g_autoptr (GError) error = NULL;

  if (!sl_setting_edit (self->session, self->shown, id, value, final, &error))
    {
      g_signal_emit_by_name (self, "refused", error->message);
      sl_sidebar_update (self);
    }
}

static void
on_refused (SlSidebar *self, const char *sentence)
{
  g_signal_emit_by_name (self, "refused", sentence);
}

static void
on_data (SlSidebar *self, const char *spec)
{
  gtk_widget_activate_action (GTK_WIDGET (self), "win.data", "s", spec);
}

static void
on_seeded (SlSidebar *self, guint64 seed)
{
  gtk_widget_activate_action (GTK_WIDGET (self), "win.seed", "t", seed);
}

static void
on_limited (SlSidebar *self, guint64 step)
{
  gtk_widget_activate_action (GTK_WIDGET (self), "win.limit", "t", step);
}

static void
on_search (SlSidebar *self)
{
  unsigned found = sl_param_form_set_search (self->form, gtk_editable_get_text (self->search));

  gtk_widget_set_visible (self->nothing, found == 0);
}

static void
on_search_left (SlSidebar *self)
{
  gtk_editable_set_text (self->search, "");
  on_search (self);
}

static void
show_parts (SlSidebar *self)
{
  gboolean brief = self->brief && !gtk_check_button_get_active (self->all);
  gboolean few = brief || self->taught;
  gboolean there = self->shown != NULL; /* a run that can be changed */

  gtk_widget_set_visible (GTK_WIDGET (self->form), there);
  gtk_widget_set_visible (self->settings, there && !few);
  gtk_widget_set_visible (self->sweeps,
                          there && !few && gtk_widget_get_first_child (self->sweeps) != NULL);
  gtk_widget_set_visible (GTK_WIDGET (self->data), there && !few);
  gtk_widget_set_visible (GTK_WIDGET (self->run), there && !few);
  gtk_widget_set_visible (GTK_WIDGET (self->all), self->brief);
  sl_param_form_set_brief (self->form, brief);
}

void
sl_sidebar_set_session (SlSidebar *self, SlSession *session)
{
  g_return_if_fail (SL_IS_SIDEBAR (self));
  g_return_if_fail (session == NULL || SL_IS_SESSION (session));
  if (self->session != NULL)
    g_signal_handlers_disconnect_by_data (self->session, self);
  g_set_object (&self->session, session);
  /* Two runs side by side have the same form. */
  if (session == NULL || sl_session_lab (session) != self->shown)
    self->shown = NULL;
  show_parts (self);
  if (session == NULL)
    return;
  g_signal_connect_swapped (session, "restarted", G_CALLBACK (sl_sidebar_update), self);
  g_signal_connect_swapped (session, "state", G_CALLBACK (sl_sidebar_update), self);
  g_signal_connect_swapped (session, "progress", G_CALLBACK (sl_sidebar_update), self);
  sl_sidebar_update (self);
}

void
sl_sidebar_set_brief (SlSidebar *self, gboolean brief)
{
  g_return_if_fail (SL_IS_SIDEBAR (self));
  self->brief = brief;
  gtk_check_button_set_active (self->all, FALSE);
  show_parts (self);
}

void
sl_sidebar_set_taught (SlSidebar *self, gboolean taught)
{
  g_return_if_fail (SL_IS_SIDEBAR (self));
  if (self->taught == taught)
    return;
  self->taught = taught;
  show_parts (self);
}

gboolean
sl_sidebar_lend_form (SlSidebar *self, GtkBox *to)
{
  GtkWidget *form, *place;

  g_return_val_if_fail (SL_IS_SIDEBAR (self), FALSE);
  form = GTK_WIDGET (self->form);
  place = to != NULL ? GTK_WIDGET (to) : self->place;
  if (gtk_widget_get_parent (form) == place)
    return FALSE;
  g_object_ref (form);
  gtk_box_remove (GTK_BOX (gtk_widget_get_parent (form)), form);
  gtk_box_append (GTK_BOX (place), form);
  g_object_unref (form);
  sl_param_form_set_strip (self->form, to != NULL);
  /* Type is larger before an audience, and the toolkit keeps sizes of what was measured and has got no place since. */
  self->shown = NULL;
  if (self->session != NULL)
    sl_sidebar_update (self);
  return TRUE;
}

SlParamForm *
sl_sidebar_get_form (SlSidebar *self)
{
  g_return_val_if_fail (SL_IS_SIDEBAR (self), NULL);
  return self->form;
}

SlDataGroup *
sl_sidebar_get_data (SlSidebar *self)
{
  g_return_val_if_fail (SL_IS_SIDEBAR (self), NULL);
  if (can_show (self))
    fill (self);
  return self->data;
}

static void
sl_sidebar_dispose (GObject *object)
{
  sl_sidebar_set_session (SL_SIDEBAR (object), NULL);
  sl_widget_dispose (object);
}

static void
sl_sidebar_class_init (SlSidebarClass *klass)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = sl_sidebar_dispose;
  widget->map = sl_sidebar_map;
  widget->unmap = sl_sidebar_unmap;
  g_type_ensure (SL_TYPE_PARAM_FORM);
  g_type_ensure (SL_TYPE_DATA_GROUP);
  g_type_ensure (SL_TYPE_PRESET_ROW);
  g_type_ensure (SL_TYPE_RUN_GROUP);
  sl_widget_class_set_template (widget, "form/sidebar.ui");
  sl_widget_class_bind_children (
    widget, SL_CHILD (SlSidebar, content), SL_CHILD (SlSidebar, all), SL_CHILD (SlSidebar, sweeps),
    SL_CHILD (SlSidebar, settings), SL_CHILD (SlSidebar, presets), SL_CHILD (SlSidebar, form),
    SL_CHILD (SlSidebar, place), SL_CHILD (SlSidebar, data), SL_CHILD (SlSidebar, run),
    SL_CHILD (SlSidebar, search), SL_CHILD (SlSidebar, nothing), NULL);
  sl_widget_class_bind_callbacks (widget, SL_CALLBACK (on_edited), SL_CALLBACK (on_refused),
                                  SL_CALLBACK (on_data), SL_CALLBACK (on_seeded),
                                  SL_CALLBACK (on_limited), SL_CALLBACK (show_parts),
                                  SL_CALLBACK (on_search), SL_CALLBACK (on_search_left), NULL);
  sl_signal_new (SL_TYPE_SIDEBAR, "refused", 1, G_TYPE_STRING);
}

static void
sl_sidebar_init (SlSidebar *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

/* SPDX-License-Identifier: MIT */
#include "ui/runs/table/group-chooser.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/run/base/language.h"
#include "core/run/query/group.h"
#include "ui/kit/search.h"
#include "ui/kit/widget.h"
#include "ui/runs/list/item.h"

struct _SlRunGroupChooser
{
  GtkWidget parent_instance;

  GtkMenuButton  *button;
  GtkLabel       *chosen;
  GtkSearchEntry *search;
  GtkListBox     *names;
  GListModel     *runs;
  char           *name;  /* NULL: no groups */
  char          **words; /* that are searched, or NULL */
};

G_DEFINE_FINAL_TYPE (SlRunGroupChooser, sl_run_group_chooser, GTK_TYPE_WIDGET)

/* Facts that groups can be made of: others are of one run, or numbers that are measured. */
static const struct
{
  const char *id, *title;
} facts[] = { { SL_FIELD_SETTING, N_ ("All settings, seeds together") },
              { "lab", N_ ("Lab") },
              { "data", N_ ("Data") },
              { "seed", N_ ("Seed") },
              { "status", N_ ("State") },
              { "tag", N_ ("Tags") },
              { "sweep", N_ ("Sweep") },
              { "pinned", N_ ("Pinned") },
              { "threads", N_ ("Threads") },
              { "kernel", N_ ("Kernel") } };

static const char *
title_of (const char *name)
{
  const SlParam *param;
  SlField        field;

  for (unsigned f = 0; f < G_N_ELEMENTS (facts); f++)
    if (g_str_equal (name, facts[f].id))
      return _ (facts[f].title);
  param = sl_field_find (name, NULL, &field) ? sl_field_param (&field) : NULL;
  return param != NULL ? sl_words (param->title) : "";
}

/* ---- the list ---- */

/* Sections, each with a heading. */
enum { NONE, DIFFERS, FACT, OTHER };

static const char *const headings[]
  = { NULL, N_ ("Differs among these runs"), N_ ("Of every run"), N_ ("Other settings") };

/* The title in the user's language, and the name by which filters and the command line know it. */
static void
add_row (SlRunGroupChooser *self, const char *name, const char *title, int section)
{
  GtkWidget *row = gtk_list_box_row_new (), *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *words = gtk_label_new (title), *label = gtk_label_new (name);

  gtk_label_set_ellipsize (GTK_LABEL (words), PANGO_ELLIPSIZE_END);
  gtk_label_set_xalign (GTK_LABEL (words), 0.0f);
  gtk_widget_set_hexpand (words, TRUE);
  sl_label_tell_when_cut (GTK_LABEL (words));
  gtk_widget_add_css_class (label, "dim-label");
  gtk_box_append (GTK_BOX (box), words);
  gtk_box_append (GTK_BOX (box), label);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  g_object_set_data_full (G_OBJECT (row), "name", g_strdup (name), g_free);
  g_object_set_data_full (G_OBJECT (row), "title", g_strdup (title), g_free);
  g_object_set_data (G_OBJECT (row), "section", GINT_TO_POINTER (section));
  gtk_list_box_append (self->names, row);
  if (g_strcmp0 (name, sl_given (self->name)) == 0)
    gtk_list_box_select_row (self->names, GTK_LIST_BOX_ROW (row));
}

/* Once in the list. */
static void
add_name (SlRunGroupChooser *self, GHashTable *seen, const char *name, int section)
{
  if (g_hash_table_add (seen, g_strdup (name)))
    add_row (self, name, title_of (name), section);
}

static GPtrArray *
runs_of (SlRunGroupChooser *self)
{
  GPtrArray *runs = g_ptr_array_new ();
  guint      n = self->runs != NULL ? g_list_model_get_n_items (self->runs) : 0;

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (SlRunItem) item = g_list_model_get_item (self->runs, i);

      g_ptr_array_add (runs, (gpointer) sl_run_item_run (item));
    }
  return runs;
}

/* The settings that their labs have. */
static void
add_settings (SlRunGroupChooser *self, GHashTable *seen, const GPtrArray *runs)
{
  g_autoptr (GHashTable) labs = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < runs->len; i++)
    {
      const SlLab *lab = ((const SlStoreRun *) g_ptr_array_index (runs, i))->lab;

      if (lab == NULL || !g_hash_table_add (labs, (gpointer) lab))
        continue;
      for (unsigned p = 0; p < sl_lab_n_settings (lab); p++)
        add_name (self, seen, lab->params[p].id, OTHER);
    }
}

static void
fill (SlRunGroupChooser *self)
{
  g_autoptr (GPtrArray) runs = runs_of (self), differ = sl_run_differences (runs);
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  GtkListBoxRow *row;

  while ((row = gtk_list_box_get_row_at_index (self->names, 0)) != NULL)
    gtk_list_box_remove (self->names, GTK_WIDGET (row));
  add_row (self, "", _ ("No groups"), NONE);
  add_name (self, seen, SL_FIELD_SETTING, NONE);
  for (guint i = 0; i < differ->len; i++)
    add_name (self, seen, g_ptr_array_index (differ, i), DIFFERS);
  for (unsigned f = 0; f < G_N_ELEMENTS (facts); f++)
    add_name (self, seen, facts[f].id, FACT);
  add_settings (self, seen, runs);
}

static int
section_of (GtkListBoxRow *row)
{
  return row != NULL ? GPOINTER_TO_INT (g_object_get_data (G_OBJECT (row), "section")) : NONE;
}

static void
head (GtkListBoxRow *row, GtkListBoxRow *before, gpointer data)
{
  const char *heading = headings[section_of (row)];
  GtkWidget  *label;

  if (heading == NULL || section_of (before) == section_of (row))
    {
      gtk_list_box_row_set_header (row, NULL);
      return;
    }
  label = gtk_label_new (_ (heading));
  gtk_label_set_xalign (GTK_LABEL (label), 0.0f);
  gtk_widget_add_css_class (label, "caption-heading");
  gtk_widget_add_css_class (label, "dim-label");
  gtk_widget_add_css_class (label, "group-section");
  gtk_list_box_row_set_header (row, label);
}

/* All words are in its name or its title. */
static gboolean
is_found (GtkListBoxRow *row, gpointer data)
{
  SlRunGroupChooser *self = data;
  const char        *name = g_object_get_data (G_OBJECT (row), "name");
  const char        *title = g_object_get_data (G_OBJECT (row), "title");

  for (char **word = self->words; word != NULL && *word != NULL; word++)
    if (!sl_search_has (name, *word) && !sl_search_has (title, *word))
      return FALSE;
  return TRUE;
}

static void
on_search (SlRunGroupChooser *self)
{
  g_strfreev (self->words);
  self->words = sl_search_words (self->search);
  gtk_list_box_invalidate_filter (self->names);
}

static void
choose (SlRunGroupChooser *self, GtkListBoxRow *row)
{
  gtk_menu_button_popdown (self->button);
  sl_run_group_chooser_set (self, g_object_get_data (G_OBJECT (row), "name"));
}

static void
on_row (SlRunGroupChooser *self, GtkListBoxRow *row)
{
  choose (self, row);
}

/* Return takes what is called as the words are, else the first that is found. */
static void
on_enter (SlRunGroupChooser *self)
{
  const char    *typed = gtk_editable_get_text (GTK_EDITABLE (self->search));
  GtkListBoxRow *row, *found = NULL;

  for (int i = 0; (row = gtk_list_box_get_row_at_index (self->names, i)) != NULL; i++)
    if (g_str_equal (g_object_get_data (G_OBJECT (row), "name"), typed))
      found = row;
    else if (found == NULL && is_found (row, self))
      found = row;
  if (found != NULL)
    choose (self, found);
}

/* Fills the list when it opens, as finding what differs among many thousand runs takes a moment. */
static void
on_popup (GtkMenuButton *button, gpointer data)
{
  SlRunGroupChooser *self = data;

  gtk_editable_set_text (GTK_EDITABLE (self->search), "");
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "group.fold-all", self->name != NULL);
  fill (self);
}

/* ---- the button ---- */

static void
show_chosen (SlRunGroupChooser *self)
{
  gtk_label_set_label (self->chosen, sl_given (self->name));
  gtk_widget_set_visible (GTK_WIDGET (self->chosen),
                          self->name != NULL && !g_str_equal (self->name, SL_FIELD_SETTING));
}

void
sl_run_group_chooser_set (SlRunGroupChooser *self, const char *name)
{
  SlField field;

  g_return_if_fail (SL_IS_RUN_GROUP_CHOOSER (self));
  if (name != NULL && (name[0] == '\0' || !sl_field_find (name, NULL, &field)))
    name = NULL;
  if (g_strcmp0 (name, self->name) == 0)
    return;
  g_free (self->name);
  self->name = g_strdup (name);
  show_chosen (self);
  g_signal_emit_by_name (self, "changed");
}

const char *
sl_run_group_chooser_get (SlRunGroupChooser *self)
{
  g_return_val_if_fail (SL_IS_RUN_GROUP_CHOOSER (self), NULL);
  return self->name;
}

void
sl_run_group_chooser_set_runs (SlRunGroupChooser *self, GListModel *runs)
{
  g_return_if_fail (SL_IS_RUN_GROUP_CHOOSER (self));
  g_set_object (&self->runs, runs);
}

static void
on_fold_all (GtkWidget *widget, const char *name, GVariant *folded)
{
  gtk_menu_button_popdown (SL_RUN_GROUP_CHOOSER (widget)->button);
  g_signal_emit_by_name (widget, "fold", g_variant_get_boolean (folded));
}

static void
sl_run_group_chooser_dispose (GObject *object)
{
  SlRunGroupChooser *self = SL_RUN_GROUP_CHOOSER (object);

  g_clear_object (&self->runs);
  g_clear_pointer (&self->name, g_free);
  g_clear_pointer (&self->words, g_strfreev);
  sl_widget_dispose (object);
}

static void
sl_run_group_chooser_class_init (SlRunGroupChooserClass *klass)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = sl_run_group_chooser_dispose;
  sl_signal_new (SL_TYPE_RUN_GROUP_CHOOSER, "changed", 0);
  sl_signal_new (SL_TYPE_RUN_GROUP_CHOOSER, "fold", 1, G_TYPE_BOOLEAN);
  gtk_widget_class_install_action (widget, "group.fold-all", "b", on_fold_all);
  gtk_widget_class_set_layout_manager_type (widget, GTK_TYPE_BIN_LAYOUT);
  sl_widget_class_set_template (widget, "runs/table/group-chooser.ui");
  sl_widget_class_bind_children (
    widget, SL_CHILD (SlRunGroupChooser, button), SL_CHILD (SlRunGroupChooser, chosen),
    SL_CHILD (SlRunGroupChooser, search), SL_CHILD (SlRunGroupChooser, names), NULL);
  sl_widget_class_bind_callbacks (widget, SL_CALLBACK (on_search), SL_CALLBACK (on_enter),
                                  SL_CALLBACK (on_row), NULL);
}

static void
sl_run_group_chooser_init (SlRunGroupChooser *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->name = g_strdup (SL_FIELD_SETTING);
  gtk_list_box_set_header_func (self->names, head, NULL, NULL);
  gtk_list_box_set_filter_func (self->names, is_found, self, NULL);
  sl_search_show_none (self->names);
  gtk_menu_button_set_create_popup_func (self->button, on_popup, self, NULL);
  show_chosen (self);
}

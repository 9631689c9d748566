/* SPDX-License-Identifier: MIT */
#include "ui/form/run-group.h"

#include <glib/gi18n.h>
#include <inttypes.h>

#include "ui/kit/field.h"
#include "ui/kit/widget.h"

struct _SlRunGroup
{
  GtkWidget parent_instance;

  GtkEntry *seed, *limit;
  uint64_t  shown_seed, shown_limit;
};

G_DEFINE_FINAL_TYPE (SlRunGroup, sl_run_group, GTK_TYPE_WIDGET)

static void
show_number (GtkEntry *entry, uint64_t number)
{
  g_autofree char *text = g_strdup_printf ("%" G_GUINT64_FORMAT, number);

  gtk_editable_set_text (GTK_EDITABLE (entry), text);
}

void
sl_run_group_show (SlRunGroup *self, uint64_t seed, uint64_t limit)
{
  g_return_if_fail (SL_IS_RUN_GROUP (self));
  if (seed != self->shown_seed)
    show_number (self->seed, seed);
  if (limit != self->shown_limit)
    show_number (self->limit, limit);
  self->shown_seed = seed;
  self->shown_limit = limit;
}

/* Reads the typed number; FALSE, after a sentence, shows the number from before again. */
static gboolean
read_number (SlRunGroup *self, GtkEntry *entry, const char *what, uint64_t before, guint64 *number)
{
  const char      *text = gtk_editable_get_text (GTK_EDITABLE (entry));
  g_autofree char *sentence = NULL;

  if (g_ascii_string_to_unsigned (text, 10, 0, G_MAXUINT64, number, NULL))
    return TRUE;
  sentence = g_strdup_printf (_ ("%s: found “%s”, expected a whole number from 0 up."), what, text);
  show_number (entry, before);
  g_signal_emit_by_name (self, "refused", sentence);
  return FALSE;
}

static void
show_numbers (SlRunGroup *self)
{
  show_number (self->seed, self->shown_seed);
  show_number (self->limit, self->shown_limit);
}

static void
on_seed (SlRunGroup *self)
{
  guint64 seed;

  if (read_number (self, self->seed, _ ("Seed"), self->shown_seed, &seed))
    g_signal_emit_by_name (self, "seeded", seed);
}

static void
on_limit (SlRunGroup *self)
{
  guint64 limit;

  if (read_number (self, self->limit, _ ("Stop at update"), self->shown_limit, &limit))
    g_signal_emit_by_name (self, "limited", limit);
}

static void
on_dice (SlRunGroup *self)
{
  /* Six digits are enough to tell seeds apart and to say them aloud. */
  g_signal_emit_by_name (self, "seeded", (guint64) g_random_int_range (1, 1000000));
}

static void
sl_run_group_class_init (SlRunGroupClass *klass)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (klass);

  sl_widget_class_set_template (widget, "form/run-group.ui");
  sl_widget_class_bind_children (widget, SL_CHILD (SlRunGroup, seed), SL_CHILD (SlRunGroup, limit),
                                 NULL);
  sl_widget_class_bind_callbacks (widget, SL_CALLBACK (on_seed), SL_CALLBACK (on_limit),
                                  SL_CALLBACK (on_dice), NULL);
  sl_signal_new (SL_TYPE_RUN_GROUP, "seeded", 1, G_TYPE_UINT64);
  sl_signal_new (SL_TYPE_RUN_GROUP, "limited", 1, G_TYPE_UINT64);
  sl_signal_new (SL_TYPE_RUN_GROUP, "refused", 1, G_TYPE_STRING);
}

static void
sl_run_group_init (SlRunGroup *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  show_number (self->seed, 0);
  sl_field_leave_undo (GTK_EDITABLE (self->seed), G_CALLBACK (show_numbers), self);
  sl_field_leave_undo (GTK_EDITABLE (self->limit), G_CALLBACK (show_numbers), self);
}

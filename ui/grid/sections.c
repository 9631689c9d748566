/* SPDX-License-Identifier: MIT */
#include "ui/grid/sections.h"

#include "core/run/base/language.h"
#include "ui/grid/heading.h"

struct SlPlotSections
{
  GtkBox         *box; /* borrowed, with what is in it */
  SlGroupHeading *heading[SL_N_SECTIONS];
  void (*fold) (gpointer data, unsigned section);
  gpointer data;
};

static void
on_fold (SlGroupHeading *heading, SlPlotSections *self)
{
  for (unsigned s = 0; s < SL_N_SECTIONS; s++)
    if (self->heading[s] == heading)
      self->fold (self->data, s);
}

SlPlotSections *
sl_plot_sections_new (GtkBox *box, void (*fold) (gpointer data, unsigned section), gpointer data)
{
  SlPlotSections *self = g_new0 (SlPlotSections, 1);

  self->box = box;
  self->fold = fold;
  self->data = data;
  for (unsigned s = 0; s < SL_N_SECTIONS; s++)
    {
      self->heading[s] = g_object_new (SL_TYPE_GROUP_HEADING, "visible", FALSE, NULL);
      g_signal_connect (self->heading[s], "fold", G_CALLBACK (on_fold), self);
      gtk_box_append (box, GTK_WIDGET (self->heading[s]));
    }
  return self;
}

void
sl_plot_sections_free (SlPlotSections *self)
{
  g_free (self);
}

void
sl_plot_sections_place (SlPlotSections *self, const SlArrangement *arrangement, GPtrArray *cards)
{
  GtkWidget *before = NULL;
  unsigned   i = 0;

  for (unsigned s = 0; s < SL_N_SECTIONS; s++)
    {
      gtk_box_reorder_child_after (self->box, GTK_WIDGET (self->heading[s]), before);
      before = GTK_WIDGET (self->heading[s]);
      for (; i < arrangement->n && arrangement->section[arrangement->order[i]] == s; i++)
        {
          GtkWidget *card = g_ptr_array_index (cards, arrangement->order[i]);

          if (card == NULL)
            continue;
          gtk_box_reorder_child_after (self->box, card, before);
          before = card;
        }
    }
}

void
sl_plot_sections_show (SlPlotSections *self, const SlLab *lab, const SlArrangement *arrangement,
                       const unsigned n[SL_N_SECTIONS])
{
  for (unsigned s = 0; s < SL_N_SECTIONS; s++)
    {
      gtk_widget_set_visible (GTK_WIDGET (self->heading[s]), n[s] > 0);
      sl_group_heading_show (self->heading[s], sl_words (sl_arrangement_title (lab, s)), n[s],
                             arrangement->folded[s]);
    }
}

/* SPDX-License-Identifier: MIT
 *
 * What is set up, kept for the next start of the program.  */
#include "core/labs/registry.h"
#include "ui/sweep/private.h"

struct SlSweepPlace
{
  const SlLab *lab;
  char        *hint, *seeds;
  char        *param[SL_SWEEP_BAR_AXES], *values[SL_SWEEP_BAR_AXES];
  uint64_t     steps, how, points;
};

void
sl_sweep_bar_write_place (SlSweepBar *self, SlJsonWriter *w)
{
  g_return_if_fail (SL_IS_SWEEP_BAR (self) && w != NULL);
  if (self->lab == NULL)
    return;
  sl_json_add_text (w, "lab", self->lab->id);
  if (self->hint != NULL)
    sl_json_add_text (w, "suggestion", self->hint->id);
  sl_json_add_text (w, "seeds", gtk_editable_get_text (GTK_EDITABLE (self->seeds)));
  sl_json_add_whole (w, "updates", (uint64_t) gtk_spin_button_get_value (self->steps));
  sl_json_add_whole (w, "how", gtk_drop_down_get_selected (self->how));
  sl_json_add_whole (w, "points", (uint64_t) gtk_spin_button_get_value (self->points));
  sl_json_open (w, "axes", '[', SL_JSON_TIGHT);
  for (unsigned axis = 0; axis < SL_SWEEP_BAR_AXES; axis++)
    {
      int param = sl_sweep_bar_chosen (self, axis);

      sl_json_open (w, NULL, '{', SL_JSON_TIGHT);
      sl_json_add_text (w, "parameter",
                        param >= 0 ? sl_sweep_axis_id (self->lab, (unsigned) param) : "");
      sl_json_add_text (w, "values", gtk_editable_get_text (GTK_EDITABLE (self->values[axis])));
      sl_json_close (w);
    }
  sl_json_close (w);
}

void
sl_sweep_bar_forget_place (SlSweepBar *self)
{
  struct SlSweepPlace *place = g_steal_pointer (&self->place);

  if (place == NULL)
    return;
  g_free (place->hint);
  g_free (place->seeds);
  for (unsigned axis = 0; axis < SL_SWEEP_BAR_AXES; axis++)
    {
      g_free (place->param[axis]);
      g_free (place->values[axis]);
    }
  g_free (place);
}

static char *
dup_text (const SlJson *object, const char *key)
{
  const SlJson *member = sl_json_member_of (object, key, SL_JSON_TEXT);

  return g_strdup (member != NULL ? member->text : "");
}

void
sl_sweep_bar_read_place (SlSweepBar *self, const SlJson *object)
{
  const SlJson        *lab = sl_json_member_of (object, "lab", SL_JSON_TEXT);
  const SlJson        *axes = sl_json_member_of (object, "axes", SL_JSON_ARRAY), *axis;
  struct SlSweepPlace *place;
  unsigned             n = 0;

  g_return_if_fail (SL_IS_SWEEP_BAR (self));
  sl_sweep_bar_forget_place (self);
  if (lab == NULL || axes == NULL || sl_lab_find (lab->text) == NULL)
    return;
  self->place = place = g_new0 (struct SlSweepPlace, 1);
  place->lab = sl_lab_find (lab->text);
  place->hint = dup_text (object, "suggestion");
  place->seeds = dup_text (object, "seeds");
  sl_json_whole (sl_json_member (object, "updates"), G_MAXINT32, &place->steps);
  sl_json_whole (sl_json_member (object, "how"), SL_N_SWEEP_WAYS - 1, &place->how);
  if (!sl_json_whole (sl_json_member (object, "points"), SL_SWEEP_VALUES_MAX, &place->points))
    place->points = 0;
  for (axis = axes->first; axis != NULL && n < SL_SWEEP_BAR_AXES; axis = axis->next, n++)
    {
      place->param[n] = dup_text (axis, "parameter");
      place->values[n] = dup_text (axis, "values");
    }
}

void
sl_sweep_bar_take_place (SlSweepBar *self)
{
  const struct SlSweepPlace *place = self->place;
  const SlLab               *lab = self->lab;

  if (place == NULL || place->lab != lab)
    return;
  if (*place->hint == '\0' || !sl_sweep_bar_suggest (self, place->hint))
    sl_sweep_bar_choose (self, NULL, NULL);
  self->filling = TRUE;
  gtk_drop_down_set_selected (self->how, (guint) place->how);
  gtk_widget_set_visible (GTK_WIDGET (self->points), place->how != SL_SWEEP_GRID);
  if (place->points > 0)
    gtk_spin_button_set_value (self->points, (double) place->points);
  for (unsigned axis = 0; axis < SL_SWEEP_BAR_AXES && place->param[axis] != NULL; axis++)
    {
      int param = sl_sweep_axis_find (lab, place->param[axis]);

      gtk_drop_down_set_selected (self->param[axis], (guint) (param + 1));
      gtk_editable_set_text (GTK_EDITABLE (self->values[axis]), place->values[axis]);
    }
  gtk_editable_set_text (GTK_EDITABLE (self->seeds), place->seeds);
  gtk_spin_button_set_value (self->steps, (double) place->steps);
  self->filling = FALSE;
  sl_sweep_bar_forget_place (self);
  sl_sweep_bar_follow (self);
}

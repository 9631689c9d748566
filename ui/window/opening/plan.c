/* SPDX-License-Identifier: MIT */
#include "ui/window/opening/opening.h"

#include <glib/gi18n.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/texts.h"
#include "core/data/source/source.h"
#include "core/labs/registry.h"
#include "core/run/base/language.h"
#include "core/run/base/save.h"
#include "core/run/base/settings.h"
#include "ui/kit/file-dialog.h"

typedef struct SlWindowPlan
{
  GtkFileChooserNative *dialog; /* while it is open */
} Plan;

static void
save_plan (SlWindow *self, const char *path)
{
  SlSession       *session = sl_window_get_session (self);
  const SlDataset *dataset = sl_session_dataset (session);
  g_autoptr (GError) error = NULL;
  g_autofree char *name = g_filename_display_basename (path);
  /* Translators: %s is the name of a file. */
  g_autofree char *sentence = g_strdup_printf (_ ("The network is saved: %s"), name);
  char            *text = NULL;
  SlStatus         status;

  if (dataset == NULL)
    return;
  status = sl_session_lab (session)->plan (dataset, sl_session_settings (session), &text);
  if (sl_status_good (&status, &error))
    sl_save (path, text, strlen (text), &error);
  free (text);
  sl_window_toast (self, error == NULL ? sentence : error->message);
}

static void
on_save_plan (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  sl_file_dialog_open (
    &sl_window_parts (data)->plan->dialog, data,
    &(SlFileQuestion) { _ ("Save the network"), "network.json", _ ("Networks"), "*.json" },
    (SlFileChosen) save_plan, (SlFileChosen) sl_window_toast, data);
}

static void
on_save_plan_to (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  save_plan (data, g_variant_get_string (parameter, NULL));
}

/* The parameter of a lab that takes a text of JSON, or -1. */
static int
find_text (const SlLab *lab)
{
  for (unsigned p = 0; lab != NULL && p < lab->n_params; p++)
    if (lab->params[p].kind == SL_TEXT)
      return (int) p;
  return -1;
}

void
sl_window_take_plan (SlWindow *self, const char *path)
{
  const SlLab *shown, *lab;
  SlSettings   settings;
  SlStatus     status;
  int          param;
  SlStage     *stage = sl_window_stage (self);

  sl_stage_show_own (stage);
  shown = sl_session_lab (sl_stage_own (stage));
  lab = find_text (shown) >= 0 ? shown : sl_labs[0];
  for (unsigned l = 0; find_text (lab) < 0; l++)
    lab = sl_labs[l];
  param = find_text (lab);
  sl_settings_default (&settings, lab->params, lab->n_params);
  status = sl_param_give (&lab->params[param], path, &settings.value[param]);
  if (!sl_ok (&status))
    {
      g_autofree char *sentence = sl_status_sentence (&status);

      sl_window_report (self, sentence);
    }
  else if (lab == shown)
    sl_window_set_value (self, lab->params[param].id, &settings.value[param]);
  else
    sl_stage_begin (stage, lab, &settings, sl_source_default_for (lab->data),
                    sl_stage_seed (stage));
}

static void
update (SlWindow *self)
{
  const SlLab *lab = sl_session_lab (sl_window_get_session (self));
  gboolean     has = lab != NULL && lab->plan != NULL && !sl_window_shows_overview (self)
                 && sl_session_dataset (sl_window_get_session (self)) != NULL;

  sl_window_enable (self, "save-plan", has);
  sl_window_enable (self, "save-plan-to", has);
}

void
sl_window_add_plan (SlWindow *self)
{
  static const GActionEntry entries[] = {
    { .name = "save-plan", .activate = on_save_plan },
    { .name = "save-plan-to", .activate = on_save_plan_to, .parameter_type = "s" },
  };

  sl_window_parts (self)->plan = g_new0 (Plan, 1);
  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  sl_window_watch (self, "progress", update);
}

void
sl_window_drop_plan (SlWindow *self)
{
  Plan *plan = g_steal_pointer (&sl_window_parts (self)->plan);

  g_clear_object (&plan->dialog);
  g_free (plan);
}

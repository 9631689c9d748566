/* SPDX-License-Identifier: MIT */
#include "ui/window/opening/opening.h"

#include <glib/gi18n.h>
#include <stdlib.h>
#include <string.h>

#include "core/data/source/source.h"
#include "core/labs/registry.h"
#include "core/run/base/language.h"
#include "core/run/base/save.h"
#include "ui/kit/file-dialog.h"

typedef struct SlWindowNetwork
{
  GtkFileChooserNative *dialog; /* while it is open */
} Network;

static void
save_network (SlWindow *self, const char *path)
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
  status = sl_session_lab (session)->network (dataset, sl_session_settings (session), &text);
  if (sl_status_good (&status, &error))
    sl_save (path, text, strlen (text), &error);
  free (text);
  sl_window_toast (self, error == NULL ? sentence : error->message);
}

static void
on_save_network (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  sl_file_dialog_open (
    &sl_window_parts (data)->network->dialog, data,
    &(SlFileQuestion) { _ ("Save the network"), "network.json", _ ("Networks"), "*.json" },
    (SlFileChosen) save_network, (SlFileChosen) sl_window_toast, data);
}

static void
on_save_network_to (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  save_network (data, g_variant_get_string (parameter, NULL));
}

/* The lab if it has networks of choices, else the first that has; NULL: none of this build has. */
static const SlLab *
find_lab (const SlLab *lab)
{
  for (const SlLab *const *other = sl_labs; (lab == NULL || lab->network == NULL) && *other != NULL;
       other++)
    lab = *other;
  return lab != NULL && lab->network != NULL ? lab : NULL;
}

void
sl_window_take_network (SlWindow *self, const char *path)
{
  SlStage         *stage = sl_window_stage (self);
  SlSession       *session = sl_stage_own (stage);
  const SlDataset *dataset;
  const SlLab     *shown, *lab;
  SlSettings       settings;
  char             spec[sizeof dataset->id];
  SlStatus         status;

  sl_stage_show_own (stage);
  shown = sl_session_lab (session);
  lab = find_lab (shown);
  if (lab == NULL)
    {
      sl_window_report (self, _ ("This build has no lab for networks of choices."));
      return;
    }
  dataset = sl_session_dataset (session);
  status = sl_source_give_network (dataset != NULL
                                       && sl_data_serves (sl_dataset_kind (dataset), lab->data)
                                     ? sl_session_spec (session)
                                     : sl_source_default_for (lab->data),
                                   path, spec, sizeof spec);
  if (!sl_ok (&status))
    {
      g_autofree char *sentence = sl_status_sentence (&status);

      sl_window_report (self, sentence);
      return;
    }
  if (lab == shown)
    settings = *sl_session_settings (session);
  else
    sl_settings_default (&settings, lab->params, lab->n_params);
  sl_stage_begin (stage, lab, &settings, spec, sl_stage_seed (stage));
}

static void
update (SlWindow *self)
{
  const SlLab *lab = sl_session_lab (sl_window_get_session (self));
  gboolean     has = lab != NULL && lab->network != NULL && !sl_window_shows_overview (self)
                 && sl_session_dataset (sl_window_get_session (self)) != NULL;

  sl_window_enable (self, "save-network", has);
  sl_window_enable (self, "save-network-to", has);
}

void
sl_window_add_network (SlWindow *self)
{
  static const GActionEntry entries[] = {
    { .name = "save-network", .activate = on_save_network },
    { .name = "save-network-to", .activate = on_save_network_to, .parameter_type = "s" },
  };

  sl_window_parts (self)->network = g_new0 (Network, 1);
  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  sl_window_watch (self, "progress", update);
}

void
sl_window_drop_network (SlWindow *self)
{
  Network *network = g_steal_pointer (&sl_window_parts (self)->network);

  g_clear_object (&network->dialog);
  g_free (network);
}

/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "core/lab/lab.h"

enum { ID_SIZE = 64 };

/* The next of several words, or NULL behind the last. */
static const char *
next_id (const char **rest, char id[ID_SIZE])
{
  size_t length;

  *rest += strspn (*rest, " ");
  length = strcspn (*rest, " ");
  if (length == 0 || length >= ID_SIZE)
    return NULL;
  memcpy (id, *rest, length);
  id[length] = '\0';
  *rest += length;
  return id;
}

int
sl_lab_picture (const SlLab *lab)
{
  const char *rest = lab->front != NULL ? lab->front->panels : "";
  char        id[ID_SIZE];

  return next_id (&rest, id) != NULL ? sl_lab_panel (lab, id) : -1;
}

unsigned
sl_lab_front_plots (const SlLab *lab, const SlSettings *settings, const SlDataset *dataset,
                    unsigned plots[SL_FRONT_PLOTS])
{
  const char *rest = lab->front != NULL ? lab->front->panels : "";
  char        id[ID_SIZE];
  unsigned    n = 0;
  int         picture = sl_lab_picture (lab);

  while (n < SL_FRONT_PLOTS && next_id (&rest, id) != NULL)
    {
      int panel = sl_lab_panel (lab, id);

      if (panel >= 0 && panel != picture
          && sl_needs_hold (settings, lab->params, lab->n_params, lab->panels[panel].needs)
          && sl_dataset_has (dataset, lab->panels[panel].needs))
        plots[n++] = (unsigned) panel;
    }
  return n;
}

unsigned
sl_lab_front_knobs (const SlLab *lab, const SlSettings *settings, const SlDataset *dataset,
                    unsigned knobs[SL_FRONT_KNOBS])
{
  const char *rest = lab->front != NULL ? lab->front->knobs : "";
  char        id[ID_SIZE];
  unsigned    n = 0;

  while (n < SL_FRONT_KNOBS && next_id (&rest, id) != NULL)
    {
      int param = sl_param_find (lab->params, lab->n_params, id);

      if (param >= 0 && sl_param_matters (settings, lab->params, lab->n_params, (unsigned) param)
          && sl_dataset_has (dataset, lab->params[param].needs))
        knobs[n++] = (unsigned) param;
    }
  return n;
}

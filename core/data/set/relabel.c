/* SPDX-License-Identifier: MIT */
#include "core/data/set/relabel.h"

#include <stdio.h>

static SlStatus
out_of_range (const SlLabelling *labelling, size_t i, unsigned label)
{
  bool in_train = i < labelling->n_train;

  return sl_status_at (
    SL_EFORMAT, in_train ? labelling->train_path : labelling->test_path, SL_RECORD,
    in_train ? i : i - labelling->n_train, sl_message ("label %u", label),
    labelling->known > 0 ? sl_message ("a label from 0 to %u", labelling->known - 1)
                         : sl_message ("a label that the training examples have too"));
}

/* The classes that occur get numbers without gaps; returns how many there are. */
static unsigned
number_classes (const SlDraft *draft, const SlLabelling *labelling, int number[SL_CLASSES_MAX])
{
  bool     seen[SL_CLASSES_MAX] = { false };
  unsigned classes = 0;

  for (size_t i = 0; i < labelling->n_train; i++)
    seen[draft->label[i]] = true;
  for (unsigned old = 0; old < SL_CLASSES_MAX; old++)
    {
      if (labelling->known > 0)
        number[old] = old < labelling->known ? (int) old : -1;
      else
        number[old] = seen[old] ? (int) classes : -1;
      classes += seen[old];
    }
  return classes;
}

static SlStatus
name_by_number (SlDraft *draft, const int number[SL_CLASSES_MAX])
{
  char        text[SL_CLASSES_MAX][4];
  const char *title[SL_CLASSES_MAX];
  unsigned    n = 0;
  bool        gaps = false;

  for (unsigned old = 0; old < SL_CLASSES_MAX; old++)
    if (number[old] >= 0)
      {
        gaps = gaps || n != old;
        snprintf (text[n], sizeof text[n], "%u", old);
        title[n] = text[n];
        n++;
      }
  return gaps ? sl_draft_titles (draft, title, n) : SL_SUCCESS;
}

SlStatus
sl_relabel (SlDraft *draft, const SlLabelling *labelling)
{
  int      number[SL_CLASSES_MAX];
  unsigned classes = number_classes (draft, labelling, number);

  for (size_t i = 0; i < draft->n; i++)
    {
      if (number[draft->label[i]] < 0)
        return out_of_range (labelling, i, draft->label[i]);
      draft->label[i] = (uint8_t) number[draft->label[i]];
    }
  if (classes < 2)
    return sl_status_new (SL_EFORMAT, labelling->train_path, sl_message ("one class only"),
                          sl_message ("at least 2 different labels"));
  draft->dataset->classes = labelling->known > 0 ? labelling->known : classes;
  return labelling->known > 0 ? SL_SUCCESS : name_by_number (draft, number);
}

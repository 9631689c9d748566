/* SPDX-License-Identifier: MIT */
#include "ui/grid/arrangement.h"

#include <string.h>

#include "core/base/message.h"

static const char *const sections[SL_N_SECTIONS] = {
  [SL_SECTION_PINNED] = "pinned", [SL_SHOWS_WORK] = "work", [SL_SHOWS_QUALITY] = "quality",
  [SL_SHOWS_COST] = "cost",       [SL_SHOWS_GATE] = "gate",
};

const char *
sl_arrangement_title (const SlLab *lab, unsigned section)
{
  return section == SL_SECTION_PINNED ? SL_MARK ("Pinned")
                                      : sl_lab_group_title (lab, (SlPanelGroup) section);
}

/* Section by section; within each, the order stays. */
static void
settle (SlArrangement *self)
{
  unsigned before[SL_PANELS_MAX], n = 0;

  memcpy (before, self->order, sizeof before);
  for (unsigned section = 0; section < SL_N_SECTIONS; section++)
    for (unsigned i = 0; i < self->n; i++)
      if (self->section[before[i]] == section)
        self->order[n++] = before[i];
}

void
sl_arrangement_init (SlArrangement *self, const SlLab *lab)
{
  *self = (SlArrangement) { .n = lab != NULL ? lab->n_panels : 0 };
  for (unsigned i = 0; i < self->n; i++)
    {
      self->order[i] = i;
      self->section[i] = lab->panels[i].group;
    }
  settle (self);
}

static unsigned
place_of (const SlArrangement *self, unsigned panel)
{
  unsigned i = 0;

  while (self->order[i] != panel)
    i++;
  return i;
}

int
sl_arrangement_beside (const SlArrangement *self, unsigned panel, int by)
{
  for (int i = (int) place_of (self, panel) + by; i >= 0 && i < (int) self->n; i += by)
    if (self->section[self->order[i]] == self->section[panel] && !self->hidden[self->order[i]])
      return (int) self->order[i];
  return -1;
}

/* Takes a panel out of the order and puts it in at another place. */
static void
put (SlArrangement *self, unsigned panel, unsigned place)
{
  unsigned from = place_of (self, panel);

  if (from < place)
    memmove (&self->order[from], &self->order[from + 1], (place - from) * sizeof *self->order);
  else
    memmove (&self->order[place + 1], &self->order[place], (from - place) * sizeof *self->order);
  self->order[place] = panel;
}

void
sl_arrangement_move (SlArrangement *self, unsigned panel, int by)
{
  int other = sl_arrangement_beside (self, panel, by);

  if (other >= 0)
    put (self, panel, place_of (self, (unsigned) other));
}

void
sl_arrangement_pin (SlArrangement *self, const SlLab *lab, unsigned panel, bool pinned)
{
  put (self, panel, self->n - 1);
  self->section[panel] = pinned ? SL_SECTION_PINNED : lab->panels[panel].group;
  settle (self);
}

/* ---- text ---- */

static void
add_panels (SlJsonWriter *w, const SlArrangement *self, const SlLab *lab, const char *key,
            const bool *marked)
{
  bool any = marked == NULL;

  for (unsigned i = 0; marked != NULL && i < self->n; i++)
    any = any || marked[i];
  if (!any)
    return;
  sl_json_open (w, key, '[', SL_JSON_TIGHT);
  for (unsigned i = 0; i < self->n; i++)
    if (marked == NULL || marked[self->order[i]])
      sl_json_add_text (w, NULL, lab->panels[self->order[i]].id);
  sl_json_close (w);
}

static void
add_folded (SlJsonWriter *w, const SlArrangement *self)
{
  bool any = false;

  for (unsigned s = 0; s < SL_N_SECTIONS; s++)
    any = any || self->folded[s];
  if (!any)
    return;
  sl_json_open (w, "folded", '[', SL_JSON_TIGHT);
  for (unsigned s = 0; s < SL_N_SECTIONS; s++)
    if (self->folded[s])
      sl_json_add_text (w, NULL, sections[s]);
  sl_json_close (w);
}

char *
sl_arrangement_write (const SlArrangement *self, const SlLab *lab)
{
  SlArrangement first;
  SlJsonWriter  w;
  bool          pinned[SL_PANELS_MAX];

  sl_arrangement_init (&first, lab);
  for (unsigned i = 0; i < self->n; i++)
    pinned[i] = self->section[i] == SL_SECTION_PINNED;
  sl_json_writer_init (&w);
  sl_json_open (&w, NULL, '{', SL_JSON_TIGHT);
  add_panels (&w, self, lab, "hidden", self->hidden);
  add_panels (&w, self, lab, "pinned", pinned);
  if (memcmp (self->order, first.order, self->n * sizeof *self->order) != 0)
    add_panels (&w, self, lab, "order", NULL);
  add_folded (&w, self);
  if (self->all)
    sl_json_add_truth (&w, "all", true);
  return sl_json_writer_end (&w, FALSE);
}

static void
read_marks (const SlJson *json, const char *key, const SlLab *lab, bool *marked)
{
  const SlJson *list = sl_json_member_of (json, key, SL_JSON_ARRAY);

  for (const SlJson *id = list != NULL ? list->first : NULL; id != NULL; id = id->next)
    {
      int panel = id->kind == SL_JSON_TEXT ? sl_lab_panel (lab, id->text) : -1;

      if (panel >= 0)
        marked[panel] = true;
    }
}

/* Panels that are not in the list, because they are newer than it, come behind the others. */
static void
read_order (SlArrangement *self, const SlLab *lab, const SlJson *json)
{
  const SlJson *list = sl_json_member_of (json, "order", SL_JSON_ARRAY);
  bool          placed[SL_PANELS_MAX] = { false };
  unsigned      n = 0;

  for (const SlJson *id = list != NULL ? list->first : NULL; id != NULL; id = id->next)
    {
      int panel = id->kind == SL_JSON_TEXT ? sl_lab_panel (lab, id->text) : -1;

      if (panel < 0 || placed[panel])
        continue;
      placed[panel] = true;
      put (self, (unsigned) panel, n++);
    }
}

void
sl_arrangement_read (SlArrangement *self, const SlLab *lab, const SlJson *json)
{
  const SlJson *folded = sl_json_member_of (json, "folded", SL_JSON_ARRAY);
  const SlJson *all = sl_json_member_of (json, "all", SL_JSON_TRUTH);
  bool          pinned[SL_PANELS_MAX] = { false };

  sl_arrangement_init (self, lab);
  self->all = all != NULL && all->number != 0.0;
  read_marks (json, "hidden", lab, self->hidden);
  read_marks (json, "pinned", lab, pinned);
  for (unsigned i = 0; i < self->n; i++)
    if (pinned[i])
      self->section[i] = SL_SECTION_PINNED;
  read_order (self, lab, json);
  settle (self);
  for (const SlJson *id = folded != NULL ? folded->first : NULL; id != NULL; id = id->next)
    for (unsigned s = 0; s < SL_N_SECTIONS; s++)
      if (id->kind == SL_JSON_TEXT && strcmp (id->text, sections[s]) == 0)
        self->folded[s] = true;
}

/* SPDX-License-Identifier: MIT
 *
 * How the user arranged the panels of a lab: which are hidden or pinned, in which order, and which
 * groups are folded.  Plain data.  */
#pragma once

#include "core/lab/lab.h"
#include "core/run/base/json.h"

/* The pinned panels, and one for each SlPanelGroup. */
enum { SL_SECTION_PINNED, SL_N_SECTIONS = SL_N_PANEL_GROUPS };

typedef struct
{
  unsigned n;                      /* panels of the lab */
  unsigned order[SL_PANELS_MAX];   /* (n) panels, section by section */
  unsigned section[SL_PANELS_MAX]; /* (n) by panel: its section */
  bool     hidden[SL_PANELS_MAX];  /* (n) by panel */
  bool     folded[SL_N_SECTIONS];
  bool     all; /* all panels, not the front page */
} SlArrangement;

/* As at first: nothing is hidden, pinned or folded, and groups are in their order.  `lab` may be NULL. */
void sl_arrangement_init (SlArrangement *self, const SlLab *lab);

/* "Pinned", or the title of the group; to be translated. */
const char *sl_arrangement_title (const SlLab *lab, unsigned section);

/* The panel `by` (-1, 1) places away in the same section, counting those that are not hidden; or
 * -1.  */
int sl_arrangement_beside (const SlArrangement *self, unsigned panel, int by);
/* Moves the panel to that place. */
void sl_arrangement_move (SlArrangement *self, unsigned panel, int by);

/* Pins a panel below those that are, or puts it back at the end of its group. */
void sl_arrangement_pin (SlArrangement *self, const SlLab *lab, unsigned panel, bool pinned);

/* As JSON by the ids of panels; "{}" as at first; free with g_free().  Reading leaves alone what it does
 * not understand; `json` may be NULL.  */
char *sl_arrangement_write (const SlArrangement *self, const SlLab *lab);
void  sl_arrangement_read (SlArrangement *self, const SlLab *lab, const SlJson *json);

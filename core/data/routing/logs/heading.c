/* SPDX-License-Identifier: MIT */
#include "core/data/routing/logs/heading.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char *const layer_words[] = { "layer", "layer_id", "layer_idx", "moe_layer", NULL };
static const char *const expert_words[] = { "expert", "expert_id", NULL };
static const char *const list_words[] = { "expert_ids", "topk_ids", "experts", NULL };
static const char *const token_words[]
  = { "token_idx", "token", "token_id", "pos", "position", "step", NULL };
static const char *const slot_words[] = { "slot", "rank", NULL };
static const char *const phase_words[] = { "phase", NULL };

static bool
is_blank (char c)
{
  return c == ' ' || c == '\t' || c == '\r';
}

static char *
trim (char *cell)
{
  char *end;

  while (is_blank (*cell))
    cell++;
  end = cell + strlen (cell);
  while (end > cell && is_blank (end[-1]))
    end--;
  if (end - cell >= 2 && *cell == '"' && end[-1] == '"')
    {
      cell++;
      end--;
    }
  *end = '\0';
  return cell;
}

unsigned
sl_table_cut (char *line, char *cell[SL_TABLE_CELLS])
{
  unsigned n = 0;

  while (line != NULL)
    {
      char *next = strsep (&line, ",");

      if (n == SL_TABLE_CELLS)
        return n + 1;
      cell[n++] = trim (next);
    }
  return n;
}

static bool
is_among (const char *const *words, const char *cell)
{
  for (; *words != NULL; words++)
    if (strcasecmp (*words, cell) == 0)
      return true;
  return false;
}

/* The first column of these names. */
static int
column (const char *const *words, char *const *cell, unsigned n)
{
  for (unsigned i = 0; i < n; i++)
    if (is_among (words, cell[i]))
      return (int) i;
  return -1;
}

/* "e0", "expert_12", "top3". */
static bool
is_slot (const char *cell)
{
  static const char *const before[] = { "expert_", "top", "e" };

  for (size_t i = 0; i < sizeof before / sizeof *before; i++)
    {
      size_t n = strlen (before[i]);

      if (strncasecmp (cell, before[i], n) == 0 && cell[n] != '\0'
          && cell[n + strspn (cell + n, "0123456789")] == '\0')
        return true;
    }
  return false;
}

bool
sl_heading_read (SlHeading *heading, char *const *cell, unsigned n)
{
  *heading = (SlHeading) { .n = n,
                           .layer = column (layer_words, cell, n),
                           .token = column (token_words, cell, n),
                           .slot = column (slot_words, cell, n),
                           .phase = column (phase_words, cell, n),
                           .expert = column (expert_words, cell, n),
                           .list = column (list_words, cell, n) };
  for (unsigned i = 0; i < n; i++)
    if (is_slot (cell[i]) && heading->n_wide++ < SL_ROUTING_SLOTS)
      heading->wide[heading->n_wide - 1] = i;
  heading->kind = heading->n_wide > 0                         ? SL_TABLE_WIDE
                  : heading->list >= 0                        ? SL_TABLE_LIST
                  : heading->token >= 0 && heading->slot >= 0 ? SL_TABLE_LONG
                                                              : SL_TABLE_PAIRS;
  return heading->layer >= 0;
}

SlHeading
sl_heading_of_pairs (void)
{
  return (SlHeading) { .kind = SL_TABLE_PAIRS,
                       .n = 2,
                       .layer = 0,
                       .expert = 1,
                       .token = -1,
                       .slot = -1,
                       .phase = -1,
                       .list = -1 };
}

bool
sl_heading_whole (const SlHeading *heading)
{
  return heading->layer >= 0 && (heading->n_wide > 0 || heading->list >= 0 || heading->expert >= 0);
}

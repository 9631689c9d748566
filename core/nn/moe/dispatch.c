/* SPDX-License-Identifier: MIT */
#include "core/nn/moe/dispatch.h"

#include <assert.h>
#include <math.h>
#include <string.h>

void
sl_dispatch_carve (SlDispatch *dispatch, size_t experts, size_t most, size_t room, SlArena *scratch)
{
  *dispatch = (SlDispatch) {
    .experts = experts,
    .most = most,
    .room = room,
    .start = sl_arena_carve (scratch, experts + 1, sizeof *dispatch->start),
    .row = sl_arena_carve (scratch, room, sizeof *dispatch->row),
    .weight = sl_arena_reals (scratch, room),
    .slope = sl_arena_reals (scratch, room),
    .first = sl_arena_carve (scratch, most + 1, sizeof *dispatch->first),
    .slot = sl_arena_carve (scratch, room, sizeof *dispatch->slot),
  };
}

void
sl_dispatch_begin (SlDispatch *dispatch, size_t batch, const uint32_t *count)
{
  uint32_t next = 0;

  assert (batch <= dispatch->most);
  dispatch->batch = batch;
  dispatch->total = 0;
  memset (dispatch->first, 0, (batch + 1) * sizeof *dispatch->first);
  /* While assignments are added, start[i + 1] is where the next one of expert i goes; when
   * all are there, it is where expert i + 1 begins.  */
  dispatch->start[0] = 0;
  for (size_t i = 0; i < dispatch->experts; i++)
    {
      dispatch->start[i + 1] = next;
      next += count[i];
    }
  assert (next <= dispatch->room);
}

void
sl_dispatch_add (SlDispatch *dispatch, uint32_t example, uint32_t expert, sl_real weight)
{
  uint32_t at = dispatch->start[expert + 1]++;

  assert (at < dispatch->room && example < dispatch->batch);
  dispatch->row[at] = example;
  dispatch->weight[at] = weight;
  dispatch->slot[dispatch->total++] = at;
  dispatch->first[example + 1] = (uint32_t) dispatch->total;
}

void
sl_dispatch_end (SlDispatch *dispatch)
{
  assert (dispatch->start[dispatch->experts] == dispatch->total);
  /* Examples that no expert took end where the one before them does. */
  for (size_t e = 0; e < dispatch->batch; e++)
    if (dispatch->first[e + 1] < dispatch->first[e])
      dispatch->first[e + 1] = dispatch->first[e];
}

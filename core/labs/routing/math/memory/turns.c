/* SPDX-License-Identifier: MIT */
#include "core/labs/routing/math/memory/turns.h"

#include <stdlib.h>
#include <string.h>

enum { NO_EXPERT = UINT16_MAX, BLOCK = 1 << 15, LOOK_UP = 1 << 12 };

/* One call of sl_turns_each(). */
typedef struct
{
  const SlTurnSource *source;
  SlTurnRoom         *room;
  SlTurnTaker        *take;
  void               *data;
  uint32_t            stamp; /* of the turn: an expert that has it was seen */
  bool                enough;
} Walk;

size_t
sl_turn_block (unsigned layers, unsigned k)
{
  size_t row = (size_t) layers * k;

  return row < BLOCK ? BLOCK / row : 1;
}

/* Adds the experts of a token that are not among the k items yet; returns how many there are. */
static unsigned
add_row (Walk *w, unsigned layer, const uint16_t *ids, unsigned k)
{
  for (unsigned s = 0; s < w->source->k; s++)
    if (ids[s] != NO_EXPERT && w->room->seen[ids[s]] != w->stamp)
      {
        w->room->seen[ids[s]] = w->stamp;
        w->room->item[k++] = layer * w->source->n + ids[s];
      }
  return k;
}

static void
hand_out (Walk *w, size_t group, unsigned k)
{
  w->enough = !w->take (w->data, group, w->room->item, k);
  w->stamp++;
}

/* Each token by itself: a block of them is read in all layers. */
static SlStatus
walk_tokens (Walk *w, size_t token, size_t tokens)
{
  const SlTurnSource *source = w->source;
  SlStatus            status = SL_SUCCESS;

  for (size_t done = 0; done < tokens && !w->enough; done += w->room->tokens)
    {
      size_t n = tokens - done < w->room->tokens ? tokens - done : w->room->tokens;

      for (unsigned l = 0; l < source->layers && sl_ok (&status); l++)
        status = source->read (source->data, source->layer[l], token + done, n,
                               w->room->ids + (size_t) l * w->room->tokens * source->k);
      if (!sl_ok (&status))
        break;
      for (size_t t = 0; t < n && !w->enough; t++)
        for (unsigned l = 0; l < source->layers && !w->enough; l++)
          hand_out (
            w, token + done + t,
            add_row (w, l, w->room->ids + ((size_t) l * w->room->tokens + t) * source->k, 0));
    }
  return status;
}

/* The tokens of a pass together, layer by layer. */
static SlStatus
walk_pass (Walk *w, size_t pass, size_t token)
{
  const SlTurnSource *source = w->source;
  size_t              tokens = source->pass[pass];
  SlStatus            status = SL_SUCCESS;

  for (unsigned l = 0; l < source->layers && !w->enough; l++)
    {
      unsigned k = 0;

      for (size_t done = 0; done < tokens; done += w->room->tokens)
        {
          size_t n = tokens - done < w->room->tokens ? tokens - done : w->room->tokens;

          status = source->read (source->data, source->layer[l], token + done, n, w->room->ids);
          if (!sl_ok (&status))
            return status;
          for (size_t t = 0; t < n; t++)
            k = add_row (w, l, w->room->ids + t * source->k, k);
        }
      hand_out (w, pass, k);
    }
  return status;
}

SlStatus
sl_turns_each (const SlTurnSource *source, SlTurnRoom *room, size_t first, size_t groups,
               size_t token, SlTurnTaker *take, void *data)
{
  Walk     w = { .source = source, .room = room, .take = take, .data = data, .stamp = 1 };
  SlStatus status = SL_SUCCESS;

  memset (room->seen, 0, source->n * sizeof *room->seen);
  if (source->pass == NULL)
    return walk_tokens (&w, token, groups);
  for (size_t g = first; g < first + groups && !w.enough && sl_ok (&status); g++)
    {
      status = walk_pass (&w, g, token);
      token += source->pass[g];
    }
  return status;
}

/* ---- in memory ---- */

typedef struct
{
  SlTurns *turns;
  size_t   most, room, rooms; /* lookups; of items; of turns */
  size_t   whole;             /* turns of groups that are there as a whole */
  bool (*hurry) (void *data);
  void *data;
  bool  out_of_memory;
} Collector;

static bool
grow (void **block, size_t *room, size_t wanted, size_t size)
{
  size_t larger = wanted > 2 * *room ? wanted : 2 * *room;
  void  *block_now = wanted <= *room ? *block : realloc (*block, larger * size);

  if (block_now == NULL)
    return false;
  *room = wanted <= *room ? *room : larger;
  *block = block_now;
  return true;
}

/* Room for a turn of k items. */
static bool
make_room (Collector *c, unsigned k)
{
  SlTurns *t = c->turns;
  size_t   rooms = c->rooms;

  if (!grow ((void **) &t->item, &c->room, t->first[t->turns] + k, sizeof *t->item)
      || !grow ((void **) &t->first, &rooms, t->turns + 2, sizeof *t->first)
      || !grow ((void **) &t->group, &c->rooms, t->turns + 2, sizeof *t->group))
    c->out_of_memory = true;
  return !c->out_of_memory;
}

/* Drops the turns of the last group, which is not whole. */
static void
cut_last_group (Collector *c)
{
  c->turns->turns = c->whole;
  c->turns->cut = true;
}

static bool
collect (void *data, size_t group, const uint32_t *item, unsigned k)
{
  Collector *c = data;
  SlTurns   *t = c->turns;
  size_t     lookups = t->first[t->turns];

  if (t->turns > c->whole && t->group[t->turns - 1] != group)
    c->whole = t->turns;
  if (c->whole > 0 && lookups + k > c->most)
    {
      cut_last_group (c);
      return false;
    }
  if (k == 0)
    return true;
  if (t->turns % LOOK_UP == 0 && c->whole > 0 && c->hurry != NULL && c->hurry (c->data))
    {
      cut_last_group (c);
      return false;
    }
  if (!make_room (c, k))
    return false;
  memcpy (t->item + lookups, item, k * sizeof *item);
  t->group[t->turns] = (uint32_t) group;
  t->first[++t->turns] = lookups + k;
  return true;
}

/* Tokens and phases of the groups that are there. */
static bool
describe_groups (const SlTurnSource *source, SlTurns *t)
{
  size_t all = source->pass != NULL ? source->passes : source->tokens, token = 0;

  t->groups = t->cut ? (t->turns > 0 ? t->group[t->turns - 1] + 1U : 0) : all;
  t->tokens = malloc ((t->groups + 1) * sizeof *t->tokens);
  t->phase = malloc (t->groups + 1);
  if (t->tokens == NULL || t->phase == NULL)
    return false;
  for (size_t g = 0; g < t->groups; g++)
    {
      t->tokens[g] = source->pass != NULL ? source->pass[g] : 1;
      t->phase[g] = source->decode == NULL || token >= source->tokens ? SL_TURNS_ALL
                    : source->decode[token] != 0                      ? SL_TURNS_DECODE
                                                                      : SL_TURNS_PREFILL;
      token += t->tokens[g];
    }
  return true;
}

static bool
carve_room (const SlTurnSource *source, SlTurnRoom *room)
{
  room->tokens = sl_turn_block (source->layers, source->k);
  room->ids = malloc ((size_t) source->layers * room->tokens * source->k * sizeof *room->ids + 1);
  room->seen = malloc (source->n * sizeof *room->seen);
  room->item = malloc (source->n * sizeof *room->item);
  return room->ids != NULL && room->seen != NULL && room->item != NULL;
}

SlStatus
sl_turns_read (const SlTurnSource *source, size_t most, bool (*hurry) (void *data), void *data,
               SlTurns *turns)
{
  Collector  c = { .turns = turns, .most = most, .hurry = hurry, .data = data };
  SlTurnRoom room = { 0 };
  SlStatus   status = SL_SUCCESS;

  *turns = (SlTurns) { .layers = source->layers, .n = source->n };
  turns->first = calloc (1, sizeof *turns->first);
  c.out_of_memory = turns->first == NULL || !carve_room (source, &room);
  if (!c.out_of_memory)
    status = sl_turns_each (source, &room, 0,
                            source->pass != NULL ? source->passes : source->tokens, 0, collect, &c);
  if (sl_ok (&status) && !c.out_of_memory)
    c.out_of_memory = !describe_groups (source, turns);
  free (room.ids);
  free (room.seen);
  free (room.item);
  return c.out_of_memory ? sl_status_no_memory ("uses of experts") : status;
}

void
sl_turns_clear (SlTurns *turns)
{
  free (turns->first);
  free (turns->item);
  free (turns->group);
  free (turns->tokens);
  free (turns->phase);
  *turns = (SlTurns) { 0 };
}

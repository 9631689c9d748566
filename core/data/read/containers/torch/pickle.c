/* SPDX-License-Identifier: MIT */
#include "core/data/read/containers/torch/pickle.h"

#include <stdlib.h>
#include <string.h>

#include "core/data/text/bytes.h"
#include "core/data/text/text.h"

enum { NAME_LINE_MAX = 256, GLOBAL_MAX = 128, BLOCK = 1 << 14 };

static const char ordered_dict[] = "collections.OrderedDict";
enum { ORDERED_DICT = -2 /* the number of its global */ };

/* As many values as there are above the last mark. */
#define MARKED UINT32_MAX

/* After a failure nothing is pushed any more, and the machine stops. */
static void
fail (SlPickle *p, SlStatus status)
{
  if (sl_ok (&p->status))
    p->status = status;
}

static void
refuse (SlPickle *p, SlMessage found, SlMessage expected)
{
  fail (p, sl_status_at (SL_EFORMAT, p->path, SL_BYTE, p->place + p->at, found, expected));
}

static void
refuse_use (SlPickle *p)
{
  refuse (p, sl_message ("a broken pickle"), sl_message ("one that Python wrote"));
}

/* ---- memory ---- */

/* Takes bytes of the budget; false if there are none left. */
static bool
pay (SlPickle *p, uint64_t size)
{
  if (size <= p->budget - p->used)
    {
      p->used += size;
      return true;
    }
  fail (p, sl_status_new (SL_ENOMEM, p->path,
                          sl_message ("a pickle that needs more memory than its file has bytes"),
                          sl_message ("tensors, and what names them")));
  return false;
}

/* Blocks are chained by their first bytes. */
static void *
take_memory (SlPickle *p, size_t size)
{
  if (p->block == NULL || p->block_used + size > BLOCK)
    {
      void **block = pay (p, BLOCK) ? malloc (BLOCK) : NULL;

      if (block == NULL)
        {
          fail (p, sl_status_no_memory (p->path));
          return NULL;
        }
      *block = p->block;
      p->block = block;
      p->block_used = sizeof (SlPickleCell);
    }
  p->block_used += size;
  return (char *) p->block + p->block_used - size;
}

/* Room for `want` items. */
static bool
grow (SlPickle *p, SlPickleStack *stack, uint64_t want)
{
  uint64_t        room = stack->room < 32 ? 64 : stack->room + (uint64_t) stack->room / 2;
  SlPickleValue **larger;

  if (want <= stack->room)
    return true;
  room = room < want ? want : room;
  if (!pay (p, (room - stack->room) * sizeof *larger))
    return false;
  larger = realloc (stack->item, room * sizeof *larger);
  if (larger == NULL)
    {
      fail (p, sl_status_no_memory (p->path));
      return false;
    }
  stack->item = larger;
  stack->room = (uint32_t) room;
  return true;
}

static void
clear_values (SlPickle *p)
{
  while (p->block != NULL)
    {
      void *before = *(void **) p->block;

      free (p->block);
      p->block = before;
      p->used -= BLOCK;
    }
  p->cells = 0;
  p->stack.n = p->memo.n = 0;
  p->outers = (SlPickleValue) { .kind = SL_PICKLE_LIST };
  p->result = NULL;
}

/* ---- stack ---- */

static void
push (SlPickle *p, SlPickleValue *value)
{
  if (sl_ok (&p->status) && grow (p, &p->stack, (uint64_t) p->stack.n + 1))
    p->stack.item[p->stack.n++] = value;
}

static SlPickleValue *
push_new (SlPickle *p, SlPickleValue value)
{
  SlPickleValue *made = sl_ok (&p->status) ? take_memory (p, sizeof *made) : NULL;

  if (made == NULL)
    return &p->nothing;
  *made = value;
  push (p, made);
  return made;
}

/* The topmost *n values, or all above the last mark with it, go; they lie there until something is pushed.  *n is 0 where
 * there are fewer.  */
static SlPickleValue **
pop_values (SlPickle *p, uint32_t *n)
{
  bool     marked = *n == MARKED;
  uint32_t have = 0;

  while (have < *n && have < p->stack.n && p->stack.item[p->stack.n - 1 - have] != NULL)
    have++;
  if (marked ? have == p->stack.n : have < *n)
    {
      refuse_use (p);
      *n = 0;
      return NULL;
    }
  *n = have;
  p->stack.n -= have + marked;
  /* An empty stack may have no place in memory. */
  return have + marked > 0 ? p->stack.item + p->stack.n + marked : p->stack.item;
}

static SlPickleValue *
pop (SlPickle *p)
{
  uint32_t        n = 1;
  SlPickleValue **value = pop_values (p, &n);

  return value != NULL ? *value : &p->nothing;
}

/* ---- values of several ---- */

static void
append (SlPickle *p, SlPickleValue *to, SlPickleValue *item)
{
  SlPickleCell *cell = sl_ok (&p->status) ? take_memory (p, sizeof *cell) : NULL;

  if (cell == NULL)
    return;
  *cell = (SlPickleCell) { item, NULL };
  if (to->n++ == 0)
    to->first = cell;
  else
    to->last->next = cell;
  to->last = cell;
  p->cells++;
}

/* The topmost `n` values become one. */
static void
push_several (SlPickle *p, SlPickleKind kind, uint32_t n)
{
  SlPickleValue   several = { .kind = kind };
  SlPickleValue **item = pop_values (p, &n);

  for (uint32_t i = 0; i < n; i++)
    append (p, &several, item[i]);
  push_new (p, several);
}

/* They go into the list or dictionary below them. */
static void
add_items (SlPickle *p, SlPickleKind kind, uint32_t n)
{
  SlPickleValue **item = pop_values (p, &n);
  SlPickleValue  *to = p->stack.n > 0 ? p->stack.item[p->stack.n - 1] : NULL;

  if (to == NULL || to->kind != kind || (kind == SL_PICKLE_DICT && n % 2 != 0))
    refuse_use (p);
  else
    for (uint32_t i = 0; i < n; i++)
      append (p, to, item[i]);
}

/* ---- what stands in the pickle ---- */

/* The next `n` bytes, or NULL. */
static const uint8_t *
take (SlPickle *p, uint64_t n)
{
  p->cut = n > p->size - p->at;
  if (p->cut)
    {
      refuse (p, sl_message ("the end of the pickle"), sl_message ("a complete one"));
      return NULL;
    }
  p->at += n;
  return p->bytes + p->at - n;
}

/* A number of `size` bytes, the lowest first. */
static uint64_t
take_number (SlPickle *p, size_t size)
{
  const uint8_t *bytes = take (p, size);

  return bytes != NULL ? sl_little_endian (bytes, size) : 0;
}

/* The next `n` bytes, which stay where they are. */
static void
push_bytes (SlPickle *p, SlPickleKind kind, uint64_t n)
{
  const uint8_t *bytes = take (p, n);

  push_new (p, (SlPickleValue) { .kind = kind, .n = (uint32_t) n, .text = (const char *) bytes });
}

static void
push_plain (SlPickle *p, SlPickleKind kind, int64_t whole)
{
  push_new (p, (SlPickleValue) { .kind = kind, .whole = whole });
}

/* Of any length, the lowest byte first. */
static void
push_long (SlPickle *p)
{
  unsigned n = (unsigned) take_number (p, 1), shift = n > 0 && n <= 8 ? 64 - 8 * n : 0;

  if (n > 8)
    push_bytes (p, SL_PICKLE_OTHER, n);
  else
    push_plain (p, SL_PICKLE_WHOLE, (int64_t) (take_number (p, n) << shift) >> shift);
}

static void
push_real (SlPickle *p)
{
  SlPickleValue  value = { .kind = SL_PICKLE_REAL };
  const uint8_t *bytes = take (p, 8);
  uint64_t       bits = bytes != NULL ? sl_big_endian (bytes, 8) : 0;

  memcpy (&value.real, &bits, sizeof bits);
  push_new (p, value);
}

/* A text up to the end of a line. */
static void
push_line (SlPickle *p)
{
  size_t         left = p->size - p->at;
  const uint8_t *from = p->bytes + p->at,
                *end = memchr (from, '\n', left < NAME_LINE_MAX ? left : NAME_LINE_MAX);

  if (end == NULL && left >= NAME_LINE_MAX)
    refuse_use (p);
  push_bytes (p, SL_PICKLE_TEXT, end != NULL ? (uint64_t) (end - from) : NAME_LINE_MAX);
  take (p, 1);
}

/* ---- what Python would look up or call ---- */

/* Module and name, the topmost two, become a global, if it is one that may be named. */
static void
make_global (SlPickle *p)
{
  const SlPickleValue *of = pop (p), *module = pop (p);
  char                 name[GLOBAL_MAX];
  size_t               n;
  int                  number;

  if (module->kind != SL_PICKLE_TEXT || of->kind != SL_PICKLE_TEXT || !sl_ok (&p->status))
    {
      refuse_use (p);
      return;
    }
  sl_text_printable (module->text, module->n, name, sizeof name - 2);
  n = strlen (name);
  name[n++] = '.';
  sl_text_printable (of->text, of->n, name + n, sizeof name - n);
  number = strcmp (name, ordered_dict) == 0 ? ORDERED_DICT : p->global (name);
  if (number == -1)
    {
      refuse (p, sl_message ("%s, which could run code", name),
              sl_message ("tensors and plain values alone"));
      p->status = sl_status_line (p->status,
                                  "torch.save({\"name\": tensor.detach().cpu()}, \"tensors.pt\")");
    }
  push_plain (p, SL_PICKLE_GLOBAL, number);
}

/* An ordered dictionary is one, whose pairs may be its argument. */
static void
make_dictionary (SlPickle *p, const SlPickleValue *arguments)
{
  const SlPickleValue *pairs = sl_pickle_item_of (arguments, 0, SL_PICKLE_LIST);
  SlPickleValue       *made = push_new (p, (SlPickleValue) { .kind = SL_PICKLE_DICT });

  for (SlPickleCell *at = pairs != NULL ? pairs->first : NULL; at != NULL; at = at->next)
    {
      const SlPickleValue *pair = at->value;

      if ((pair->kind != SL_PICKLE_TUPLE && pair->kind != SL_PICKLE_LIST) || pair->n != 2)
        {
          refuse_use (p);
          return;
        }
      append (p, made, pair->first->value);
      append (p, made, pair->first->next->value);
    }
}

static void
make_call (SlPickle *p)
{
  SlPickleValue *arguments = pop (p), *of = pop (p), call = { .kind = SL_PICKLE_CALL };

  if (of->kind != SL_PICKLE_GLOBAL || arguments->kind != SL_PICKLE_TUPLE)
    refuse_use (p);
  else if (of->whole == ORDERED_DICT)
    make_dictionary (p, arguments);
  else
    {
      append (p, &call, of);
      append (p, &call, arguments);
      push_new (p, call);
    }
}

static void
make_outer (SlPickle *p)
{
  SlPickleValue outer = *pop (p);

  if (outer.kind != SL_PICKLE_TUPLE)
    refuse_use (p);
  outer.kind = SL_PICKLE_OUTER;
  append (p, &p->outers, push_new (p, outer));
}

/* ---- memory of the pickle ---- */

/* Some count from 1, or leave numbers out. */
static void
remember (SlPickle *p, uint64_t at)
{
  SlPickleValue *top = p->stack.n > 0 ? p->stack.item[p->stack.n - 1] : NULL;

  if (top == NULL)
    refuse_use (p);
  if (!sl_ok (&p->status) || !grow (p, &p->memo, at + 1))
    return;
  while (p->memo.n <= at)
    p->memo.item[p->memo.n++] = NULL;
  p->memo.item[at] = top;
}

static void
recall (SlPickle *p, uint64_t at)
{
  if (at < p->memo.n && p->memo.item[at] != NULL)
    push (p, p->memo.item[at]);
  else
    refuse_use (p);
}

/* ---- codes ---- */

/* Values that stand in the pickle themselves. */
static void
run_plain (SlPickle *p, unsigned code)
{
  switch (code)
    {
    case 'N': push_plain (p, SL_PICKLE_NONE, 0); break;                             /* NONE */
    case 0x88: push_plain (p, SL_PICKLE_TRUTH, 1); break;                           /* NEWTRUE */
    case 0x89: push_plain (p, SL_PICKLE_TRUTH, 0); break;                           /* NEWFALSE */
    case 'K': push_plain (p, SL_PICKLE_WHOLE, (int64_t) take_number (p, 1)); break; /* BININT1 */
    case 'M': push_plain (p, SL_PICKLE_WHOLE, (int64_t) take_number (p, 2)); break; /* BININT2 */
    case 'J': push_plain (p, SL_PICKLE_WHOLE, (int32_t) take_number (p, 4)); break; /* BININT */
    case 0x8a: push_long (p); break;                                                /* LONG1 */
    case 'G': push_real (p); break;                                                 /* BINFLOAT */
    case 0x8c:                                                            /* SHORT_BINUNICODE */
    case 'U': push_bytes (p, SL_PICKLE_TEXT, take_number (p, 1)); break;  /* SHORT_BINSTRING */
    case 'X':                                                             /* BINUNICODE */
    case 'T': push_bytes (p, SL_PICKLE_TEXT, take_number (p, 4)); break;  /* BINSTRING */
    case 0x8d: push_bytes (p, SL_PICKLE_TEXT, take_number (p, 8)); break; /* BINUNICODE8 */
    case 'C': push_bytes (p, SL_PICKLE_OTHER, take_number (p, 1)); break; /* SHORT_BINBYTES */
    case 'B': push_bytes (p, SL_PICKLE_OTHER, take_number (p, 4)); break; /* BINBYTES */
    case '}': push_several (p, SL_PICKLE_DICT, 0); break;                 /* EMPTY_DICT */
    case ']': push_several (p, SL_PICKLE_LIST, 0); break;                 /* EMPTY_LIST */
    case ')': push_several (p, SL_PICKLE_TUPLE, 0); break;                /* EMPTY_TUPLE */
    default:
      refuse (p, sl_message ("the code 0x%02x of a pickle", code),
              sl_message ("one that tensors are saved with"));
    }
}

static void
run_code (SlPickle *p, unsigned code)
{
  switch (code)
    {
    case 0x80: take (p, 1); break;                              /* PROTO */
    case 0x95: take (p, 8); break;                              /* FRAME */
    case '(': push (p, NULL); break;                            /* MARK */
    case '0': pop (p); break;                                   /* POP */
    case 'q': remember (p, take_number (p, 1)); break;          /* BINPUT */
    case 'r': remember (p, take_number (p, 4)); break;          /* LONG_BINPUT */
    case 0x94: remember (p, p->memo.n); break;                  /* MEMOIZE */
    case 'h': recall (p, take_number (p, 1)); break;            /* BINGET */
    case 'j': recall (p, take_number (p, 4)); break;            /* LONG_BINGET */
    case 't': push_several (p, SL_PICKLE_TUPLE, MARKED); break; /* TUPLE */
    case 0x85:                                                  /* TUPLE1 */
    case 0x86:                                                  /* TUPLE2 */
    case 0x87: /* TUPLE3 */ push_several (p, SL_PICKLE_TUPLE, code - 0x84); break;
    case 'a': add_items (p, SL_PICKLE_LIST, 1); break;      /* APPEND */
    case 'e': add_items (p, SL_PICKLE_LIST, MARKED); break; /* APPENDS */
    case 's': add_items (p, SL_PICKLE_DICT, 2); break;      /* SETITEM */
    case 'u': add_items (p, SL_PICKLE_DICT, MARKED); break; /* SETITEMS */
    case 'c':                                               /* GLOBAL */
      push_line (p);
      push_line (p);
      make_global (p);
      break;
    case 0x93: make_global (p); break; /* STACK_GLOBAL */
    case 'R':                          /* REDUCE */
    case 0x81: make_call (p); break;   /* NEWOBJ */
    case 'Q': make_outer (p); break;   /* BINPERSID */
    case 'b': pop (p); break; /* BUILD: attributes, which tensors and dictionaries do without */
    default: run_plain (p, code);
    }
}

SlStatus
sl_pickle_run (SlPickle *p)
{
  const uint8_t *code;

  clear_values (p);
  p->status = SL_SUCCESS;
  p->nothing = (SlPickleValue) { .kind = SL_PICKLE_NONE };
  while (sl_ok (&p->status) && (code = take (p, 1)) != NULL && *code != '.') /* STOP */
    run_code (p, *code);
  p->result = pop (p);
  for (uint32_t i = 0; i < p->stack.n; i++)
    if (p->stack.item[i] == NULL)
      refuse_use (p);
  return p->status;
}

void
sl_pickle_clear (SlPickle *p)
{
  clear_values (p);
  free (p->stack.item);
  free (p->memo.item);
  *p = (SlPickle) { .path = p->path };
}

const SlPickleValue *
sl_pickle_item (const SlPickleValue *of, uint32_t number)
{
  const SlPickleCell *cell = of != NULL && of->kind >= SL_PICKLE_TUPLE ? of->first : NULL;

  for (; cell != NULL && number > 0; number--)
    cell = cell->next;
  return cell != NULL ? cell->value : NULL;
}

const SlPickleValue *
sl_pickle_item_of (const SlPickleValue *of, uint32_t number, SlPickleKind kind)
{
  const SlPickleValue *item = sl_pickle_item (of, number);

  return item != NULL && item->kind == kind ? item : NULL;
}

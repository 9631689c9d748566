/* SPDX-License-Identifier: MIT */
#include "core/data/read/containers/torch/pickle.h"

#include <stdlib.h>
#include <string.h>

#include "core/data/text/bytes.h"
#include "core/data/text/text.h"

enum { NAME_LINE_MAX = 256 };

/* All that can fail returns false then, with the failure in p->status. */
static bool
refuse (SlPickle *p, SlMessage found, SlMessage expected)
{
  p->status = sl_status_at (SL_EFORMAT, p->path, SL_BYTE, p->place + p->at, found, expected);
  return false;
}

static bool
refuse_use (SlPickle *p)
{
  return refuse (p, sl_message ("a broken pickle"), sl_message ("one that torch.save wrote"));
}

static bool
refuse_code (SlPickle *p, unsigned code)
{
  return refuse (p, sl_message ("the code 0x%02x of a pickle", code),
                 sl_message ("one that torch.save wrote"));
}

static bool
take (SlPickle *p, uint64_t n, const uint8_t **bytes)
{
  *bytes = p->bytes + p->at;
  p->cut = n > p->size - p->at;
  if (p->cut)
    return refuse (p, sl_message ("the end of the pickle"),
                   sl_message ("a complete file of torch.save"));
  p->at += n;
  return true;
}

static bool
take_number (SlPickle *p, size_t size, uint64_t *number)
{
  const uint8_t *bytes;

  if (!take (p, size, &bytes))
    return false;
  *number = sl_little_endian (bytes, size);
  return true;
}

/* Room for `want` items of one size, within the budget. */
static bool
grow (SlPickle *p, void **block, uint32_t *room, uint64_t want, size_t size)
{
  uint64_t more = *room < 32 ? 64 : *room + (uint64_t) *room / 2;
  void    *larger;

  if (want <= *room)
    return true;
  more = more < want ? want : more;
  if (more > UINT32_MAX - 1 || (more - *room) * size > p->budget - p->used)
    {
      refuse (p, sl_message ("a pickle larger than its file"),
              sl_message ("tensors that torch.save wrote"));
      p->status.code = SL_ENOMEM;
      return false;
    }
  larger = realloc (*block, more * size);
  if (larger == NULL)
    {
      p->status = sl_status_no_memory (p->path);
      return false;
    }
  p->used += (more - *room) * size;
  *block = larger;
  *room = (uint32_t) more;
  return true;
}

static bool
stack_push (SlPickle *p, SlPickleStack *stack, uint32_t item)
{
  if (!grow (p, (void **) &stack->item, &stack->room, (uint64_t) stack->n + 1, sizeof *stack->item))
    return false;
  stack->item[stack->n++] = item;
  return true;
}

/* How many there are above the last mark. */
static uint32_t
above_mark (const SlPickle *p)
{
  return p->stack.n - (p->mark.n > 0 ? p->mark.item[p->mark.n - 1] : 0);
}

static bool
pop (SlPickle *p, uint32_t *number)
{
  *number = 0;
  if (above_mark (p) == 0)
    return refuse_use (p);
  *number = p->stack.item[--p->stack.n];
  return true;
}

static bool
push (SlPickle *p, SlPickleValue value)
{
  if (!grow (p, (void **) &p->value, &p->value_room, (uint64_t) p->n_values + 1, sizeof *p->value))
    return false;
  p->value[p->n_values] = value;
  return stack_push (p, &p->stack, p->n_values++);
}

static bool
push_empty (SlPickle *p, SlPickleKind kind)
{
  return push (p, (SlPickleValue) { .kind = kind, .first = SL_PICKLE_END, .last = SL_PICKLE_END });
}

/* Adds a cell to a value that has some. */
static bool
append (SlPickle *p, uint32_t to, uint32_t item)
{
  SlPickleValue *value = &p->value[to];

  if (!grow (p, (void **) &p->cell, &p->cell_room, (uint64_t) p->n_cells + 1, sizeof *p->cell))
    return false;
  p->cell[p->n_cells] = (SlPickleCell) { item, SL_PICKLE_END };
  if (value->n == 0)
    value->first = p->n_cells;
  else
    p->cell[value->last].next = p->n_cells;
  value->last = p->n_cells++;
  value->n++;
  return true;
}

/* The topmost `n` values become cells of another, and are gone. */
static bool
append_all (SlPickle *p, uint32_t to, uint32_t n)
{
  p->stack.n -= n;
  for (uint32_t i = 0; i < n; i++)
    if (!append (p, to, p->stack.item[p->stack.n + i]))
      return false;
  return true;
}

/* The topmost `n` values become a tuple. */
static bool
collect (SlPickle *p, uint32_t n)
{
  uint32_t made = 0;

  if (n > above_mark (p))
    return refuse_use (p);
  return push_empty (p, SL_PICKLE_TUPLE) && pop (p, &made) && append_all (p, made, n)
         && stack_push (p, &p->stack, made);
}

/* Takes the last mark away; *n values are above it. */
static bool
pop_mark (SlPickle *p, uint32_t *n)
{
  *n = above_mark (p);
  if (p->mark.n == 0)
    return refuse_use (p);
  p->mark.n--;
  return true;
}

static bool
collect_marked (SlPickle *p)
{
  uint32_t n;

  return pop_mark (p, &n) && collect (p, n);
}

/* The topmost `n` values go into the list or dictionary below them. */
static bool
add_items (SlPickle *p, SlPickleKind kind, uint32_t n)
{
  uint32_t below;

  if (n >= above_mark (p) || (kind == SL_PICKLE_DICT && n % 2 != 0))
    return refuse_use (p);
  below = p->stack.item[p->stack.n - 1 - n];
  return p->value[below].kind == kind ? append_all (p, below, n) : refuse_use (p);
}

static bool
add_marked (SlPickle *p, SlPickleKind kind)
{
  uint32_t n;

  return pop_mark (p, &n) && add_items (p, kind, n);
}

/* What stays where it is: its length in the pickle, or `n` bytes. */
static bool
push_place (SlPickle *p, SlPickleKind kind, uint64_t n)
{
  const uint8_t *bytes;

  return take (p, n, &bytes)
         && push (
           p, (SlPickleValue) { .kind = kind, .n = (uint32_t) n, .first = (uint32_t) (p->at - n) });
}

static bool
push_text (SlPickle *p, SlPickleKind kind, size_t length_bytes)
{
  uint64_t n;

  return take_number (p, length_bytes, &n) && push_place (p, kind, n);
}

static bool
push_whole (SlPickle *p, size_t size)
{
  uint64_t bits;

  return take_number (p, size, &bits)
         && push (p, (SlPickleValue) { .kind = SL_PICKLE_WHOLE,
                                       .whole = size == 4 ? (int32_t) bits : (int64_t) bits });
}

/* Of any length, the lowest byte first. */
static bool
push_long (SlPickle *p)
{
  uint64_t n, bits;
  unsigned shift;

  if (!take_number (p, 1, &n))
    return false;
  if (n > 8)
    return push_place (p, SL_PICKLE_OTHER, n);
  shift = n > 0 ? 64 - 8 * (unsigned) n : 0;
  return take_number (p, n, &bits)
         && push (p, (SlPickleValue) { .kind = SL_PICKLE_WHOLE,
                                       .whole = (int64_t) (bits << shift) >> shift });
}

static bool
push_real (SlPickle *p)
{
  SlPickleValue  value = { .kind = SL_PICKLE_REAL };
  const uint8_t *bytes;
  uint64_t       bits;

  if (!take (p, 8, &bytes))
    return false;
  bits = sl_big_endian (bytes, 8);
  memcpy (&value.real, &bits, sizeof bits);
  return push (p, value);
}

/* A text up to the end of a line. */
static bool
push_line (SlPickle *p)
{
  size_t         left = p->size - p->at;
  const uint8_t *from = p->bytes + p->at,
                *end = memchr (from, '\n', left < NAME_LINE_MAX ? left : NAME_LINE_MAX);
  const uint8_t *bytes;

  if (end == NULL)
    return left < NAME_LINE_MAX ? take (p, NAME_LINE_MAX, &bytes) : refuse_use (p);
  return push_place (p, SL_PICKLE_TEXT, (uint64_t) (end - from)) && take (p, 1, &bytes);
}

/* Module and name, the topmost two, become a global, if it is one that may be named. */
static bool
make_global (SlPickle *p)
{
  SlPickleValue global = { .kind = SL_PICKLE_GLOBAL };
  char          name[SL_PICKLE_GLOBAL_MAX];

  if (!pop (p, &global.last) || !pop (p, &global.first))
    return false;
  if (p->value[global.first].kind != SL_PICKLE_TEXT || p->value[global.last].kind != SL_PICKLE_TEXT)
    return refuse_use (p);
  sl_pickle_global (p, &global, name);
  if (p->known (name))
    return push (p, global);
  refuse (p, sl_message ("%s, which could run code", name),
          sl_message ("tensors and plain values alone"));
  p->status
    = sl_status_line (p->status, "torch.save({\"name\": tensor.detach().cpu()}, \"tensors.pt\")");
  return false;
}

/* An ordered dictionary is one, whose pairs may be its argument. */
static bool
make_dictionary (SlPickle *p, const SlPickleValue *arguments)
{
  const SlPickleValue *pairs = sl_pickle_item (p, arguments, 0);
  uint32_t at = pairs != NULL && pairs->kind == SL_PICKLE_LIST ? pairs->first : SL_PICKLE_END;
  uint32_t made = p->n_values;

  if (!push_empty (p, SL_PICKLE_DICT))
    return false;
  for (; at != SL_PICKLE_END; at = p->cell[at].next)
    {
      const SlPickleValue *pair = &p->value[p->cell[at].value];
      uint32_t             key = pair->first;

      if ((pair->kind != SL_PICKLE_TUPLE && pair->kind != SL_PICKLE_LIST) || pair->n != 2)
        return refuse_use (p);
      if (!append (p, made, p->cell[key].value)
          || !append (p, made, p->cell[p->cell[key].next].value))
        return false;
    }
  return true;
}

static bool
make_call (SlPickle *p)
{
  SlPickleValue call = { .kind = SL_PICKLE_CALL }, arguments;
  char          name[SL_PICKLE_GLOBAL_MAX];

  if (!pop (p, &call.last) || !pop (p, &call.first))
    return false;
  arguments = p->value[call.last];
  if (arguments.kind != SL_PICKLE_TUPLE || p->value[call.first].kind != SL_PICKLE_GLOBAL)
    return refuse_use (p);
  sl_pickle_global (p, &p->value[call.first], name);
  return strcmp (name, "collections.OrderedDict") == 0 ? make_dictionary (p, &arguments)
                                                       : push (p, call);
}

/* What is beside the pickle, by a tuple. */
static bool
make_outer (SlPickle *p)
{
  SlPickleValue outer = { .kind = SL_PICKLE_OUTER };

  if (!pop (p, &outer.first))
    return false;
  return p->value[outer.first].kind == SL_PICKLE_TUPLE ? push (p, outer) : refuse_use (p);
}

/* Attributes of an object, which tensors and dictionaries do without. */
static bool
drop_state (SlPickle *p)
{
  uint32_t state;

  return pop (p, &state) && (above_mark (p) > 0 || refuse_use (p));
}

/* Some count from 1, or leave numbers out. */
static bool
remember (SlPickle *p, uint64_t at)
{
  if (above_mark (p) == 0)
    return refuse_use (p);
  if (!grow (p, (void **) &p->memo.item, &p->memo.room, at + 1, sizeof *p->memo.item))
    return false;
  while (p->memo.n <= at)
    p->memo.item[p->memo.n++] = SL_PICKLE_END;
  p->memo.item[at] = p->stack.item[p->stack.n - 1];
  return true;
}

static bool
put_memo (SlPickle *p, size_t size)
{
  uint64_t at;

  return take_number (p, size, &at) && remember (p, at);
}

static bool
get_memo (SlPickle *p, size_t size)
{
  uint64_t at;

  if (!take_number (p, size, &at))
    return false;
  if (at >= p->memo.n || p->memo.item[at] == SL_PICKLE_END)
    return refuse_use (p);
  return stack_push (p, &p->stack, p->memo.item[at]);
}

static bool
skip_number (SlPickle *p, size_t size)
{
  uint64_t number;

  return take_number (p, size, &number);
}

/* Values that stand in the pickle themselves. */
static bool
run_plain (SlPickle *p, unsigned code)
{
  switch (code)
    {
    case 'N': return push (p, (SlPickleValue) { .kind = SL_PICKLE_NONE }); /* NONE */
    case 0x88:
      return push (p, (SlPickleValue) { .kind = SL_PICKLE_TRUTH, .whole = 1 }); /* NEWTRUE */
    case 0x89: return push (p, (SlPickleValue) { .kind = SL_PICKLE_TRUTH });    /* NEWFALSE */
    case 'K': return push_whole (p, 1);                                         /* BININT1 */
    case 'M': return push_whole (p, 2);                                         /* BININT2 */
    case 'J': return push_whole (p, 4);                                         /* BININT */
    case 0x8a: return push_long (p);                                            /* LONG1 */
    case 'G': return push_real (p);                                             /* BINFLOAT */
    case 0x8c: return push_text (p, SL_PICKLE_TEXT, 1); /* SHORT_BINUNICODE */
    case 'U': return push_text (p, SL_PICKLE_TEXT, 1);  /* SHORT_BINSTRING */
    case 'X': return push_text (p, SL_PICKLE_TEXT, 4);  /* BINUNICODE */
    case 'T': return push_text (p, SL_PICKLE_TEXT, 4);  /* BINSTRING */
    case 0x8d: return push_text (p, SL_PICKLE_TEXT, 8); /* BINUNICODE8 */
    case 'C': return push_text (p, SL_PICKLE_OTHER, 1); /* SHORT_BINBYTES */
    case 'B': return push_text (p, SL_PICKLE_OTHER, 4); /* BINBYTES */
    case '}': return push_empty (p, SL_PICKLE_DICT);    /* EMPTY_DICT */
    case ']': return push_empty (p, SL_PICKLE_LIST);    /* EMPTY_LIST */
    case ')': return push_empty (p, SL_PICKLE_TUPLE);   /* EMPTY_TUPLE */
    default: return refuse_code (p, code);
    }
}

static bool
run_code (SlPickle *p, unsigned code)
{
  uint32_t dropped;

  switch (code)
    {
    case 0x80: return skip_number (p, 1);                               /* PROTO */
    case 0x95: return skip_number (p, 8);                               /* FRAME */
    case '(': return stack_push (p, &p->mark, p->stack.n);              /* MARK */
    case '0': return pop (p, &dropped);                                 /* POP */
    case 'q': return put_memo (p, 1);                                   /* BINPUT */
    case 'r': return put_memo (p, 4);                                   /* LONG_BINPUT */
    case 0x94: return remember (p, p->memo.n);                          /* MEMOIZE */
    case 'h': return get_memo (p, 1);                                   /* BINGET */
    case 'j': return get_memo (p, 4);                                   /* LONG_BINGET */
    case 't': return collect_marked (p);                                /* TUPLE */
    case 0x85: return collect (p, 1);                                   /* TUPLE1 */
    case 0x86: return collect (p, 2);                                   /* TUPLE2 */
    case 0x87: return collect (p, 3);                                   /* TUPLE3 */
    case 'a': return add_items (p, SL_PICKLE_LIST, 1);                  /* APPEND */
    case 'e': return add_marked (p, SL_PICKLE_LIST);                    /* APPENDS */
    case 's': return add_items (p, SL_PICKLE_DICT, 2);                  /* SETITEM */
    case 'u': return add_marked (p, SL_PICKLE_DICT);                    /* SETITEMS */
    case 'c': return push_line (p) && push_line (p) && make_global (p); /* GLOBAL */
    case 0x93: return make_global (p);                                  /* STACK_GLOBAL */
    case 'R': return make_call (p);                                     /* REDUCE */
    case 0x81: return make_call (p);                                    /* NEWOBJ */
    case 'Q': return make_outer (p);                                    /* BINPERSID */
    case 'b': return drop_state (p);                                    /* BUILD */
    default: return run_plain (p, code);
    }
}

SlStatus
sl_pickle_run (SlPickle *p)
{
  const uint8_t *code;

  p->n_values = p->n_cells = 0;
  p->stack.n = p->memo.n = p->mark.n = 0;
  p->status = SL_SUCCESS;
  while (take (p, 1, &code))
    if (*code == '.') /* STOP */
      return (p->mark.n == 0 || refuse_use (p)) && pop (p, &p->result) ? SL_SUCCESS : p->status;
    else if (!run_code (p, *code))
      break;
  return p->status;
}

void
sl_pickle_clear (SlPickle *p)
{
  free (p->value);
  free (p->cell);
  free (p->stack.item);
  free (p->memo.item);
  free (p->mark.item);
  *p = (SlPickle) { .path = p->path };
}

const SlPickleValue *
sl_pickle_item (const SlPickle *p, const SlPickleValue *of, uint32_t number)
{
  uint32_t at = of->first;

  if (number >= of->n)
    return NULL;
  for (; number > 0; number--)
    at = p->cell[at].next;
  return &p->value[p->cell[at].value];
}

void
sl_pickle_global (const SlPickle *p, const SlPickleValue *global, char name[SL_PICKLE_GLOBAL_MAX])
{
  const SlPickleValue *module = &p->value[global->first], *of = &p->value[global->last];
  size_t               n;

  sl_text_printable ((const char *) p->bytes + module->first, module->n, name,
                     SL_PICKLE_GLOBAL_MAX - 2);
  n = strlen (name);
  name[n++] = '.';
  sl_text_printable ((const char *) p->bytes + of->first, of->n, name + n,
                     SL_PICKLE_GLOBAL_MAX - n);
}

bool
sl_pickle_text_is (const SlPickle *p, const SlPickleValue *value, const char *text)
{
  return value->kind == SL_PICKLE_TEXT && value->n == strlen (text)
         && memcmp (p->bytes + value->first, text, value->n) == 0;
}

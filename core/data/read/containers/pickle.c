/* SPDX-License-Identifier: MIT */
#include "core/data/read/containers/pickle.h"

#include <stdlib.h>
#include <string.h>

#include "core/data/text/bytes.h"
#include "core/data/text/text.h"

enum { NAME_LINE_MAX = 256 };

static SlStatus
refuse (const SlPickle *p, SlMessage found, SlMessage expected)
{
  return sl_status_at (SL_EFORMAT, p->path, SL_BYTE, p->place + p->at, found, expected);
}

static SlStatus
refuse_use (const SlPickle *p)
{
  return refuse (p, sl_message ("a broken pickle"), sl_message ("one that Python wrote"));
}

static SlStatus
take (SlPickle *p, uint64_t n, const uint8_t **bytes)
{
  *bytes = p->bytes + p->at;
  if (n > p->size - p->at)
    {
      p->cut = true;
      return refuse (p, sl_message ("the end of the pickle"), sl_message ("a complete one"));
    }
  p->at += n;
  return SL_SUCCESS;
}

static SlStatus
take_number (SlPickle *p, size_t size, uint64_t *number)
{
  const uint8_t *bytes;
  SlStatus       status = take (p, size, &bytes);

  *number = sl_ok (&status) ? sl_little_endian (bytes, size) : 0;
  return status;
}

/* Room for `want` items of one size, within the budget. */
static SlStatus
grow (SlPickle *p, void **block, uint32_t *room, uint64_t want, size_t size)
{
  uint64_t more = *room < 32 ? 64 : *room + (uint64_t) *room / 2;
  void    *larger;

  if (want <= *room)
    return SL_SUCCESS;
  more = more < want ? want : more;
  if (more > UINT32_MAX - 1 || (more - *room) * size > p->budget - p->used)
    return sl_status_at (SL_ENOMEM, p->path, SL_BYTE, p->place + p->at,
                         sl_message ("a pickle that needs more memory than its file has bytes"),
                         sl_message ("tensors, and what names them"));
  larger = realloc (*block, more * size);
  if (larger == NULL)
    return sl_status_no_memory (p->path);
  p->used += (more - *room) * size;
  *block = larger;
  *room = (uint32_t) more;
  return SL_SUCCESS;
}

static SlStatus
stack_push (SlPickle *p, SlPickleStack *stack, uint32_t item)
{
  SlStatus status
    = grow (p, (void **) &stack->item, &stack->room, (uint64_t) stack->n + 1, sizeof *stack->item);

  if (sl_ok (&status))
    stack->item[stack->n++] = item;
  return status;
}

/* How many there are above the last mark. */
static uint32_t
above_mark (const SlPickle *p)
{
  return p->stack.n - (p->mark.n > 0 ? p->mark.item[p->mark.n - 1] : 0);
}

static SlStatus
pop (SlPickle *p, uint32_t *number)
{
  *number = 0;
  if (above_mark (p) == 0)
    return refuse_use (p);
  *number = p->stack.item[--p->stack.n];
  return SL_SUCCESS;
}

static SlStatus
push (SlPickle *p, SlPickleValue value)
{
  SlStatus status
    = grow (p, (void **) &p->value, &p->value_room, (uint64_t) p->n_values + 1, sizeof *p->value);

  if (!sl_ok (&status))
    return status;
  p->value[p->n_values] = value;
  return stack_push (p, &p->stack, p->n_values++);
}

static SlStatus
push_empty (SlPickle *p, SlPickleKind kind)
{
  return push (p, (SlPickleValue) { .kind = kind, .first = SL_PICKLE_END, .last = SL_PICKLE_END });
}

/* Adds a cell to a value that has some. */
static SlStatus
append (SlPickle *p, uint32_t to, uint32_t item)
{
  SlPickleValue *value = &p->value[to];
  SlStatus       status
    = grow (p, (void **) &p->cell, &p->cell_room, (uint64_t) p->n_cells + 1, sizeof *p->cell);

  if (!sl_ok (&status))
    return status;
  p->cell[p->n_cells] = (SlPickleCell) { item, SL_PICKLE_END };
  if (value->n == 0)
    value->first = p->n_cells;
  else
    p->cell[value->last].next = p->n_cells;
  value->last = p->n_cells++;
  value->n++;
  return status;
}

/* The topmost `n` values become cells of the one below them (which may be `to`), and are gone. */
static SlStatus
append_all (SlPickle *p, uint32_t to, uint32_t n)
{
  uint32_t from = p->stack.n - n;
  SlStatus status = SL_SUCCESS;

  for (uint32_t i = 0; i < n && sl_ok (&status); i++)
    status = append (p, to, p->stack.item[from + i]);
  p->stack.n = from;
  return status;
}

/* The topmost `n` values become one. */
static SlStatus
collect (SlPickle *p, SlPickleKind kind, uint32_t n)
{
  uint32_t from = p->stack.n - n, made;
  SlStatus status;

  if (n > above_mark (p))
    return refuse_use (p);
  status = push_empty (p, kind);
  if (!sl_ok (&status))
    return status;
  made = p->stack.item[--p->stack.n];
  status = append_all (p, made, n);
  p->stack.n = from;
  return sl_ok (&status) ? stack_push (p, &p->stack, made) : status;
}

/* Takes the last mark away; *n values are above it. */
static SlStatus
pop_mark (SlPickle *p, uint32_t *n)
{
  *n = above_mark (p);
  if (p->mark.n == 0)
    return refuse_use (p);
  p->mark.n--;
  return SL_SUCCESS;
}

static SlStatus
collect_marked (SlPickle *p, SlPickleKind kind)
{
  uint32_t n;
  SlStatus status = pop_mark (p, &n);

  return sl_ok (&status) ? collect (p, kind, n) : status;
}

/* The topmost `n` values go into the list or dictionary below them. */
static SlStatus
add_items (SlPickle *p, SlPickleKind kind, uint32_t n)
{
  uint32_t below;

  if (n >= above_mark (p) || (kind == SL_PICKLE_DICT && n % 2 != 0))
    return refuse_use (p);
  below = p->stack.item[p->stack.n - 1 - n];
  if (p->value[below].kind != kind)
    return refuse_use (p);
  return append_all (p, below, n);
}

static SlStatus
add_marked (SlPickle *p, SlPickleKind kind)
{
  uint32_t n;
  SlStatus status = pop_mark (p, &n);

  return sl_ok (&status) ? add_items (p, kind, n) : status;
}

static SlStatus
push_text (SlPickle *p, SlPickleKind kind, size_t length_bytes)
{
  const uint8_t *bytes;
  uint64_t       n;
  SlStatus       status = take_number (p, length_bytes, &n);

  if (sl_ok (&status))
    status = take (p, n, &bytes);
  if (!sl_ok (&status))
    return status;
  return push (
    p, (SlPickleValue) { .kind = kind, .n = (uint32_t) n, .first = (uint32_t) (p->at - n) });
}

static SlStatus
push_whole (SlPickle *p, size_t size)
{
  uint64_t bits;
  SlStatus status = take_number (p, size, &bits);
  int64_t  whole = size == 4 ? (int32_t) bits : (int64_t) bits;

  return sl_ok (&status) ? push (p, (SlPickleValue) { .kind = SL_PICKLE_WHOLE, .whole = whole })
                         : status;
}

/* Of any length, the lowest byte first. */
static SlStatus
push_long (SlPickle *p)
{
  const uint8_t *bytes;
  uint64_t       n, bits;
  unsigned       shift;
  SlStatus       status = take_number (p, 1, &n);

  if (sl_ok (&status))
    status = take (p, n, &bytes);
  if (!sl_ok (&status))
    return status;
  if (n > 8)
    return push (p, (SlPickleValue) { .kind = SL_PICKLE_OTHER,
                                      .n = (uint32_t) n,
                                      .first = (uint32_t) (p->at - n) });
  bits = sl_little_endian (bytes, n);
  shift = n > 0 ? 64 - 8 * (unsigned) n : 0;
  return push (
    p, (SlPickleValue) { .kind = SL_PICKLE_WHOLE, .whole = (int64_t) (bits << shift) >> shift });
}

static SlStatus
push_real (SlPickle *p)
{
  SlPickleValue  value = { .kind = SL_PICKLE_REAL };
  const uint8_t *bytes;
  uint64_t       bits;
  SlStatus       status = take (p, 8, &bytes);

  if (!sl_ok (&status))
    return status;
  bits = sl_big_endian (bytes, 8);
  memcpy (&value.real, &bits, sizeof bits);
  return push (p, value);
}

/* A text up to the end of a line. */
static SlStatus
push_line (SlPickle *p)
{
  size_t         left = p->size - p->at;
  const uint8_t *from = p->bytes + p->at,
                *end = memchr (from, '\n', left < NAME_LINE_MAX ? left : NAME_LINE_MAX);
  const uint8_t *bytes;
  SlStatus       status;

  if (end == NULL)
    return left < NAME_LINE_MAX ? take (p, NAME_LINE_MAX, &bytes) : refuse_use (p);
  status
    = push (p, (SlPickleValue) {
                 .kind = SL_PICKLE_TEXT, .n = (uint32_t) (end - from), .first = (uint32_t) p->at });
  p->at += (size_t) (end - from) + 1;
  return status;
}

/* Module and name, the topmost two, become a global, if it is one that may be named. */
static SlStatus
make_global (SlPickle *p)
{
  SlPickleValue global = { .kind = SL_PICKLE_GLOBAL };
  char          name[SL_PICKLE_GLOBAL_MAX];
  SlStatus      status = pop (p, &global.last);

  if (sl_ok (&status))
    status = pop (p, &global.first);
  if (!sl_ok (&status))
    return status;
  if (p->value[global.first].kind != SL_PICKLE_TEXT || p->value[global.last].kind != SL_PICKLE_TEXT)
    return refuse_use (p);
  sl_pickle_global (p, &global, name);
  if (p->known (name))
    return push (p, global);
  return sl_status_line (
    refuse (p, sl_message ("%s, which could run code and is not called", name),
            sl_message (
              "tensors, numbers, texts, lists and dictionaries alone, saved where they were made")),
    "torch.save({\"name\": tensor.detach().cpu()}, \"tensors.pt\")");
}

static SlStatus
read_global (SlPickle *p)
{
  SlStatus status = push_line (p);

  if (sl_ok (&status))
    status = push_line (p);
  return sl_ok (&status) ? make_global (p) : status;
}

/* An ordered dictionary is one, whose pairs may be its argument. */
static SlStatus
make_dictionary (SlPickle *p, const SlPickleValue *arguments)
{
  const SlPickleValue *pairs = sl_pickle_item (p, arguments, 0);
  uint32_t first = pairs != NULL && pairs->kind == SL_PICKLE_LIST ? pairs->first : SL_PICKLE_END;
  SlStatus status = push_empty (p, SL_PICKLE_DICT);
  uint32_t made = p->n_values - 1;

  for (uint32_t at = first; at != SL_PICKLE_END && sl_ok (&status); at = p->cell[at].next)
    {
      const SlPickleValue *pair = &p->value[p->cell[at].value];
      uint32_t             key = pair->first;

      if ((pair->kind != SL_PICKLE_TUPLE && pair->kind != SL_PICKLE_LIST) || pair->n != 2)
        return refuse_use (p);
      status = append (p, made, p->cell[key].value);
      if (sl_ok (&status))
        status = append (p, made, p->cell[p->cell[key].next].value);
    }
  return status;
}

static SlStatus
make_call (SlPickle *p)
{
  SlPickleValue call = { .kind = SL_PICKLE_CALL };
  char          name[SL_PICKLE_GLOBAL_MAX];
  SlPickleValue arguments;
  SlStatus      status = pop (p, &call.last);

  if (sl_ok (&status))
    status = pop (p, &call.first);
  if (!sl_ok (&status))
    return status;
  arguments = p->value[call.last];
  if (arguments.kind != SL_PICKLE_TUPLE || p->value[call.first].kind != SL_PICKLE_GLOBAL)
    return refuse_use (p);
  sl_pickle_global (p, &p->value[call.first], name);
  return strcmp (name, "collections.OrderedDict") == 0 ? make_dictionary (p, &arguments)
                                                       : push (p, call);
}

/* What is beside the pickle, by a tuple. */
static SlStatus
make_outer (SlPickle *p)
{
  SlPickleValue outer = { .kind = SL_PICKLE_OUTER };
  SlStatus      status = pop (p, &outer.first);

  if (sl_ok (&status) && p->value[outer.first].kind != SL_PICKLE_TUPLE)
    return refuse_use (p);
  return sl_ok (&status) ? push (p, outer) : status;
}

/* Attributes of an object, which tensors and dictionaries do without. */
static SlStatus
drop_state (SlPickle *p)
{
  uint32_t state;
  SlStatus status = pop (p, &state);

  return sl_ok (&status) && above_mark (p) == 0 ? refuse_use (p) : status;
}

/* Some count from 1, or leave numbers out. */
static SlStatus
remember (SlPickle *p, uint64_t at)
{
  SlStatus status = grow (p, (void **) &p->memo.item, &p->memo.room, at + 1, sizeof *p->memo.item);

  if (!sl_ok (&status))
    return status;
  if (above_mark (p) == 0)
    return refuse_use (p);
  while (p->memo.n <= at)
    p->memo.item[p->memo.n++] = SL_PICKLE_END;
  p->memo.item[at] = p->stack.item[p->stack.n - 1];
  return status;
}

static SlStatus
put_memo (SlPickle *p, size_t size)
{
  uint64_t at;
  SlStatus status = take_number (p, size, &at);

  return sl_ok (&status) ? remember (p, at) : status;
}

static SlStatus
get_memo (SlPickle *p, size_t size)
{
  uint64_t at;
  SlStatus status = take_number (p, size, &at);

  if (sl_ok (&status) && (at >= p->memo.n || p->memo.item[at] == SL_PICKLE_END))
    return refuse_use (p);
  return sl_ok (&status) ? stack_push (p, &p->stack, p->memo.item[at]) : status;
}

static SlStatus
skip_number (SlPickle *p, size_t size)
{
  uint64_t number;

  return take_number (p, size, &number);
}

static SlStatus
refuse_code (SlPickle *p, unsigned code)
{
  return refuse (p, sl_message ("the code 0x%02x of a pickle", code),
                 sl_message ("one that tensors are saved with"));
}

/* Values that stand in the pickle themselves. */
static SlStatus
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

static SlStatus
run_code (SlPickle *p, unsigned code)
{
  uint32_t dropped;

  switch (code)
    {
    case 0x80: return skip_number (p, 1);                  /* PROTO */
    case 0x95: return skip_number (p, 8);                  /* FRAME */
    case '(': return stack_push (p, &p->mark, p->stack.n); /* MARK */
    case '0': return pop (p, &dropped);                    /* POP */
    case 'q': return put_memo (p, 1);                      /* BINPUT */
    case 'r': return put_memo (p, 4);                      /* LONG_BINPUT */
    case 0x94: return remember (p, p->memo.n);             /* MEMOIZE */
    case 'h': return get_memo (p, 1);                      /* BINGET */
    case 'j': return get_memo (p, 4);                      /* LONG_BINGET */
    case 't': return collect_marked (p, SL_PICKLE_TUPLE);  /* TUPLE */
    case 0x85: return collect (p, SL_PICKLE_TUPLE, 1);     /* TUPLE1 */
    case 0x86: return collect (p, SL_PICKLE_TUPLE, 2);     /* TUPLE2 */
    case 0x87: return collect (p, SL_PICKLE_TUPLE, 3);     /* TUPLE3 */
    case 'a': return add_items (p, SL_PICKLE_LIST, 1);     /* APPEND */
    case 'e': return add_marked (p, SL_PICKLE_LIST);       /* APPENDS */
    case 's': return add_items (p, SL_PICKLE_DICT, 2);     /* SETITEM */
    case 'u': return add_marked (p, SL_PICKLE_DICT);       /* SETITEMS */
    case 'c': return read_global (p);                      /* GLOBAL */
    case 0x93: return make_global (p);                     /* STACK_GLOBAL */
    case 'R': return make_call (p);                        /* REDUCE */
    case 0x81: return make_call (p);                       /* NEWOBJ */
    case 'Q': return make_outer (p);                       /* BINPERSID */
    case 'b': return drop_state (p);                       /* BUILD */
    default: return run_plain (p, code);
    }
}

static void
forget (SlPickle *p)
{
  p->n_values = p->n_cells = 0;
  p->stack.n = p->memo.n = p->mark.n = 0;
  p->cut = false;
}

SlStatus
sl_pickle_run (SlPickle *p)
{
  const uint8_t *code;
  SlStatus       status;

  forget (p);
  for (;;)
    {
      status = take (p, 1, &code);
      if (sl_ok (&status) && *code == '.' /* STOP */)
        return p->mark.n > 0 ? refuse_use (p) : pop (p, &p->result);
      if (sl_ok (&status))
        status = run_code (p, *code);
      if (!sl_ok (&status))
        return status;
    }
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

/* SPDX-License-Identifier: MIT
 *
 * A pickle of Python as data: a machine that knows what tensors, numbers, texts, lists and dictionaries are made
 * with, and calls nothing.  Where Python would call a function there is a value that names it.  Protocols 2 to 5.
 *
 * Memory: no more than the budget for all values together, whatever numbers the pickle has.  */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/status.h"

typedef enum {
  SL_PICKLE_NONE,
  SL_PICKLE_TRUTH,
  SL_PICKLE_WHOLE,
  SL_PICKLE_REAL,
  SL_PICKLE_TEXT,
  SL_PICKLE_TUPLE,
  SL_PICKLE_LIST,
  SL_PICKLE_DICT,   /* keys and values in turn */
  SL_PICKLE_GLOBAL, /* a name of a module: "torch.FloatStorage" */
  SL_PICKLE_CALL,   /* a global and a tuple of arguments */
  SL_PICKLE_OUTER,  /* what is beside the pickle, a tuple that tells which */
  SL_PICKLE_OTHER,  /* bytes, and whole numbers of more than 64 bits, by where they are */
} SlPickleKind;

/* A value is known by its number in `value`. */
typedef struct
{
  uint32_t kind, n; /* SlPickleKind; letters of a text, cells of what has some */
  union
  {
    int64_t whole;
    double  real;
    struct
    {
      uint32_t first,
        last; /* of a text: where it begins; cells, or SL_PICKLE_END; of a call, the global and
                             * the tuple; of a global, the module and the name as texts; what is outer: a tuple */
    };
  };
} SlPickleValue;

enum { SL_PICKLE_GLOBAL_MAX = 128 };
#define SL_PICKLE_END UINT32_MAX

typedef struct
{
  uint32_t value, next;
} SlPickleCell;

typedef struct
{
  uint32_t *item;
  uint32_t  n, room;
} SlPickleStack;

typedef struct
{
  const char    *path;
  const uint8_t *bytes; /* (size) the caller's, which texts point into */
  size_t         size, at;
  uint64_t       place; /* of the bytes in the file, for failures */
  bool           cut;   /* it ends with the bytes, of which there may be more */
  size_t         used, budget;

  SlPickleValue *value;
  uint32_t       n_values, value_room;
  SlPickleCell  *cell;
  uint32_t       n_cells, cell_room;
  SlPickleStack  stack, memo, mark;
  uint32_t       result;
  SlStatus       status; /* of what failed last */

  bool (*known) (const char *global); /* those that a pickle may name */
} SlPickle;

/* Runs the machine from pickle->at on to the end of one pickle, to pickle->result; values of an earlier one of the
 * same bytes are gone.  path, bytes, size, place, budget and known are set.  SL_EFORMAT: not such a pickle, a name
 * that is not known; SL_ENOMEM: above the budget.  */
SlStatus sl_pickle_run (SlPickle *pickle);
void     sl_pickle_clear (SlPickle *pickle);

static inline const SlPickleValue *
sl_pickle_value (const SlPickle *pickle, uint32_t number)
{
  return &pickle->value[number];
}

/* An item of a tuple, list or dictionary, or NULL. */
const SlPickleValue *sl_pickle_item (const SlPickle *pickle, const SlPickleValue *of,
                                     uint32_t number);

/* "module.name" of a global. */
void sl_pickle_global (const SlPickle *pickle, const SlPickleValue *global,
                       char name[SL_PICKLE_GLOBAL_MAX]);

bool sl_pickle_text_is (const SlPickle *pickle, const SlPickleValue *value, const char *text);

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
  SL_PICKLE_OTHER,  /* bytes, and whole numbers of more than 64 bits, as they are */
  SL_PICKLE_GLOBAL, /* a function or class, by its number in `whole` */
  SL_PICKLE_TUPLE,  /* from here on values of several */
  SL_PICKLE_LIST,
  SL_PICKLE_DICT,  /* keys and values in turn; an OrderedDict too */
  SL_PICKLE_CALL,  /* a global and a tuple of arguments */
  SL_PICKLE_OUTER, /* what is beside the pickle, by the items of a tuple that tells which */
} SlPickleKind;

typedef struct SlPickleCell  SlPickleCell;
typedef struct SlPickleValue SlPickleValue;

struct SlPickleValue
{
  SlPickleKind kind;
  uint32_t     n; /* letters, bytes, cells */
  union
  {
    int64_t     whole;
    double      real;
    const char *text; /* into the pickle */
    struct
    {
      SlPickleCell *first, *last;
    };
  };
};

struct SlPickleCell
{
  SlPickleValue *value;
  SlPickleCell  *next;
};

typedef struct
{
  SlPickleValue **item;
  uint32_t        n, room;
} SlPickleStack;

typedef struct
{
  const char    *path;
  const uint8_t *bytes; /* (size) the caller's, which texts point into */
  size_t         size, at;
  uint64_t       place;             /* of the bytes in the file, for failures */
  bool           cut;               /* it ends with the bytes, of which there may be more */
  int (*global) (const char *name); /* the number of "module.name", or -1: not known */

  size_t        used, budget; /* bytes of all values */
  void         *block;        /* the newest of those that values and cells lie in */
  size_t        block_used, cells;
  SlPickleStack stack, memo; /* NULL in the stack: a mark */
  SlPickleValue outers, *result;
  SlPickleValue nothing; /* NONE, where there is no value after a failure */
  SlStatus      status;  /* the first failure */
} SlPickle;

/* Runs the machine from pickle->at on to the end of one pickle, to pickle->result; `outers` has each SL_PICKLE_OUTER.
 * Values of an earlier one of the same bytes are gone.  path, bytes, size, place, budget and global are set.
 * SL_EFORMAT: not such a pickle, a name that is not known; SL_ENOMEM: above the budget.  */
SlStatus sl_pickle_run (SlPickle *pickle);
void     sl_pickle_clear (SlPickle *pickle);

/* An item of a value of several, or NULL; also of NULL. */
const SlPickleValue *sl_pickle_item (const SlPickleValue *of, uint32_t number);

/* The same if it is of this kind. */
const SlPickleValue *sl_pickle_item_of (const SlPickleValue *of, uint32_t number,
                                        SlPickleKind kind);

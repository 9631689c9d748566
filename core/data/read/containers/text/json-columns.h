/* SPDX-License-Identifier: MIT
 *
 * Members of JSON as columns, while it is read.  Functions return false after a failure, which is in `status`, or SL_OK
 * there where the text is no JSON.  */
#pragma once

#include "core/data/read/containers/text/columns.h"
#include "core/data/read/containers/text/numbers.h"
#include "core/data/read/containers/text/scan.h"

enum { SL_JSON_LEVELS_MAX = 64 };

/* Objects that are rows: the outermost, or those of a list that a member has. */
typedef struct
{
  char      path[SL_ARRAY_NAME];
  size_t    rows, room;
  int       parent; /* the level of the object that has the list, -1: none */
  uint32_t *record; /* (rows) which row of it */
} SlJsonLevel;

typedef struct
{
  SlColumn column;
  char     path[SL_ARRAY_NAME];
  size_t   n;
  unsigned level;
} SlJsonMember;

typedef struct
{
  SlArrays     *arrays;
  SlColumns     columns;
  SlNumbers     numbers;
  SlScan        scan;
  SlJsonMember *member;
  unsigned      n, guess;
  size_t        room;
  unsigned     *place; /* (places) of the members by their hash, n + 1; a power of two */
  unsigned      places;
  SlJsonLevel   level[SL_JSON_LEVELS_MAX];
  unsigned      n_levels;
  char          path[SL_ARRAY_NAME];
  size_t        path_n;
  int           open; /* the member whose list is being read, or -1 */
  char         *spare;
  size_t        spare_room;
  uint64_t      long_names, strays;
  SlStatus      status;
} SlJsonColumns;

/* Keeps the first failure. */
void sl_json_keep (SlJsonColumns *j, const SlStatus *status);

/* The same; whether `status` is none. */
static inline bool
sl_json_good (SlJsonColumns *j, SlStatus status)
{
  if (!sl_ok (&status))
    sl_json_keep (j, &status);
  return sl_ok (&status);
}

bool sl_json_fail (SlJsonColumns *j, SlMessage found, SlMessage expected);
bool sl_json_no_memory (SlJsonColumns *j);

/* The member of the path, filled up to the row before that of its level; a new one if need be. */
bool sl_json_find_member (SlJsonColumns *j, unsigned level, unsigned *index);

/* The level of a list of objects at the path, in an object of level `parent`. */
bool sl_json_find_level (SlJsonColumns *j, unsigned parent, unsigned *index);

/* One row more of a level. */
bool sl_json_begin_row (SlJsonColumns *j, unsigned index);

/* A text that has an array in base 64: a .npy, or, if it is typed, numbers of a type and shape beside it. */
typedef struct
{
  const char *data;
  size_t      n;
  SlArray     array;
  bool        typed, shaped;
} SlJsonTensor;

/* Whether the object at the scan, which then is behind it, is {data: base 64, shape, dtype}. */
bool sl_json_read_tensor (SlScan *scan, SlJsonTensor *tensor);

/* Puts its numbers into the member of the path. */
bool sl_json_put_packed (SlJsonColumns *j, unsigned level, const SlJsonTensor *tensor);

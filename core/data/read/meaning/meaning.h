/* SPDX-License-Identifier: MIT
 *
 * From named arrays to what they are: each gets a role by the rules, and the order of its axes by its shape,
 * by what the person says, or by its numbers where two orders are possible.  */
#pragma once

#include "core/data/read/meaning/rules.h"
#include "core/data/set/reading.h"

typedef struct
{
  SlArray      *array; /* of the arrays */
  const SlRule *rule;  /* NULL: none; also of an array without a name */
  SlRole        role;
  uint64_t      number[2]; /* in its name: a layer, or a pass and a layer */
  unsigned      numbers;
  char          axes[SL_ARRAY_AXES + 1]; /* "" until settled */
} SlMeant;

typedef struct
{
  SlArrays *arrays;
  SlMeant  *of; /* (arrays->n) */
  unsigned
    curves; /* columns of numbers beside one of steps; 0: no load of an expert is among them */
  unsigned loads; /* of them, those that are called as the load of one expert is */
} SlMeaning;

/* What the person says; 0 or "" where nothing is said. */
typedef struct
{
  SlRole   as; /* SL_ROLE_IDS, SCORES or LOADS */
  char     axes[SL_ARRAY_AXES];
  unsigned k;
} SlSaid;

/* Gives every array the role that its name has.  SL_ENOMEM.  To be cleared also after a failure. */
SlStatus sl_meaning_init (SlMeaning *meaning, SlArrays *arrays);
void     sl_meaning_clear (SlMeaning *meaning);

/* How well a name is one of training steps: 0 the best ("step"), then "global_step", …; -1: none. */
int sl_steps_rank (const char *name);

/* What a trainer calls the load of one expert: "moe/layer_3_expert_7_load". */
typedef struct
{
  bool     layered; /* it has a layer */
  uint64_t layer, expert;
  uint64_t family; /* the same for names that differ in these numbers alone */
} SlTrainedName;

/* Reads such a name.  False: it is none. */
bool sl_trained_name (const char *name, SlTrainedName *to);

/* Finds columns of training steps and of the loads of experts, and gives them their roles.  Of several families, as
 * "…/count" and "…/share", the largest is taken, of equal ones the first.  SL_ENOMEM.  */
SlStatus sl_meaning_train (SlMeaning *meaning);

/* The first array of a role, or NULL. */
SlMeant *sl_meaning_find (const SlMeaning *meaning, SlRole role);

/* Settles the role of an array that can be several things by its type and numbers, and then its axes.  Where two
 * readings are possible that the numbers cannot tell apart, a failure that names both; where one was taken the
 * other is in `reading`.  SL_EFORMAT, SL_EIO, SL_ENOMEM.  */
SlStatus sl_meaning_settle (SlMeaning *meaning, SlMeant *meant, const SlSaid *said,
                            SlFileReading *reading);

/* Notes the arrays without any role, by name. */
void sl_meaning_note_rest (const SlMeaning *meaning, SlFileReading *reading);

/* The length of an axis by its letter; 1 where there is none. */
uint64_t sl_meant_length (const SlMeant *meant, char axis);

/* How far apart two neighbours along an axis are, in rows of the last one; 0 where there is none. */
uint64_t sl_meant_stride (const SlMeant *meant, char axis);

/* Whether integers can be the numbers of different experts in each row of the last axis.  SL_EIO, SL_ENOMEM. */
SlStatus sl_look_like_ids (SlArrays *arrays, SlArray *array, bool *likely);

/* How far the loads of layers are off even, in standard errors of chance. */
typedef struct
{
  double least, most; /* of any layer */
  double all;         /* of all together */
  bool   collapsed;   /* in each layer nearly all tokens have the same experts */
} SlOff;

/* The same for the layers of these axes ("tlk", "ltn", …); of scores the `k` largest count.  SL_EIO, SL_ENOMEM. */
SlStatus sl_look_off_chance (SlArrays *arrays, SlArray *array, const char *axes, unsigned k,
                             SlOff *off);

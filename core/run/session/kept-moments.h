/* SPDX-License-Identifier: MIT
 *
 * The moments of a session's run (core/run/moments), filled from its record, and the store's copy of them.  */
#pragma once

#include "core/run/moments/moments.h"
#include "core/run/record/record.h"
#include "core/run/store/store.h"

typedef struct
{
  SlMoments *of;      /* owned */
  uint64_t   offered; /* the picture was of this version when they last had it; */
  uint64_t   written; /* the version of them that the store has */
} SlKeptMoments;

/* The picture of one example that the record has becomes a moment, once; one that is ahead of `step` waits. */
void sl_kept_moments_offer (SlKeptMoments *kept, const SlRecord *record, uint64_t step);

/* Another run begins with none, or goes on from `stored`. */
void sl_kept_moments_begin (SlKeptMoments *kept, const SlStoredRun *stored);

/* Writes them where the store has others of this run; `uuid` NULL: nothing. */
void sl_kept_moments_write (SlKeptMoments *kept, SlStore *store, const char *uuid);

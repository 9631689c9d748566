/* SPDX-License-Identifier: MIT
 *
 * What the functions of the library share: how a call begins and ends, and how it fails.  */
#pragma once

#include <glib.h>
#include <locale.h>

#include "core/data/set/dataset.h"
#include "lib/sluice.h"

struct SluiceData
{
  SlDataset      *dataset;
  gatomicrefcount references;
};

/* Another reference, for a run; sluice_data_free() drops one. */
SluiceData *sl_lib_data_ref (const SluiceData *data);

/* A call of the library.  Until it ends, its thread writes numbers and sentences as in the C locale, whatever the program
 * has set.  */
typedef struct
{
  SluiceCode code;
  locale_t   before;
} SlLibCall;

/* Around a call of the caller's gate, which may not call the library: the run that it works for is in the middle of an
 * update.  */
void sl_lib_gate_begin (void);
void sl_lib_gate_end (void);

/* Begins a call and forgets the thread's last failure.  `code` is SLUICE_FORKED where this process is a fork of one that
 * used the library, SLUICE_INVALID in a gate.  */
SlLibCall sl_lib_enter (void);
void      sl_lib_leave (SlLibCall *call);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (SlLibCall, sl_lib_leave)

/* In each function that returns a code, once what it gives is NULL or 0 and before all else. */
#define SL_LIB_ENTER()                                                                             \
  g_auto (SlLibCall) sl_lib_call = sl_lib_enter ();                                                \
  if (sl_lib_call.code != SLUICE_FINE)                                                             \
  return sl_lib_call.code

/* Each keeps a sentence for sluice_error() and returns the code that is meant, for a good status SLUICE_FINE.  The error is
 * freed.  */
SluiceCode sl_lib_fail (const SlStatus *status);
SluiceCode sl_lib_fail_error (GError *error);
SluiceCode sl_lib_refuse (SluiceCode code, const char *format, ...) G_GNUC_PRINTF (2, 3);

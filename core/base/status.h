/* SPDX-License-Identifier: MIT
 *
 * What a function of the core returns when something can go wrong: a code and the facts that make
 * one clear sentence.  The core never prints, exits or aborts; sl_status_text() puts the facts into
 * words for the caller that shows them.  */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/message.h"

typedef enum {
  SL_OK = 0,
  SL_EINVAL,       /* an argument or setting outside its range */
  SL_ENOMEM,       /* an allocation failed, or a size exceeds the memory budget */
  SL_EIO,          /* the system refused to open, read or write */
  SL_EFORMAT,      /* a file or text that is not what it claims to be */
  SL_EDIVERGED,    /* the loss or a weight is not finite */
  SL_ECANCELLED,   /* the caller or the user cancelled */
  SL_EUNSUPPORTED, /* valid, but not for this lab, data set or build */
  SL_EGATE,        /* a gate that a program brings failed */
} SlCode;

typedef enum {
  SL_NOWHERE, /* no position */
  SL_BYTE,    /* bytes from the start of the (uncompressed) file */
  SL_LINE,    /* lines, from 1 */
  SL_RECORD,  /* examples, from 0 */
  SL_STEP,    /* updates of a run */
} SlPlace;

/* A way out that can be taken literally: an option of the file with its value, or a line of Python that
 * makes a file that can be read.  */
typedef struct
{
  char option[16], value[64];
  char line[160];
} SlAdvice;

enum { SL_ADVICE_MAX = 2 };

typedef struct
{
  SlCode    code;
  SlPlace   place;
  uint64_t  position;     /* counted in `place` */
  char      subject[192]; /* the file, parameter or quantity; may be empty */
  SlMessage found;        /* what was there; may be empty */
  SlMessage expected;     /* what should have been there; may be empty */
  SlAdvice  advice[SL_ADVICE_MAX];
  unsigned  n_advice;
} SlStatus;

/* The good result, for `return SL_SUCCESS;`. */
#define SL_SUCCESS ((SlStatus) { .code = SL_OK })

static inline bool
sl_ok (const SlStatus *status)
{
  return status->code == SL_OK;
}

/* A failure of `subject`, with what was found and expected (SL_NO_MESSAGE: not said).  A long
 * subject is cut at the front, so that a file's name survives its folders; one with a space is a
 * phrase, which is translated.  */
SlStatus sl_status_new (SlCode code, const char *subject, SlMessage found, SlMessage expected);

/* The same, at a position. */
SlStatus sl_status_at (SlCode code, const char *subject, SlPlace place, uint64_t position,
                       SlMessage found, SlMessage expected);

/* SL_ENOMEM, with nothing more to say. */
SlStatus sl_status_no_memory (const char *subject);

/* Adds a way out to a failure, which its sentence ends with: "…; try class=none or class=last", "…; in Python:
 * np.save (…)".  Returns the status.  */
SlStatus sl_status_try (SlStatus status, const char *option, const char *value);
SlStatus sl_status_line (SlStatus status, const char *line);

/* The failure in one sentence of at most `size` bytes with its terminator, for example
 * "train-labels.gz, byte 4: found 60001 labels, expected 60000"; in the language of `translate`,
 * NULL: in English.  Returns `text`.  */
const char *sl_status_show (const SlStatus *status, SlTranslate *translate, char *text,
                            size_t size);

/* The same in English, for files. */
const char *sl_status_text (const SlStatus *status, char *text, size_t size);

/* The same sentence as a message. */
SlMessage sl_status_message (const SlStatus *status);

/* A few lower-case words for a code: "wrong format".  Static. */
const char *sl_code_text (SlCode code);

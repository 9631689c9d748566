/* SPDX-License-Identifier: MIT
 *
 * The moments that a run keeps for what is made of them when it is over: a film, a page.  */
#pragma once

#include "app/cli/cli.h"
#include "core/run/frames/frames.h"
#include "core/run/headless/headless.h"

enum { SL_CLI_MOMENTS_PAGE = 20, SL_CLI_MOMENTS_FILM = 60 /* unless told */ };

typedef struct
{
  SlFrames *frames;                      /* NULL: nothing is to be made of any */
  unsigned  example[SL_FRAMES_EXAMPLES]; /* (n_examples) that pictures of one example show */
  unsigned  n_examples;                  /* at least 1 */
  double    from;                        /* the share of the way that was behind the run at first */
  bool      began;
  SlStatus  status; /* the first failure: no more moments are kept after it */
} SlCliMoments;

/* Adds --moments to a command; 0: as many as suit what is made. */
void sl_cli_moments_add_option (int *most, GOptionContext *context);

/* Whether so many moments can be kept.  Complains. */
bool sl_cli_moments_check (int most);

/* Keeps at most `most` moments of the panels in `wanted` (n_panels) from now on, pictures of one example for at most
 * `examples` examples.  SL_ENOMEM.  sl_cli_moments_clear() also after a failure.  */
SlStatus sl_cli_moments_begin (SlCliMoments *moments, const SlHeadlessRun *run, const bool *wanted,
                               unsigned most, unsigned examples);

/* Before every update, as SlHeadlessAsk has it, and once behind the last. */
void     sl_cli_moments_offer (SlCliMoments *moments, const SlHeadlessRun *run, double done);
SlStatus sl_cli_moments_end (SlCliMoments *moments, const SlHeadlessRun *run);

void sl_cli_moments_clear (SlCliMoments *moments);

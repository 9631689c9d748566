/* SPDX-License-Identifier: MIT
 *
 * Which place is shown after which, whatever asks for it.  */
#include "core/run/stage/stage.h"

#define OVERVIEW SL_SHOWN_OVERVIEW
#define CLOSER SL_SHOWN_CLOSER
#define OWN SL_SHOWN_OWN
#define LESSON SL_SHOWN_LESSON
#define TOGETHER SL_SHOWN_LESSON_OVERVIEW
#define PAIR SL_SHOWN_PAIR
#define LIST SL_SHOWN_LIST
#define BEHIND SL_SHOWN_BEHIND

/* clang-format off */
static const SlShown next[SL_N_SHOWN][SL_N_STAGE_EVENTS] = {
  /* from                       overview  closer  own  lesson  lesson overview  pair  list  back      changed */
  [SL_SHOWN_NOTHING]         = { OVERVIEW, CLOSER, OWN, LESSON, TOGETHER,        PAIR, LIST, OWN,      OWN },
  [SL_SHOWN_OVERVIEW]        = { OVERVIEW, CLOSER, OWN, LESSON, TOGETHER,        PAIR, LIST, OVERVIEW, OVERVIEW },
  [SL_SHOWN_CLOSER]          = { OVERVIEW, CLOSER, OWN, LESSON, TOGETHER,        PAIR, LIST, OVERVIEW, CLOSER },
  [SL_SHOWN_LAB]             = { OVERVIEW, CLOSER, OWN, LESSON, TOGETHER,        PAIR, LIST, OWN,      OWN },
  [SL_SHOWN_STORED]          = { OVERVIEW, CLOSER, OWN, LESSON, TOGETHER,        PAIR, LIST, OWN,      OWN },
  [SL_SHOWN_RECORDING]       = { OVERVIEW, CLOSER, OWN, LESSON, TOGETHER,        PAIR, LIST, OWN,      OWN },
  [SL_SHOWN_LESSON]          = { OVERVIEW, CLOSER, OWN, LESSON, TOGETHER,        PAIR, LIST, LESSON,   LESSON },
  [SL_SHOWN_LESSON_OVERVIEW] = { TOGETHER, CLOSER, OWN, LESSON, TOGETHER,        PAIR, LIST, OVERVIEW, TOGETHER },
  [SL_SHOWN_PAIR]            = { OVERVIEW, CLOSER, OWN, LESSON, TOGETHER,        PAIR, LIST, BEHIND,   PAIR },
  [SL_SHOWN_LIST]            = { OVERVIEW, CLOSER, OWN, LESSON, TOGETHER,        PAIR, LIST, BEHIND,   LIST },
};
/* clang-format on */

SlShown
sl_stage_next (SlShown from, SlStageEvent event)
{
  return next[from][event];
}

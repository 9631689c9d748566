/* SPDX-License-Identifier: MIT
 *
 * A lesson: steps with a text, settings of a lab, what to look at, a question to answer before the
 * run goes on, and what the run then said.  A lesson is a JSON file (*.lesson, UTF-8):
 *
 *   { "sluice-lesson": 1, "order": 3, "title": "…", "summary": "…", "author": "…",
 *                                     order: its place among the lessons of the program
 *     "goal": "…",                      what a learner can do afterwards
 *     "minutes": 25,                    how long it takes
 *     "level": "what",                  or "why" or "how-much": what it asks about above all
 *     "misconception": "…",             that it aims at
 *     "notes": "…",                     for the teacher; shown by F1, printed in the key
 *                                       (these six and order may be left out)
 *     "steps": [ {
 *       "title": "…", "text": "…",      text: formulas in braces as in formula.h
 *       and, all of which may be left out but the lab of the first step:
 *       "lab": "experts",               or "glance", the start page
 *       "level": "what",                or "why" or "how-much": what the step asks about
 *       "data": "moons:noise=0.1",      a file beside the lesson: "./points.csv"
 *       "seed": 1,
 *       "settings": { "k": 2 },         on top of those of the steps before, back to the last
 *                                       one that names a lab, and the lab's defaults
 *       "restart": true,                begin a new run in any case
 *       "run": true,                    false: pause; 400: so many updates from here
 *       "speed": 50,                    updates a second at most, for a lesson to be watched; 0: as many as
 *                                       the machine makes.  Left out: as before
 *       "highlight": { "param": "k" },  or { "panel": "cv" }, { "control": "toggle" }
 *       "show": [ "cv" ],               only these panels
 *       "offer": [ "k" ],               only these parameters
 *       "hides": [ "noise" ],           not these parameters
 *       "locks": [ "k" ],               these cannot be moved
 *       "question": {
 *         "kind": "choice", "prompt": "…", "options": [ "…", "…" ], "answer": 2 (from 1; may be
 *             left out)
 *         "kind": "number", "prompt": "…", "range": [ 0, 100 ], "step": 1, "unit": "%",
 *             "answer": "100 * cost.executed" or a number, "tolerance": 5 (may be left out)
 *         "kind": "curve", "prompt": "…", "panel": "error", "range": [ 0, 30 ] (of y), "answer":
 *             "error.valid", "tolerance": 5 (may be left out; of the mean distance), "along":
 *             [ 0, 400 ] (of x; may be left out where "run" says how long)
 *       },
 *           (A panel that tells the number already is not shown before the answer.)
 *       "reveal": "You said {guess:0} %, the clock says {answer:0} %.",
 *       "keep": { "before": "error.valid" },  values for later steps, taken when this one ends
 *       "holds": [ "before > 20 in 8 of 10" ]   what it claims at the end of the step, as in claim.h
 *     } ] }
 *
 * Texts and reveals know the channels of the step's lab ("cost.executed", "profile.exact@3"), the names kept
 * by earlier steps, and in a reveal `guess`, `answer` and, for a curve, `off`: the mean distance between the
 * two.  A prompt knows only the kept names, which do not change when it is answered.  For teachers:
 * docs/lessons.md.  Plain data, one thread.  */
#pragma once

#include <gio/gio.h>

#include "core/lab/lab.h"
#include "core/run/lesson/claim.h"
#include "core/run/record/record.h"

G_BEGIN_DECLS

enum {
  SL_LESSON_BYTES = 1 << 20, /* of a file, at most */
  SL_LESSON_STEPS = 64,
  SL_LESSON_TEXT = 2000,   /* bytes of any one text */
  SL_LESSON_OPTIONS = 6,   /* of a choice */
  SL_LESSON_SPEED = 10000, /* updates a second */
  SL_LESSON_LIST = 40,     /* ids in a list */
  SL_SKETCH_POINTS = 33,   /* of a drawn curve */
};

#define SL_LESSON_OVERVIEW "glance"

typedef enum {
  SL_POINT_NOWHERE,
  SL_POINT_PARAM,
  SL_POINT_PANEL,
  SL_POINT_CONTROL, /* one of sl_lesson_controls[] */
} SlPointAt;

typedef enum {
  SL_ASK_NOTHING,
  SL_ASK_CHOICE,
  SL_ASK_NUMBER,
  SL_ASK_CURVE,
} SlAskKind;

typedef enum {
  SL_LEVEL_NONE, /* not said */
  SL_LEVEL_WHAT,
  SL_LEVEL_WHY,
  SL_LEVEL_HOW_MUCH,
  SL_N_LEVELS,
} SlLevel;

typedef enum {
  SL_GO_ON, /* as it is; a new run runs */
  SL_GO_PAUSE,
  SL_GO_RUN,
  SL_GO_UNTIL, /* so many updates */
} SlGo;

typedef struct
{
  SlAskKind kind;
  char     *prompt;
  char    **options;      /* CHOICE: ended by NULL */
  unsigned  right;        /* CHOICE: from 1; 0: none is the right one */
  char     *answer;       /* NUMBER: a formula; CURVE: id of a channel */
  char     *unit;         /* NUMBER; never NULL */
  double    lo, hi, step; /* NUMBER: of the slider; CURVE: lo and hi of y */
  double    from, to;     /* CURVE: of x */
  double    tolerance;    /* not-a-number: the answer is not judged */
  char     *panel;        /* CURVE */
} SlQuestion;

typedef struct
{
  char *name, *formula;
} SlLessonKept;

typedef struct
{
  char *id, *value; /* the value as it is typed on a command line */
} SlLessonSetting;

typedef struct
{
  char        *title, *text;
  SlLevel      level;
  gboolean     overview; /* names the start page */
  const SlLab *lab;      /* that it names; NULL: that of the step before */
  char        *data;     /* NULL: as before, or the default of a lab just named */
  gboolean     has_seed; /* else as before, 1 at first */
  uint64_t     seed;
  GPtrArray   *settings; /* of SlLessonSetting */
  gboolean     restart;
  SlGo         go;
  uint64_t     updates;   /* UNTIL */
  gboolean     has_speed; /* else as before; at first as fast as the machine can */
  unsigned     speed;     /* updates a second at most; 0: as many as the machine makes */
  SlPointAt    point;
  char        *pointed;
  char       **show, **offer, **hides, **locks; /* ended by NULL; NULL: not said */
  SlQuestion   question;
  char        *reveal; /* NULL: none */
  GPtrArray   *keep;   /* of SlLessonKept */
  GPtrArray   *holds;  /* of SlClaim */
} SlLessonStep;

typedef struct
{
  char      *title, *summary, *author; /* author: "" when not said, as the three below */
  char      *goal, *misconception, *notes;
  unsigned   order, minutes; /* 0: not said; at most 1000 */
  SlLevel    level;
  char      *folder; /* that it was read from; NULL: none */
  GPtrArray *steps;  /* of SlLessonStep; at least one in a lesson that was read */
} SlLesson;

/* What a lesson may point at besides parameters and panels: ids of the window's controls, ended
 * by NULL.  "toggle", "step", "rewind", "sidebar", "export", "labs", "data", "menu".  */
extern const char *const sl_lesson_controls[];

/* Ids of the levels in files, "" for none, and their titles in English. */
extern const char *const sl_level_ids[SL_N_LEVELS];
extern const char *const sl_level_titles[SL_N_LEVELS];

/* The file of a lesson: that of a path, of a name in the user's folder (own.h), or, for another name without a slash and
 * an ending ("1-gate"), that of the program's.  */
GFile *sl_lesson_file (const char *name);
/* The names of the program's own lessons, sorted, ended by NULL; free with g_strfreev(). */
char **sl_lesson_names (void);

/* A lesson without steps; free with sl_lesson_free(). */
SlLesson *sl_lesson_new (const char *title, const char *summary);
void      sl_lesson_free (SlLesson *lesson);

/* Frees what a question has. */
void sl_question_clear (SlQuestion *question);

/* Adds an empty step at the end and returns it. */
SlLessonStep *sl_lesson_add (SlLesson *lesson);

/* Reads a lesson; `subject` names it in sentences, files of relative names lie in `folder` (NULL:
 * none).  Every key, id, value and formula is checked.  NULL with a sentence that has the line and
 * the key.  */
SlLesson *sl_lesson_parse (const char *text, gsize length, const char *subject, const char *folder,
                           GError **error);

/* The same from a file or a resource (resource:///…). */
SlLesson *sl_lesson_load (GFile *file, GError **error);

/* The JSON text, which reads back as the same lesson; free with g_free(). */
char *sl_lesson_write (const SlLesson *lesson);

/* A hash of that text: the same for the same lesson in every language. */
uint64_t sl_lesson_hash (const SlLesson *lesson);

/* A lesson of its own with the same steps; free with sl_lesson_free(). */
SlLesson *sl_lesson_copy (const SlLesson *lesson);

/* Writes it to a file, whole or not at all. */
gboolean sl_lesson_save (const SlLesson *lesson, const char *path, GError **error);

static inline SlLessonStep *
sl_lesson_step (const SlLesson *lesson, unsigned i)
{
  return g_ptr_array_index (lesson->steps, i);
}

/* The state at a step when all steps before it were taken. */
typedef struct
{
  const SlLab *lab; /* NULL: the start page */
  SlSettings   settings;
  char        *data; /* specification, NULL for a lab that needs none; g_free() */
  uint64_t     seed;
} SlLessonState;

/* SL_EINVAL for settings that do not fit, which a lesson that was read does not have. */
SlStatus sl_lesson_state (const SlLesson *lesson, unsigned step, SlLessonState *state);

/* Updates a second at most at a step, as it says or the last one before it that does; 0: as many as the machine makes. */
unsigned sl_lesson_speed (const SlLesson *lesson, unsigned step);

/* Value of a channel: the newest, or with `at` (else not-a-number) the one nearest to that place
 * along x, for bars the number of the category from 1.  Not-a-number while there is none; FALSE
 * when there is no such channel.  */
gboolean sl_lesson_channel (const SlRecord *record, const char *id, double at, double *value);

/* A drawn curve is SL_SKETCH_POINTS values at equal distances over the question's x.  The mean
 * distance of what was measured from it, over that part of x which was measured; not-a-number
 * where nothing was.  */
double sl_lesson_distance (const SlQuestion *question, const double sketch[SL_SKETCH_POINTS],
                           const SlRecord *record);

/* Place i of a drawn curve along x. */
double sl_lesson_place (const SlQuestion *question, unsigned i);

/* What was measured at the places of a drawn curve, on the lines between measurements; not-a-number before the first
 * and after the last.  */
void sl_lesson_curve (const SlQuestion *question, const SlRecord *record,
                      double curve[SL_SKETCH_POINTS]);

/* What the distance is the mean of: x and y of each measurement in turns, an array of doubles.  Free with
 * g_array_unref().  */
GArray *sl_lesson_measured (const SlQuestion *question, const SlRecord *record);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (SlLesson, sl_lesson_free)

G_END_DECLS

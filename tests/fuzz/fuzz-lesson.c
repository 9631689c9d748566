/* SPDX-License-Identifier: MIT
 *
 * Lessons: what can be read is written and read again the same, and what cannot be read has a
 * sentence.  */
#include "tests/fuzz/input.h"

#include <string.h>

#include "core/run/lesson/lesson.h"

static void
check_states (const SlLesson *lesson)
{
  for (unsigned i = 0; i < lesson->steps->len; i++)
    {
      SlLessonState state;
      SlStatus      status = sl_lesson_state (lesson, i, &state);

      fuzz_require (sl_ok (&status));
      g_free (state.data);
    }
}

static void
check_round_trip (const SlLesson *lesson)
{
  g_autofree char *once = sl_lesson_write (lesson), *twice = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (SlLesson) again = sl_lesson_parse (once, strlen (once), "again", NULL, &error);

  fuzz_require (again != NULL);
  twice = sl_lesson_write (again);
  fuzz_require (strcmp (once, twice) == 0);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SlLesson) lesson = sl_lesson_parse ((const char *) data, size, "it", NULL, &error);

  if (lesson == NULL)
    {
      fuzz_require (error != NULL && error->message[0] != '\0');
      fuzz_require (g_utf8_validate (error->message, -1, NULL));
      return 0;
    }
  check_states (lesson);
  check_round_trip (lesson);
  return 0;
}

/* SPDX-License-Identifier: MIT */
#include "core/run/lesson/edit.h"

#include <string.h>

#include "core/run/base/language.h"

void
sl_lesson_move (SlLesson *lesson, unsigned from, unsigned to)
{
  SlLessonStep *step;

  g_return_if_fail (from < lesson->steps->len && to < lesson->steps->len);
  step = g_ptr_array_steal_index (lesson->steps, from);
  g_ptr_array_insert (lesson->steps, (int) to, step);
}

void
sl_lesson_remove (SlLesson *lesson, unsigned step)
{
  g_return_if_fail (step < lesson->steps->len);
  g_ptr_array_remove_index (lesson->steps, step);
}

static void
free_askable (SlAskable *askable)
{
  g_free (askable->id);
  g_free (askable->title);
  g_free (askable->panel);
  g_free (askable->unit);
  g_free (askable);
}

static SlAskable *
new_askable (const SlLab *lab, const SlChannel *channel)
{
  const SlPanel *panel = &lab->panels[channel->panel];
  SlMessage      packed = sl_channel_title (lab, channel);
  SlAskable     *askable = g_new0 (SlAskable, 1);
  char           title[2 * SL_MESSAGE_SIZE];

  sl_message_show (packed.packed, sl_words, title, sizeof title);
  askable->id = g_strdup (channel->id);
  askable->title = g_strdup_printf ("%s: %s", sl_words (panel->title), title);
  askable->panel = g_strdup (panel->id);
  /* "% of dense" is said by the question. */
  askable->unit = g_strdup (panel->y.unit == NULL     ? ""
                            : panel->y.unit[0] == '%' ? "%"
                                                      : panel->y.unit);
  return askable;
}

GPtrArray *
sl_lesson_askable (const SlLesson *lesson, unsigned step)
{
  GPtrArray    *askable = g_ptr_array_new_with_free_func ((GDestroyNotify) free_askable);
  SlLessonState state;
  SlStatus      status = sl_lesson_state (lesson, step, &state);
  SlLayout      layout;

  if (sl_ok (&status) && state.lab != NULL)
    {
      sl_layout_init (&layout, state.lab, &state.settings);
      for (unsigned c = 0; c < layout.n; c++)
        {
          const SlChannel *channel = &layout.channel[c];
          const SlPanel   *panel = &state.lab->panels[channel->panel];

          if (panel->kind == SL_SERIES && panel->traces[channel->trace].style == SL_MEASURED)
            g_ptr_array_add (askable, new_askable (state.lab, channel));
        }
    }
  g_free (state.data);
  return askable;
}

gboolean
sl_lesson_check (const SlLesson *lesson, GError **error)
{
  g_autofree char *text = sl_lesson_write (lesson);
  SlLesson *again = sl_lesson_parse (text, strlen (text), lesson->title, lesson->folder, error);

  if (again == NULL)
    return FALSE;
  sl_lesson_free (again);
  return TRUE;
}

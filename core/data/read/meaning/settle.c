/* SPDX-License-Identifier: MIT
 *
 * Roles and axes of arrays whose names do not say enough.  */
#include <string.h>

#include "core/data/read/meaning/meaning.h"

/* Few rows of many different numbers are rather loads of layers than tokens with so many experts. */
enum { LOAD_ROWS = 128, LOAD_WIDTH = 8 };

enum { LAYERS_MOST = 512, SLOTS_MOST = 64, EXPERTS_MOST = 4096 };

/* So many standard errors every layer is off chance; none of the other reading, or not all of them together. */
static const double FAR = 5;

static const char ids_axes[] = "tk tlk ltk lbtk btlk", scores_axes[] = "tn tln ltn lbtn btln",
                  loads_axes[] = "n ln rln";

/* The axes of a rank among those of a rule: at most `most` of them. */
static unsigned
candidates (const char *axes, unsigned rank, char candidate[][SL_ARRAY_AXES + 1], unsigned most)
{
  unsigned n = 0;

  while (*axes != '\0' && n < most)
    {
      size_t length = strcspn (axes, " ");

      if (length == rank)
        {
          memcpy (candidate[n], axes, length);
          candidate[n++][length] = '\0';
        }
      axes += length + (axes[length] == ' ');
    }
  return n;
}

static uint64_t
last_axis (const SlArray *array)
{
  return array->axes > 0 ? array->shape[array->axes - 1] : 0;
}

static bool
are_loads (const SlArray *array)
{
  return array->axes == 2 && array->shape[0] <= LOAD_ROWS && array->shape[1] >= LOAD_WIDTH;
}

/* Rows that are too short for loads have an expert twice by mistake, which their reader says. */
static bool
are_short (const SlArray *array)
{
  return array->axes == 2 && array->shape[1] < LOAD_WIDTH;
}

/* Whether numbers are loads as they may be written: whole and not below 0, or in few rows that all add up to one, or
 * all to 100 per cent.  */
static SlStatus
look_like_counts (SlArrays *arrays, SlArray *array, bool *likely)
{
  enum { BLOCK = 4096 };

  double   block[BLOCK], sum = 0, total = 1;
  uint64_t width = last_axis (array);
  bool     whole = true, shares = are_loads (array);
  SlStatus status = sl_array_load (arrays, array);

  for (uint64_t i = 0, n; i < array->n && (whole || shares) && sl_ok (&status); i += n)
    {
      n = array->n - i < BLOCK ? array->n - i : BLOCK;
      status = sl_array_reals (array, arrays->path, i, n, block);
      for (uint64_t j = 0; j < n && (whole || shares); j++)
        {
          sum += block[j];
          whole
            = whole && block[j] >= 0 && block[j] < 9e15 && block[j] == (double) (int64_t) block[j];
          shares = shares && block[j] >= 0;
          if ((i + j + 1) % width > 0)
            continue;
          total = i + j + 1 == width && sum > 50 ? 100 : total;
          shares = shares && sum > 0.99 * total && sum < 1.01 * total;
          sum = 0;
        }
    }
  *likely = whole || shares;
  return status;
}

/* Arrays of no numbers. */
static SlStatus
refuse_type (const SlMeaning *meaning, SlArray *array)
{
  if (array->type == SL_ARRAY_OBJECTS)
    return sl_array_load (meaning->arrays, array);
  return sl_status_new (SL_EFORMAT, meaning->arrays->path, sl_message ("no plain numbers"),
                        sl_message ("tokens × layers × k"));
}

/* Whether few rows of numbers that differ add up to the same, as loads of layers do. */
static SlStatus
have_one_sum (SlArrays *arrays, SlArray *array, bool *one)
{
  double   row[EXPERTS_MOST], first[EXPERTS_MOST], sum, sums = 0;
  uint64_t width = last_axis (array);
  bool     differ = false;
  SlStatus status = SL_SUCCESS;

  *one = array->axes == 2 && array->shape[0] >= 2 && array->shape[0] <= LOAD_ROWS && width > 1
         && width <= EXPERTS_MOST;
  if (*one)
    status = sl_array_load (arrays, array);
  for (uint64_t i = 0; *one && i < array->shape[0] && sl_ok (&status); i++)
    {
      status = sl_array_reals (array, arrays->path, i * width, width, row);
      sum = 0;
      for (uint64_t j = 0; j < width; j++)
        {
          sum += row[j];
          first[j] = i == 0 ? row[j] : first[j];
          differ = differ || row[j] != first[j];
        }
      sums = i == 0 ? sum : sums;
      *one = sum == sums && sum >= (double) width;
    }
  *one = *one && differ;
  return status;
}

/* Whole numbers: expert numbers of tokens, or loads of layers. */
static SlStatus
settle_whole (SlMeaning *meaning, SlMeant *meant, SlFileReading *reading)
{
  SlArray *array = meant->array;
  bool     likely = false, one = false;
  SlStatus status = have_one_sum (meaning->arrays, array, &one);

  if (sl_ok (&status) && array->axes > 0 && last_axis (array) <= SLOTS_MOST)
    status = sl_look_like_ids (meaning->arrays, array, &likely);
  meant->role
    = one || (!(likely && !are_loads (array)) && !are_short (array)) ? SL_ROLE_LOADS : SL_ROLE_IDS;
  if (meant->role == SL_ROLE_LOADS && likely)
    sl_reading_other (reading, "as", "ids",
                      sl_message ("%llu tokens with %llu experts each",
                                  (unsigned long long) array->shape[0],
                                  (unsigned long long) last_axis (array)));
  return status;
}

/* What an array is that can be several things. */
static SlStatus
settle_role (SlMeaning *meaning, SlMeant *meant, const SlSaid *said, SlFileReading *reading)
{
  SlArray *array = meant->array;
  bool     likely = false;
  SlStatus status = SL_SUCCESS;

  if (!sl_array_whole (array) && !sl_array_real (array) && array->type != SL_ARRAY_TRUTHS)
    return refuse_type (meaning, array);
  if (said->as != SL_ROLE_NONE)
    meant->role = said->as;
  else if (array->type == SL_ARRAY_TRUTHS)
    meant->role = SL_ROLE_MASK;
  else if (array->axes == 1)
    meant->role = SL_ROLE_LOADS;
  else if (sl_array_real (array))
    {
      if (said->k == 0 && last_axis (array) >= LOAD_WIDTH)
        status = look_like_counts (meaning->arrays, array, &likely);
      meant->role = likely ? SL_ROLE_LOADS : SL_ROLE_SCORES;
      if (likely && are_loads (array))
        sl_reading_other (
          reading, "as", "logits",
          sl_message ("scores of %llu tokens", (unsigned long long) array->shape[0]));
    }
  else
    status = settle_whole (meaning, meant, reading);
  return status;
}

/* Whether a reading is possible at all. */
static bool
is_possible (const SlMeant *meant, const char *axes)
{
  SlMeant tried = *meant;

  strcpy (tried.axes, axes);
  return sl_meant_length (&tried, 'l') <= LAYERS_MOST && sl_meant_length (&tried, 'k') <= SLOTS_MOST
         && sl_meant_length (&tried, 'n') <= EXPERTS_MOST;
}

/* "6 layers × 200 tokens × 16 experts" */
static SlMessage
describe (const SlMeant *meant, const char *axes)
{
  SlMessage text = SL_NO_MESSAGE;

  for (unsigned a = 0; axes[a] != '\0'; a++)
    {
      unsigned long long n = meant->array->shape[a];
      SlMessage          one = axes[a] == 'l'   ? sl_message ("%llu layers", n)
                               : axes[a] == 't' ? sl_message ("%llu tokens", n)
                               : axes[a] == 'k' ? sl_message ("%llu each", n)
                               : axes[a] == 'n' ? sl_message ("%llu experts", n)
                               : axes[a] == 'b' ? sl_message ("%llu sequences", n)
                                                : sl_message ("%llu rows of loads", n);

      if (a > 0)
        sl_message_add (&text, " × %s", one.packed);
      else
        text = one;
    }
  return text;
}

static SlStatus
ask (const SlMeaning *meaning, const SlMeant *meant, const char *first, const char *second)
{
  SlMessage one = describe (meant, first), other = describe (meant, second);
  SlStatus  status
    = sl_status_new (SL_EFORMAT, meaning->arrays->path,
                     sl_message ("numbers that can be %s, or %s", one.packed, other.packed),
                     sl_message ("one of the two (axes=)"));

  return sl_status_try (sl_status_try (status, "axes", first), "axes", second);
}

/* How many layers an order has, or how many tokens in all sequences. */
static uint64_t
length_of (const SlMeant *meant, const char *order, char axis)
{
  SlMeant tried = *meant;

  strcpy (tried.axes, order);
  return sl_meant_length (&tried, axis) * (axis == 't' ? sl_meant_length (&tried, 'b') : 1);
}

/* Which of two orders has as many layers or tokens as an array beside it; -1: both, neither, or there is none. */
static int
by_beside (const SlMeaning *meaning, const SlMeant *meant, const char *first, const char *second,
           char axis, SlRole role)
{
  const SlMeant *beside = sl_meaning_find (meaning, role);
  uint64_t       one = length_of (meant, first, axis), other = length_of (meant, second, axis);

  if (beside == NULL)
    return -1;
  return one == other ? -1 : beside->array->n == one ? 0 : beside->array->n == other ? 1 : -1;
}

/* The model's numbers of the layers, and the words of tokens, tell which axis they are. */
static int
by_numbers (const SlMeaning *meaning, const SlMeant *meant, const char *first, const char *second)
{
  int which = by_beside (meaning, meant, first, second, 'l', SL_ROLE_NUMBERS);

  if (which < 0)
    which = by_beside (meaning, meant, first, second, 't', SL_ROLE_WORD);
  return which >= 0 ? which : by_beside (meaning, meant, first, second, 't', SL_ROLE_WORD_ID);
}

/* So many of the scores count where it is not said: enough that few tokens tell something. */
static unsigned
chosen (const SlMeant *meant, const SlSaid *said)
{
  uint64_t n = last_axis (meant->array);

  return said->k > 0 ? said->k : n >= 16 ? (unsigned) (n / 8) : n >= 4 ? 2 : 1;
}

/* Whether the numbers are of the first of two orders and not of the other.  Where a token goes to the same experts in
 * all layers, as with routing by hashes, tokens look like layers that collapsed.  */
static bool
is_clear (const SlOff *one, const SlOff *other)
{
  return one->least > FAR && !one->collapsed && (other->most <= FAR || other->all <= FAR);
}

/* Which of two orders the numbers have: routing is never even in every layer, while a token over all layers, and
 * one place over all tokens, nearly is.  -1: they cannot tell.  */
static SlStatus
by_chance (SlMeaning *meaning, const SlMeant *meant, const SlSaid *said, const char *first,
           const char *second, int *which)
{
  unsigned k = chosen (meant, said);
  SlOff    one, other;
  SlStatus status = sl_look_off_chance (meaning->arrays, meant->array, first, k, &one);

  if (sl_ok (&status))
    status = sl_look_off_chance (meaning->arrays, meant->array, second, k, &other);
  if (sl_ok (&status))
    *which = is_clear (&one, &other) ? 0 : is_clear (&other, &one) ? 1 : -1;
  return status;
}

static SlStatus
choose (SlMeaning *meaning, SlMeant *meant, const SlSaid *said, char axes[2][SL_ARRAY_AXES + 1],
        SlFileReading *reading)
{
  int       which = by_numbers (meaning, meant, axes[0], axes[1]);
  SlMessage other;
  SlStatus  status = SL_SUCCESS;

  if (which < 0)
    status = by_chance (meaning, meant, said, axes[0], axes[1], &which);
  if (!sl_ok (&status))
    return status;
  if (which < 0)
    return ask (meaning, meant, axes[0], axes[1]);
  strcpy (meant->axes, axes[which]);
  other = describe (meant, axes[!which]);
  sl_reading_other (reading, "axes", axes[!which], other);
  return SL_SUCCESS;
}

static SlStatus
refuse_rank (const SlMeaning *meaning, const SlMeant *meant)
{
  return sl_status_new (SL_EFORMAT, meaning->arrays->path,
                        sl_message ("an array of %u axes", meant->array->axes),
                        meant->role == SL_ROLE_LOADS ? sl_message ("rows × layers × experts")
                        : meant->role == SL_ROLE_IDS ? sl_message ("tokens × layers × k")
                                                     : sl_message ("tokens × layers × experts"));
}

/* The axes that the person says; they must be those of this role. */
static SlStatus
take_said (const SlMeaning *meaning, SlMeant *meant, const SlSaid *said)
{
  char last = meant->role == SL_ROLE_IDS ? 'k' : 'n';

  if (strlen (said->axes) != meant->array->axes || said->axes[meant->array->axes - 1] != last
      || (meant->role == SL_ROLE_LOADS ? strspn (said->axes, "rln") : strspn (said->axes, "lbtkn"))
           != strlen (said->axes))
    return sl_status_new (SL_EINVAL, "axes",
                          sl_message ("%s for an array of %u axes", said->axes, meant->array->axes),
                          sl_message ("a letter for each axis, “%c” at the end", last));
  if (meant->numbers > 0 && strchr (said->axes, 'l') != NULL)
    return sl_status_new (
      SL_EINVAL, "axes",
      sl_message ("%s for an array of one layer, %.40s", said->axes, meant->array->name),
      sl_message ("axes without “l”"));
  strcpy (meant->axes, said->axes);
  return SL_SUCCESS;
}

static SlStatus
settle_axes (SlMeaning *meaning, SlMeant *meant, const SlSaid *said, SlFileReading *reading)
{
  char        axes[2][SL_ARRAY_AXES + 1];
  const char *known
    = meant->rule != NULL && meant->rule->role == meant->role && meant->rule->axes != NULL
        ? meant->rule->axes
      : meant->role == SL_ROLE_IDS   ? ids_axes
      : meant->role == SL_ROLE_LOADS ? loads_axes
                                     : scores_axes;
  unsigned n;

  if (meant->rule == NULL && meant->array->axes == 1 && said->as == SL_ROLE_NONE)
    return refuse_rank (meaning, meant);
  if (meant->rule != NULL && meant->rule->role == SL_ROLE_ANY)
    known = meant->role == SL_ROLE_IDS     ? "tk btk"
            : meant->role == SL_ROLE_LOADS ? "n rn"
                                           : "tn btn";
  if (said->axes[0] != '\0')
    return take_said (meaning, meant, said);
  n = candidates (known, meant->array->axes, axes, 2);
  if (n == 2 && !is_possible (meant, axes[1]))
    n = 1;
  else if (n == 2 && !is_possible (meant, axes[0]))
    {
      strcpy (axes[0], axes[1]);
      n = 1;
    }
  if (n == 0)
    return refuse_rank (meaning, meant);
  if (n == 2)
    return choose (meaning, meant, said, axes, reading);
  strcpy (meant->axes, axes[0]);
  return SL_SUCCESS;
}

SlStatus
sl_meaning_settle (SlMeaning *meaning, SlMeant *meant, const SlSaid *said, SlFileReading *reading)
{
  SlStatus status = SL_SUCCESS;

  if (meant->role == SL_ROLE_ANY)
    status = settle_role (meaning, meant, said, reading);
  return sl_ok (&status) ? settle_axes (meaning, meant, said, reading) : status;
}

/* SPDX-License-Identifier: MIT
 *
 * The words of a line that chooses runs.  */
#include <string.h>

#include "core/run/query/private.h"

static const struct
{
  const char *text;
  SlSign      sign;
} signs[] = {
  /* The longer ones first. */
  { "<=", SL_SIGN_MOST }, { ">=", SL_SIGN_LEAST }, { "!=", SL_SIGN_OTHER }, { "==", SL_SIGN_SAME },
  { "=", SL_SIGN_SAME },  { "<", SL_SIGN_BELOW },  { ">", SL_SIGN_ABOVE },
};

static SlToken
read_quoted (const char *at)
{
  const char *end = strchr (at + 1, *at);

  if (end == NULL)
    return (SlToken) { SL_TOKEN_WRONG, SL_SIGN_SAME, at, strlen (at), at + strlen (at) };
  return (SlToken) { SL_TOKEN_QUOTED, SL_SIGN_SAME, at + 1, (size_t) (end - at - 1), end + 1 };
}

SlToken
sl_token_read (const char *at)
{
  at += strspn (at, " \t");
  if (*at == '\0')
    return (SlToken) { SL_TOKEN_END, SL_SIGN_SAME, at, 0, at };
  if (*at == '(' || *at == ')')
    return (SlToken) { *at == '(' ? SL_TOKEN_OPEN : SL_TOKEN_CLOSE, SL_SIGN_SAME, at, 1, at + 1 };
  if (*at == '"' || *at == '\'')
    return read_quoted (at);
  for (size_t i = 0; i < G_N_ELEMENTS (signs); i++)
    if (g_str_has_prefix (at, signs[i].text))
      return (SlToken) { SL_TOKEN_SIGN, signs[i].sign, at, strlen (signs[i].text),
                         at + strlen (signs[i].text) };
  if (*at == '!')
    return (SlToken) { SL_TOKEN_WRONG, SL_SIGN_SAME, at, 1, at + 1 };
  return (SlToken) { SL_TOKEN_WORD, SL_SIGN_SAME, at, strcspn (at, " \t()\"'=<>!"),
                     at + strcspn (at, " \t()\"'=<>!") };
}

gboolean
sl_token_is (const SlToken *token, const char *word)
{
  return token->kind == SL_TOKEN_WORD && token->n == strlen (word)
         && g_ascii_strncasecmp (token->from, word, token->n) == 0;
}

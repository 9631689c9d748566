/* SPDX-License-Identifier: MIT */
#include "core/data/read/meaning/rules.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#define WHOLE SL_RULE_WHOLE
#define REAL SL_RULE_REAL
#define NUMBER SL_RULE_NUMBER
#define ANY (SL_RULE_NUMBER | SL_RULE_TRUTH)

#define IDS "tk tlk ltk lbtk btlk"
#define SCORES "tn tln ltn lbtn btln"
#define LOADS "n ln rln"
#define EACH "n tk btk" /* of one layer; "n" where it is the load */

/* clang-format off */
const SlRule sl_rules[] = {
  /* Of one layer each, by longer names than those below. */
  { "llama.cpp (imatrix)",     "blk.#.ffn_gate_exps.weight.counts", NUMBER, SL_ROLE_LOADS, "n rn" },
  { "llama.cpp (imatrix)",     "blk.#.ffn_gate_up_exps.weight.counts", NUMBER, SL_ROLE_LOADS, "n rn" },
  { "llama.cpp (imatrix)",     "blk.#.*.counts",         NUMBER, SL_ROLE_BESIDE, NULL },
  { "llama.cpp (imatrix)",     "blk.#.*.in_sum2",        NUMBER, SL_ROLE_BESIDE, NULL },

  /* Whole recordings. */
  { "vLLM",                    "prompt_routed_experts",  WHOLE, SL_ROLE_IDS,    "tlk" },
  { "vLLM",                    "routed_experts",         WHOLE, SL_ROLE_IDS,    "tlk" },
  { "SGLang",                  "routed_experts",         SL_RULE_TEXT, SL_ROLE_IDS, "tlk" },
  { "SGLang",                  "topk_ids_of_layer",      WHOLE, SL_ROLE_IDS,    "ltk" },
  { "vLLM, by hand",           "topk_ids",               WHOLE, SL_ROLE_IDS,    IDS },
  { "Megatron-LM",             "top_indices",            WHOLE, SL_ROLE_IDS,    IDS },
  { "Transformers",            "selected_experts",       WHOLE, SL_ROLE_IDS,    IDS },
  { "by hand",                 "ids",                    WHOLE, SL_ROLE_IDS,    IDS },
  { "by hand",                 "indices",                WHOLE, SL_ROLE_IDS,    IDS },
  { "by hand",                 "expert_ids",             WHOLE, SL_ROLE_IDS,    IDS },
  { "by hand",                 "expert_indices",         WHOLE, SL_ROLE_IDS,    IDS },
  { "Transformers",            "router_logits",          REAL,  SL_ROLE_SCORES, SCORES },
  { "Transformers",            "router_probs",           REAL,  SL_ROLE_SCORES, SCORES },
  { "by hand",                 "logits",                 REAL,  SL_ROLE_SCORES, SCORES },
  { "by hand",                 "gate_logits",            REAL,  SL_ROLE_SCORES, SCORES },
  { "by hand",                 "router_scores",          REAL,  SL_ROLE_SCORES, SCORES },
  { "Megatron-LM",             "routing_map",            SL_RULE_TRUTH, SL_ROLE_MASK, SCORES },
  { "Megatron-LM",             "loads",                  NUMBER, SL_ROLE_LOADS, "ln lrn" },
  { "SGLang, vLLM, EPLB",      "*count",                 NUMBER, SL_ROLE_LOADS, LOADS },
  { "by hand",                 "counts",                 NUMBER, SL_ROLE_LOADS, LOADS },
  { "by hand",                 "load",                   NUMBER, SL_ROLE_LOADS, LOADS },
  { "by hand",                 "expert_load",            NUMBER, SL_ROLE_LOADS, LOADS },
  { "by hand",                 "expert_loads",           NUMBER, SL_ROLE_LOADS, LOADS },
  { "by hand",                 "expert_counts",          NUMBER, SL_ROLE_LOADS, LOADS },
  { "by hand",                 "expert_usage",           NUMBER, SL_ROLE_LOADS, LOADS },
  { "Megatron-LM, DeepSpeed",  "tokens_per_expert",      NUMBER, SL_ROLE_LOADS, LOADS },
  { "by hand",                 "frequencies",            NUMBER, SL_ROLE_LOADS, LOADS },

  /* One array a layer, or a pass and layer. */
  { "TensorRT-LLM",            "^#_#",                    WHOLE, SL_ROLE_LOADS,  "n" },
  { "Transformers, stacked",   "router_logits.#",        REAL,  SL_ROLE_SCORES, "tn btn" },
  { "Transformers, stacked",   "router_logits_#",        REAL,  SL_ROLE_SCORES, "tn btn" },
  { "by hand",                 "topk_ids.#",             WHOLE, SL_ROLE_IDS,    "tk btk" },
  { "by hand",                 "topk_ids_#",             WHOLE, SL_ROLE_IDS,    "tk btk" },
  { "forward hooks",           "layers.#.mlp.gate",      ANY,   SL_ROLE_ANY,    EACH },
  { "forward hooks",           "layers.#.mlp.gate.output", ANY, SL_ROLE_ANY,    EACH },
  { "forward hooks",           "layers.#.mlp.router",    ANY,   SL_ROLE_ANY,    EACH },
  { "forward hooks",           "layers.#.block_sparse_moe.gate", ANY, SL_ROLE_ANY, EACH },
  { "by hand",                 "^layer_#",                ANY,   SL_ROLE_ANY,    EACH },
  { "by hand",                 "^layer#",                 ANY,   SL_ROLE_ANY,    EACH },
  { "by hand",                 "layer.#",                ANY,   SL_ROLE_ANY,    EACH },
  { "by hand",                 "layers.#",               ANY,   SL_ROLE_ANY,    EACH },
  { "numpy.savez (f, *layers)", "^arr_#",                 ANY,   SL_ROLE_ANY,    EACH },
  { "torch.save of a list",    "^#",                      ANY,   SL_ROLE_ANY,    EACH },

  /* Beside them. */
  { "vLLM, by hand",           "topk_weights",           REAL,  SL_ROLE_GATES,  NULL },
  { "Transformers",            "routing_weights",        REAL,  SL_ROLE_GATES,  NULL },
  { "by hand",                 "weights",                REAL,  SL_ROLE_GATES,  NULL },
  { "by hand",                 "gates",                  REAL,  SL_ROLE_GATES,  NULL },
  { "Megatron-LM",             "layer_numbers",          WHOLE, SL_ROLE_NUMBERS, NULL },
  { "by hand",                 "num_experts",            NUMBER, SL_ROLE_EXPERTS, NULL },
  { "llama.cpp",               "n_expert",               NUMBER, SL_ROLE_EXPERTS, NULL },
  { "by hand",                 "n_experts",              NUMBER, SL_ROLE_EXPERTS, NULL },
  { "vLLM, by hand",           "top_k",                  NUMBER, SL_ROLE_TOP,    NULL },
  { "TensorRT-LLM",            "num_experts_per_token",  NUMBER, SL_ROLE_TOP,    NULL },
  { "Transformers",            "num_experts_per_tok",    NUMBER, SL_ROLE_TOP,    NULL },
  { "SGLang, vLLM",            "physical_to_logical_map", WHOLE, SL_ROLE_COPIES, NULL },
  { "SGLang",                  "forward_mode",           WHOLE, SL_ROLE_MODE,   NULL },
  { "by hand",                 "pass",                   WHOLE, SL_ROLE_PASS,   NULL },
  { "by hand",                 "phase",                  WHOLE | SL_RULE_TEXT, SL_ROLE_PHASE, NULL },

  /* Columns of a row for each token, layer or expert. */
  { "vLLM, by hand",           "layer",                  NUMBER, SL_ROLE_LAYER,  NULL },
  { "Megatron-LM, by hand",    "layer_idx",              NUMBER, SL_ROLE_LAYER,  NULL },
  { "by hand",                 "layer_id",               NUMBER, SL_ROLE_LAYER,  NULL },
  { "by hand",                 "layer_number",           NUMBER, SL_ROLE_LAYER,  NULL },
  { "by hand",                 "moe_layer",              NUMBER, SL_ROLE_LAYER,  NULL },
  { "by hand",                 "block_idx",              NUMBER, SL_ROLE_LAYER,  NULL },
  { "Megatron-LM",             "block",                  SL_RULE_TEXT, SL_ROLE_BLOCK, NULL },
  { "by hand",                 "block",                  NUMBER, SL_ROLE_LAYER,  NULL },
  { "Megatron-LM",             "mtp_idx",                NUMBER, SL_ROLE_MTP,    NULL },
  { "by hand",                 "expert",                 NUMBER, SL_ROLE_EXPERT, NULL },
  { "Megatron-LM",             "expert_id",              NUMBER, SL_ROLE_EXPERT, NULL },
  { "by hand",                 "expert_idx",             NUMBER, SL_ROLE_EXPERT, NULL },
  { "by hand",                 "expert_index",           NUMBER, SL_ROLE_EXPERT, NULL },
  { "Megatron-LM, by hand",    "count",                  NUMBER, SL_ROLE_COUNT,  NULL },
  { "by hand",                 "token_count",            NUMBER, SL_ROLE_COUNT,  NULL },
  { "by hand",                 "num_tokens",             NUMBER, SL_ROLE_TOKENS, NULL },
  { "by hand",                 "n",                      NUMBER, SL_ROLE_COUNT,  NULL },
  { "by hand",                 "num",                    NUMBER, SL_ROLE_COUNT,  NULL },
  { "by hand",                 "tokens",                 NUMBER, SL_ROLE_COUNT,  NULL },
  { "by hand",                 "hits",                   NUMBER, SL_ROLE_COUNT,  NULL },
  { "by hand",                 "freq",                   NUMBER, SL_ROLE_COUNT,  NULL },
  { "by hand",                 "frequency",              NUMBER, SL_ROLE_COUNT,  NULL },
  { "by hand",                 "share",                  NUMBER, SL_ROLE_COUNT,  NULL },
  { "by hand",                 "fraction",               NUMBER, SL_ROLE_COUNT,  NULL },
  { "by hand",                 "experts",                WHOLE | SL_RULE_TEXT, SL_ROLE_IDS, IDS },
  { "by hand",                 "topk_ids",               SL_RULE_TEXT, SL_ROLE_IDS, IDS },
  { "by hand",                 "expert_ids",             SL_RULE_TEXT, SL_ROLE_IDS, IDS },
  { "by hand",                 "selected_experts",       SL_RULE_TEXT, SL_ROLE_IDS, IDS },
  { "by hand",                 "layers",                 WHOLE, SL_ROLE_IDS,    "tlk" },
  { "by hand",                 "expert_#",               NUMBER, SL_ROLE_WIDE,   NULL },
  { "by hand",                 "expert#",                NUMBER, SL_ROLE_WIDE,   NULL },
  { "by hand",                 "e#",                     NUMBER, SL_ROLE_WIDE,   NULL },
  { "by hand",                 "top#",                   NUMBER, SL_ROLE_WIDE,   NULL },
  { "vLLM, by hand",           "token_idx",              NUMBER, SL_ROLE_TOKEN,  NULL },
  { "by hand",                 "token",                  NUMBER, SL_ROLE_TOKEN,  NULL },
  { "by hand",                 "position",               NUMBER, SL_ROLE_TOKEN,  NULL },
  { "by hand",                 "pos",                    NUMBER, SL_ROLE_TOKEN,  NULL },
  { "by hand",                 "step",                   NUMBER, SL_ROLE_TOKEN,  NULL },
  { "by hand",                 "slot",                   NUMBER, SL_ROLE_SLOT,   NULL },
  { "by hand",                 "rank",                   NUMBER, SL_ROLE_SLOT,   NULL },
  { "vLLM, by hand",           "req_id",                 NUMBER | SL_RULE_TEXT, SL_ROLE_REQUEST, NULL },
  { "by hand",                 "request",                NUMBER | SL_RULE_TEXT, SL_ROLE_REQUEST, NULL },
  { "by hand",                 "request_id",             NUMBER | SL_RULE_TEXT, SL_ROLE_REQUEST, NULL },

  /* Words of tokens, in columns or beside whole arrays. */
  { "by hand",                 "token_str",              SL_RULE_TEXT, SL_ROLE_WORD, NULL },
  { "by hand",                 "token_text",             SL_RULE_TEXT, SL_ROLE_WORD, NULL },
  { "by hand",                 "token_string",           SL_RULE_TEXT, SL_ROLE_WORD, NULL },
  { "vLLM",                    "decoded_token",          SL_RULE_TEXT, SL_ROLE_WORD, NULL },
  { "by hand",                 "piece",                  SL_RULE_TEXT, SL_ROLE_WORD, NULL },
  { "by hand",                 "pieces",                 SL_RULE_TEXT, SL_ROLE_WORD, NULL },
  { "by hand",                 "word",                   SL_RULE_TEXT, SL_ROLE_WORD, NULL },
  { "by hand",                 "words",                  SL_RULE_TEXT, SL_ROLE_WORD, NULL },
  { "by hand",                 "token",                  SL_RULE_TEXT, SL_ROLE_WORD, NULL },
  { "vLLM (logprobs), by hand", "tokens",                SL_RULE_TEXT, SL_ROLE_WORD, NULL },
  { "vLLM",                    "prompt_token_ids",       NUMBER, SL_ROLE_WORD_ID, NULL },
  { "Transformers, SGLang",    "input_ids",              NUMBER, SL_ROLE_WORD_ID, NULL },
  { "vLLM",                    "token_ids",              NUMBER, SL_ROLE_WORD_ID, NULL },
  { "SGLang",                  "output_ids",             NUMBER, SL_ROLE_WORD_ID, NULL },
  { "by hand",                 "output_token_ids",       NUMBER, SL_ROLE_WORD_ID, NULL },
  { "by hand",                 "generated_token_ids",    NUMBER, SL_ROLE_WORD_ID, NULL },
  { "by hand",                 "token_id",               NUMBER, SL_ROLE_WORD_ID, NULL },
  { NULL, NULL, 0, SL_ROLE_NONE, NULL },
};
/* clang-format on */

/* From here on a pattern must reach the end of the name. */
static bool
match_here (const char *pattern, const char *name, uint64_t number[2], unsigned *n)
{
  unsigned before = *n;

  for (; *pattern != '\0' && *pattern != '*'; pattern++)
    if (*pattern == '#')
      {
        uint64_t value = 0;

        if (!isdigit ((unsigned char) *name))
          return false;
        for (; isdigit ((unsigned char) *name); name++)
          value = value < UINT32_MAX ? 10 * value + (uint64_t) (*name - '0') : value;
        if (*n < 2)
          number[(*n)++] = value;
      }
    else if (tolower ((unsigned char) *pattern) != tolower ((unsigned char) *name++))
      {
        *n = before;
        return false;
      }
  if (*pattern == '\0')
    return *name == '\0';
  for (;; name++)
    {
      if (match_here (pattern + 1, name, number, n))
        return true;
      if (*name == '\0')
        break;
    }
  *n = before;
  return false;
}

bool
sl_rule_matches (const char *pattern, const char *name, uint64_t number[2], unsigned *n)
{
  bool whole = *pattern == '^';

  *n = 0;
  while (name != NULL && !match_here (pattern + whole, name, number, n))
    {
      name = whole ? NULL : strchr (name, '.');
      name = name != NULL ? name + 1 : NULL;
    }
  return name != NULL;
}

static bool
fits (const SlRule *rule, const SlArray *array)
{
  unsigned type = sl_array_whole (array)           ? SL_RULE_WHOLE
                  : sl_array_real (array)          ? SL_RULE_REAL
                  : array->type == SL_ARRAY_TRUTHS ? SL_RULE_TRUTH
                  : array->type == SL_ARRAY_TEXTS  ? SL_RULE_TEXT
                                                   : 0;

  return (rule->types & type) != 0;
}

const SlRule *
sl_rule_find (const SlArray *array, uint64_t number[2], unsigned *n)
{
  for (const SlRule *rule = sl_rules; rule->name != NULL; rule++)
    if (fits (rule, array) && sl_rule_matches (rule->name, array->name, number, n))
      return rule;
  *n = 0;
  return NULL;
}

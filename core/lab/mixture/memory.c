/* SPDX-License-Identifier: MIT */
#include "core/lab/mixture/memory.h"

#include "core/lab/mixture/panels.h"

void
sl_mixture_probe_memory (SlProbe *p, const SlMoe *moe, const SlMoeSetting *setting, size_t batch,
                         SlOptimiser optimiser)
{
  static const double megabyte = 1e6;
  SlMoeSetting        stored = *setting;
  SlMoe               plain = *moe;

  stored.recompute = false;
  plain.shape.factored = plain.experts.factored = false;
  for (unsigned side = SL_MEMORY_AS_SET; side <= SL_MEMORY_PLAIN; side++)
    {
      bool        as_set = side == SL_MEMORY_AS_SET;
      SlMoeMemory memory = sl_moe_memory (as_set ? moe : &plain, as_set ? setting : &stored, batch,
                                          as_set ? optimiser : SL_ADAM);
      double      mb[] = { memory.weights / megabyte, memory.gradient / megabyte,
                           memory.moments / megabyte, memory.activations / megabyte };

      sl_probe_values (p, side, 0, 0, 4, mb);
    }
  sl_probe_note (p, "Gates and experts; batch of %zu, %.3g of %zu experts per example", batch,
                 sl_mixture_chosen (moe, setting), moe->shape.experts);
}

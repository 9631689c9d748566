/* SPDX-License-Identifier: MIT */
#include "core/run/manual/topics.h"

#include <glib/gi18n.h>

#define HEADING(text)                                                                              \
  {                                                                                                \
    SL_MANUAL_HEADING, NULL, text                                                                  \
  }
#define TEXT(text)                                                                                 \
  {                                                                                                \
    SL_MANUAL_TEXT, NULL, text                                                                     \
  }
#define FORMULA(text)                                                                              \
  {                                                                                                \
    SL_MANUAL_FORMULA, NULL, text                                                                  \
  }
#define POINT(term, text)                                                                          \
  {                                                                                                \
    SL_MANUAL_POINT, term, text                                                                    \
  }

static const SlTopicPart start[] = {
  TEXT (N_ ("Sluice trains small networks that decide what not to compute, and shows what that "
            "saves and costs. It trains as soon as it opens.")),
  HEADING (N_ ("In five minutes")),
  POINT (N_ ("Draw."),
         N_ ("A stroke on the picture of the start page begins your own; arrows move it.")),
  POINT (N_ ("Guess first."), N_ ("Ctrl+L lists the lessons.")),
  POINT (N_ ("Move a slider."),
         N_ ("s is the density, the share of units that should be on; the rank, how precisely a "
             "layer estimates which are on; k, the number of experts per example.")),
  POINT (N_ ("Read a value."), N_ ("Move the pointer over a plot to read its values, or focus it "
                                   "and use the arrows.")),
  POINT (N_ ("Start again."),
         N_ ("R restarts the run with the same first weights, Shift+R with others. The arrow "
             "beside a parameter restores its default.")),
  POINT (N_ ("Go back."),
         N_ ("Ctrl+Z undoes the last change. If that change started a new run, it resumes the run "
             "before. Each lab keeps its run while you look at another.")),
  POINT (N_ ("Read the help."), N_ ("The i beside a parameter or on a plot explains it.")),
  POINT (N_ ("Export a figure."),
         N_ ("Ctrl+E saves a figure. Drop it on the window to see its run again.")),
  { 0 },
};

static const SlTopicPart plots[] = {
  TEXT (N_ ("Keys go to the plot with the focus: click it, or use Tab. Ctrl+? lists them all.")),
  POINT (N_ ("Pointer, arrows"), N_ ("values at one update")),
  POINT (N_ ("Drag, + and −"), N_ ("zoom; with Shift the values instead of the steps")),
  POINT (N_ ("Home, double click"), N_ ("show all data and follow new values")),
  POINT (N_ ("Enter, Escape"), N_ ("one plot alone, and back")),
  TEXT (N_ ("New data never move a zoomed view. No spike is lost: of many points in a column of "
            "pixels, the extremes are drawn.")),
  HEADING (N_ ("Notes")),
  POINT (N_ ("N, Shift+N"), N_ ("write a note at the cursor, choose the next one")),
  POINT (N_ ("Drag, Ctrl+arrows"), N_ ("move a note with its point")),
  POINT (N_ ("Double click, Delete"), N_ ("change a note, remove the chosen one")),
  TEXT (N_ ("Notes stay with the run and in exported figures.")),
  HEADING (N_ ("How curves look")),
  POINT (N_ ("Solid"), N_ ("measured in this run")),
  POINT (N_ ("Long dashes"), N_ ("the target")),
  POINT (N_ ("Short dashes"), N_ ("what a formula predicts")),
  POINT (N_ ("Dots"), N_ ("a bound or a baseline")),
  POINT (N_ ("Dash and dot with rings"), N_ ("a number from the paper")),
  TEXT (N_ ("A gap with a red tick is a value that is not a number.")),
  { 0 },
};

static const SlTopicPart costs[] = {
  TEXT (N_ ("Costs are given in three ways, against the same dense network.")),
  POINT (N_ ("Expected"), N_ ("from the probabilities or a formula of the paper")),
  POINT (N_ ("Executed"), N_ ("multiplications counted during the run")),
  POINT (N_ ("Timed"),
         N_ ("time on this machine, with kernels that skip work and the current weights")),
  FORMULA (N_ ("speed-up = time of the dense pass ÷ time of the conditional pass")),
  TEXT (N_ ("Fewer multiplications do not mean less time: the gate costs something, gathered "
            "rows are read slowly, and for a single example memory is the limit. Where the timed "
            "bar is below 1, the conditional network is slower.")),
  TEXT (N_ ("Timings are ratios on this machine, of the least disturbed rounds. The whisker, and "
            "the number behind ±, is half the interquartile range. If other programs disturb too "
            "much, no number is shown.")),
  { 0 },
};

static const SlTopicPart files[] = {
  HEADING (N_ ("Figures")),
  TEXT (N_ ("Ctrl+E exports the focused plot, or all, as PNG, SVG, PDF or TikZ (for LaTeX), and "
            "samples as CSV, NumPy or JSON; Ctrl+Shift+E repeats it. Ctrl+C copies the plot.")),
  TEXT (N_ ("Each figure has the recipe of its run: lab, settings, seed, data and program. Drop "
            "it on the window to see its curves or settings; a button trains the run again.")),
  HEADING (N_ ("Repeating a run")),
  TEXT (N_ ("The same recipe gives the same numbers, bit for bit, on the same kind of processor "
            "with as many threads. Elsewhere the last digits differ, in time also the curves.")),
  HEADING (N_ ("Without the window")),
  TEXT (N_ ("sluice-cli runs the same labs and writes the same files. In sluice-cli run LAB "
            "--set k=4, k is the id beside the parameter's name.")),
  TEXT (N_ ("Files and numbers are the same in every language, with a decimal point.")),
  { 0 },
};

static const SlTopicPart recordings[] = {
  TEXT (N_ ("The lab for recorded routing shows which experts each token of a real model went "
            "to. Drop a file on the window; it asks what the file leaves open.")),
  TEXT (N_ ("These open as they are: answers of vLLM (--enable-return-routed-experts), SGLang and "
            "LightLLM as JSON, files of SGLang's expert distribution recorder, "
            "router_trace_rank*.jsonl of Megatron-LM, imatrix.gguf of llama.cpp, loads in a "
            "trainer's log, tables and lines of JSON. A pickle (.pt) is read for its tensors; "
            "nothing in it runs.")),
  TEXT (N_ ("Otherwise these lines make a file where the model runs.")),
  POINT (N_ ("Hugging Face, experts"),
         N_ ("np.save(\"trace.npy\", torch.stack([l.topk(8, -1).indices for l in "
             "out.router_logits], 1).short().cpu().numpy()) with output_router_logits=True")),
  POINT (N_ ("Hugging Face, all scores"),
         "np.savez(\"trace.npz\", router_logits=torch.stack(out.router_logits, "
         "1).half().cpu().numpy())"),
  POINT (N_ ("Your own model"),
         N_ ("rows = []; router.register_forward_hook(lambda m, i, o: rows.append(o.topk(8, "
             "-1).indices.short().cpu())); afterwards np.save(\"trace.npy\", "
             "torch.cat(rows).numpy()): one layer")),
  TEXT (N_ ("Equal tokens in a row that chance does not explain are a warm-up or padding, left "
            "out unless \"Count the warm-up\" is on.")),
  { 0 },
};

static const SlTopicPart room[] = {
  HEADING (N_ ("Presenting")),
  TEXT (N_ ("F5 prepares the window for an audience: full screen, large type, thick lines, and "
            "only the main and changed parameters. F5 or Escape ends it.")),
  POINT (N_ ("Ctrl+plus, Ctrl+minus, Ctrl+0"), N_ ("size of all type, remembered")),
  POINT (N_ ("F"),
         N_ ("the picture of the network in full screen; while presenting, Space goes through it "
             "by groups")),
  HEADING (N_ ("Lessons")),
  TEXT (N_ ("Ctrl+L lists the lessons by level: what happens, why, how much it saves. Each has a "
            "worksheet, key and teacher's notes.")),
  TEXT (N_ ("A step shows a text, may set and lock parameters, and may ask for a guess first. "
            "The Page keys of a clicker work too.")),
  TEXT (N_ ("Locked rows are grey. Your guess stays on the plot beside the result.")),
  { 0 },
};

static const SlTopicPart reach[] = {
  TEXT (N_ ("Everything but drawing works without a pointer. Ctrl+? lists the keys.")),
  POINT (N_ ("Plots"),
         N_ ("Tab stops at each plot, whose description has the newest values, or that of the "
             "cursor, which the arrows move.")),
  POINT (N_ ("Size"),
         N_ ("Ctrl+plus, up to three times; plots follow, also the desktop's large text.")),
  POINT (N_ ("Contrast"), N_ ("With the desktop's high contrast, plots have thicker lines and "
                              "stronger colours. No plot uses colour alone.")),
  POINT (N_ ("Motion"), N_ ("There are no animations if the desktop has none.")),
  { 0 },
};

const SlTopic sl_topics[] = {
  { "start", N_ ("First steps"), start },
  { "plots", N_ ("Plots and their keys"), plots },
  { "costs", N_ ("Three costs"), costs },
  { "files", N_ ("Figures and files"), files },
  { "recordings", N_ ("Recordings of real models"), recordings },
  { "room", N_ ("Presentations and lessons"), room },
  { "access", N_ ("Keyboard and assistive tools"), reach },
  { 0 },
};

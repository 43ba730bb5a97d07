/* host/checkpoint/checkpoint.h -- the state before a launch of a recording, or in the middle of one, in a
 * file (docs/user/checkpoints.md).
 *
 * It belongs to its recording, which has everything that the program asks for: modules, allocations, copies,
 * streams, launches. What only execution gives is in the checkpoint: the content of the device memory before
 * launch N + 1, and what the first N launches have counted. A replay from it does what the recording says,
 * but only counts the first N launches, and puts the memory in place before the next. So it is, to the byte,
 * a replay with gpu.warmup.kernels = N, in any configuration, without executing these launches.
 *
 * In the middle of launch N + 1 it also has what this launch has counted and the state of each CTA that has
 * begun and not ended (core/simt/cta_state.h). The launch goes on from there; so the replay is one with
 * gpu.warmup.instructions, if that is how the point was reached.
 *
 * Before a launch behind launches with timing it has the timing state of the idle machine, too
 * (core/gpu/timing_state.h), which a machine takes up where its geometry agrees. The counted launches then
 * take the time that they took.
 *
 * The file has the form of recordings (host/recording/recording.h), with other entries:
 *
 *   CHECKPOINT  u hash of the recording's file, u launches, u clock of the functional executor, u
 *               allocations, u bytes in them, u is in the middle of a launch, u parts with timing state
 *   COUNTED     of each launch: u thread and warp instructions, u divergent barriers, u barriers left,
 *               u[3] grid, u[3] block, text kernel, u core cycles (0: it takes no time)
 *   UNDER_WAY   in the middle of a launch, as COUNTED
 *   CTA         then: u next CTA, u CTAs in the middle, u hash of the kernel's code; and of each in the
 * middle: bytes CONTENT     of each allocation: u address, u bytes in it, bytes up to the last that is not
 * zero TIMING      of each part: text name, text geometry, u its state is there, bytes */
#ifndef HOST_CHECKPOINT_CHECKPOINT_H
#define HOST_CHECKPOINT_CHECKPOINT_H

#include "host/branch/branch.h"

/* Writes the state before the next launch. false, with a diagnostic, if that is not possible here. */
bool checkpoint_save(
	const char *path, struct session *session, const char *recording, struct diag_list *diags);

/* A checkpoint that a replay begins with. */
struct checkpoint;
/* The file is checked as a whole. NULL, with a diagnostic, if it is none, or of another recording. */
struct checkpoint *checkpoint_open(const char *path, const char *recording, struct diag_list *diags);
void checkpoint_free(struct checkpoint *checkpoint);
uint64_t checkpoint_launches(const struct checkpoint *checkpoint);
/* Warp instructions of the launch in the middle of which it is; 0: it is before a launch. */
uint64_t checkpoint_instructions(const struct checkpoint *checkpoint);

/* A launch is about to start, the next after `started`: one of those that are only counted (then
 * launch->known is set), or the first of the others: then memory and timing state are put in place, and *cold
 * names the parts whose timing state does not fit (NULL: none; else malloc'ed). false, with a diagnostic: the
 * checkpoint does not fit. */
bool checkpoint_launch(struct checkpoint *checkpoint, struct gpu *gpu, uint64_t started,
	struct launch *launch, char **cold, struct diag_list *diags);

/* A hash of the kernel's code: a state in the middle belongs to it. */
uint64_t checkpoint_code(const struct ptx_kernel *kernel);

#endif

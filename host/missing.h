/* host/missing.h -- functions of an API that are not there yet: exported, so that programs start; each says
 * its name when it is called first, and why, and returns "not supported". What they take does not matter,
 * since they look at nothing. MISSING(name) defines one; MISSING_NOTE(name, code), if it is there, hears of
 * each call. Not to be included together with a header of the API, whose macros would change the names. */
#ifndef HOST_MISSING_H
#define HOST_MISSING_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { NOT_SUPPORTED = 801 }; /* CUDA_ERROR_NOT_SUPPORTED, cudaErrorNotSupported */

/* By what the name begins with behind cu or cuda. */
static const struct missing_reason {
	const char *names, *reason;
} missing_reasons[] = {
	{ "GraphAddExternal GraphExecExternal GraphExternal ImportExternalSemaphore DestroyExternalSemaphore "
	  "SignalExternal WaitExternal ",
		": external semaphores belong to graphics devices and other processes, which are not "
		"simulated; "
		"events order work here" },
	{ "Ipc MemPoolExport MemPoolImport ImportExternal ExternalMemory DestroyExternal "
	  "MemExport MemImport ",
		": each process has a GPU of its own, and shares none of its memory" },
	{ "GreenCtx DevResource DevSmResource CtxGetDevResource DeviceGetDevResource CtxFromGreenCtx "
	  "StreamGetGreenCtx CtxGetExecAffinity DeviceGetExecAffinity ",
		": a part of the GPU's SMs cannot be reserved" },
	{ "Multicast CtxEnablePeer CtxDisablePeer MemcpyPeer Memcpy3DPeer LaunchCooperativeKernelMulti "
	  "DeviceGetP2P ",
		": there is one GPU; several are not simulated" },
	{ "GL EGL Graphics VDPAU EventCreateFromEGL ", ": there is no display" },
};

static const char *missing_reason(const char *name)
{
	name += strspn(name, "_");
	name += strncmp(name, "cuda", 4) ? 2 : 4;
	for (size_t i = 0; i < sizeof missing_reasons / sizeof *missing_reasons; i++)
		for (const char *one = missing_reasons[i].names; *one; one += strcspn(one, " ") + 1)
			if (!strncmp(name, one, strcspn(one, " ")))
				return missing_reasons[i].reason;
	return " yet";
}

static int missing(const char *name, bool *is_said)
{
	if (!*is_said)
		fprintf(stderr, "lockstep: %s is not supported%s\n", name, missing_reason(name));
	*is_said = true;
#ifdef MISSING_NOTE
	return MISSING_NOTE(name, NOT_SUPPORTED);
#else
	return NOT_SUPPORTED;
#endif
}

#define MISSING(name) \
	int name(void); \
	int name(void) \
	{ \
		static bool is_said; \
		return missing(#name, &is_said); \
	}

#endif

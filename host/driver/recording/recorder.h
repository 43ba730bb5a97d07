/* host/driver/recording/recorder.h -- what the program asks of the device, on its way into a recording
 * (host/recording). Without a recording these functions do nothing.
 *
 * Operations are recorded when they are added, and not when they run: what they wait for, and where the
 * program waits for them, is all that the replay needs to run them at the same times in any configuration. */
#ifndef HOST_DRIVER_RECORDING_RECORDER_H
#define HOST_DRIVER_RECORDING_RECORDER_H

#include "host/driver/driver.h"
#include "host/recording/recording_writer.h"

/* selection: only these launches are recorded (selection.h), with the memory that each needs; NULL:
 * everything. It must stay valid. */
bool recorder_open(const char *path, const char *selection, struct diag_list *diags);
/* At the end of the process: the queue is about to be run to its end; it was, and false says that there is no
 * recording; nothing is to be kept. */
void recorder_finish(void);
bool recorder_close(void);
void recorder_discard(void);
/* The recording will not be written, and at the end a line says why. */
void recorder_refuse(const char *format, ...) __attribute__((format(printf, 1, 2)));

void recorder_module(CUmodule module, const char *text, size_t size, const char *name, uint32_t register_cap);
void recorder_unload(CUmodule module);
/* An allocation; a kind that the program reads and writes by itself is watched. is_filled: the bytes were not
 * those of the device's memory. */
void recorder_allocated(addr address, uint64_t bytes, uint64_t align, bool is_device, bool is_filled);
void recorder_released(addr address);
void recorder_freed(addr address);                               /* by an operation of its stream */
void recorder_number(enum recording_kind kind, uint64_t number); /* an entry of one number */
void recorder_texture(uint64_t handle);
void recorder_texture_end(uint64_t handle);

void recorder_operation(const struct operation *operation);               /* which was added */
void recorder_behind(const struct operation *operation, uint64_t before); /* number of a task; 0: none */
#define RECORDED_TRIGGER (UINT64_C(1) << 63) /* in `before`: until it has triggered */
void recorder_submit(const struct operation *operation);
void recorder_await(uint64_t operation);                     /* number of a task; 0: none */
void recorder_await_all(CUcontext context, CUstream stream); /* NULL: all */
void recorder_waited(void);                                  /* the device may have written to memory */

/* Around a launch, for those that are selected. is_alone: no other kernel is under way. */
void recorder_launch_starts(const struct operation *launch, bool is_alone);
void recorder_launch_ended(const struct operation *launch);

/* Among themselves. */
uint64_t recorder_stream(CUstream stream); /* its number in the recording */
void recorder_put_operation(struct recording_writer *writer, const struct operation *operation);
void recorder_textures(struct recording_writer *writer); /* those that have changed */
void recorder_put_texture(struct recording_writer *writer, uint64_t handle);
void recorder_forget_texture(uint64_t handle);
uint64_t recorder_context(CUcontext context);
uint64_t recording_addresses(const struct ptx_image *image); /* a hash */

#endif

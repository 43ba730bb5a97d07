/* host/session.c -- one run: the machine from its configuration, launch after launch, the results. */
#include "host/session_internal.h"

static bool config_apply(struct session *s, const struct session_options *options, struct diag_list *diags)
{
	size_t errors = diags->errors;

	s->config_path = options->config ? xstrdup(options->config) : session_find_config(SESSION_DEFAULT_CONFIG);
	if (!s->config_path) {
		diag_error(diags, NULL, "no configuration was given, and configs/gtx480.yaml is not beside the library");
		return false;
	}
	config_load(s->config, s->config_path, diags);
	for (size_t i = 0; i < options->set_count; i++)
		config_set(s->config, options->sets[i], diags);
	return diags->errors == errors;
}

/* Every error of the configuration in one run: unknown keys are looked for even when values were wrong. */
static bool machine_build(struct session *s, struct diag_list *diags)
{
	size_t errors = diags->errors;

	s->gpu = gpu_new(s->config, diags);
	config_check_unknown(s->config, diags);
	return s->gpu && diags->errors == errors;
}

static void session_free(struct session *s)
{
	if (s->gpu)
		gpu_free(s->gpu);
	config_free(s->config);
	free(s->config_path);
	free(s->command);
	free(s);
}

struct session *session_new(const struct session_options *options, struct diag_list *diags)
{
	struct session *s = xcalloc(1, sizeof *s);

	s->config = config_new();
	s->is_functional = options->functional;
	s->is_quiet = options->quiet;
	s->command = session_command();
	if (config_apply(s, options, diags) && machine_build(s, diags) &&
	    (!options->output || output_open(s, options->output, diags)))
		return s;
	session_free(s);
	return NULL;
}

struct gpu *session_gpu(struct session *session)
{
	return session->gpu;
}

bool session_is_functional(const struct session *session)
{
	return session->is_functional;
}

void session_launch(struct session *s, const struct launch *launch, struct launch_result *result)
{
	struct stat_snapshot *before = stat_snapshot_take(gpu_stats(s->gpu));

	progress_begin(s);
	gpu_run(s->gpu, launch, s->is_functional, result);
	progress_end(s);
	gpu_flush_output(s->gpu, stdout, stderr);
	gpu_flush_notes(s->gpu, stderr);
	if (result->outcome == GPU_FAULT) {
		size_t length = strlen(result->fault.text);
		fflush(stdout);
		fprintf(stderr, "%s%s", result->fault.text,
			length && result->fault.text[length - 1] == '\n' ? "" : "\n");
	}
	if (!s->is_quiet)
		progress_line(s, launch, result, before);
	s->is_interrupted |= result->outcome == GPU_INTERRUPTED;
	output_kernel(s, launch, result, before);
	stat_snapshot_free(before);
}

bool session_close(struct session *s)
{
	bool is_written = output_close(s);

	session_free(s);
	return is_written;
}

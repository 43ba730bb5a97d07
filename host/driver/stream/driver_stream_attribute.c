/* host/driver/stream/driver_stream_attribute.c -- attributes of streams. Those about
 * memory shared with other devices are kept and have no effect. */
#include "host/driver/driver.h"

static bool is_of_streams(CUstreamAttrID id)
{
	return id == CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW ||
		id == CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY || id == CU_LAUNCH_ATTRIBUTE_PRIORITY ||
		id == CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP || id == CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN;
}

CUresult cuStreamSetAttribute(CUstream stream, CUstreamAttrID id, const CUstreamAttrValue *value)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!value || !is_of_streams(id))
		return CUDA_ERROR_INVALID_VALUE;
	if (!stream_resolve(&stream))
		return CUDA_ERROR_INVALID_HANDLE;
	if (id == CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW &&
		window_take(&value->accessPolicyWindow, &(struct access_window){ 0 }) != CUDA_SUCCESS)
		return CUDA_ERROR_INVALID_VALUE;
	if (id == CU_LAUNCH_ATTRIBUTE_PRIORITY)
		stream->priority = value->priority;
	else
		stream->attributes[id] = *value;
	return CUDA_SUCCESS;
}
EXPORT_PTSZ(cuStreamSetAttribute, (CUstream s, CUstreamAttrID id, const CUstreamAttrValue *value),
	cuStreamSetAttribute(of_thread(s), id, value));

CUresult cuStreamGetAttribute(CUstream stream, CUstreamAttrID id, CUstreamAttrValue *value)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!value || !is_of_streams(id))
		return CUDA_ERROR_INVALID_VALUE;
	if (!stream_resolve(&stream))
		return CUDA_ERROR_INVALID_HANDLE;
	*value = stream->attributes[id];
	if (id == CU_LAUNCH_ATTRIBUTE_PRIORITY)
		value->priority = stream->priority;
	return CUDA_SUCCESS;
}
EXPORT_PTSZ(cuStreamGetAttribute, (CUstream s, CUstreamAttrID id, CUstreamAttrValue *value),
	cuStreamGetAttribute(of_thread(s), id, value));

CUresult cuStreamCopyAttributes(CUstream to, CUstream from)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!stream_resolve(&to) || !stream_resolve(&from))
		return CUDA_ERROR_INVALID_HANDLE;
	memcpy(to->attributes, from->attributes, sizeof(to->attributes));
	to->priority = from->priority;
	return CUDA_SUCCESS;
}
EXPORT_PTSZ(cuStreamCopyAttributes, (CUstream to, CUstream from),
	cuStreamCopyAttributes(of_thread(to), of_thread(from)));

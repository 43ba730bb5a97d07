/* tests/host/device/properties/properties.c -- every attribute of the device by its name in cuda.h: "NAME
 * VALUE". The list is made from that file (properties.sh). */
#include "ok.h"
#include <cuda.h>
#include <stdio.h>

int main(void)
{
	size_t memory = 0;
	int value;

	OK(cuInit(0));
	OK(cuDeviceTotalMem(&memory, 0));
	printf("TOTAL_MEMORY_MIB %zu\n", memory >> 20);
#define ATTRIBUTE(name) \
	OK(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_##name, 0)); \
	printf("%s %d\n", #name, value);
#include "properties.list"
	return 0;
}

/* frontend/module.c -- names and widths of types and state spaces. */
#include "frontend/module.h"

enum { BITS_KIND, UNSIGNED_KIND, SIGNED_KIND, FLOAT_KIND };

/* clang-format off */
static const struct { const char *name; uint8_t bits, kind; } types[PTX_TYPE_COUNT] = {
	[PTX_NO_TYPE] = { "", 0, BITS_KIND },        [PTX_PRED] = { "pred", 1, BITS_KIND },
	[PTX_B8] = { "b8", 8, BITS_KIND },           [PTX_B16] = { "b16", 16, BITS_KIND },
	[PTX_B32] = { "b32", 32, BITS_KIND },        [PTX_B64] = { "b64", 64, BITS_KIND },
	[PTX_B128] = { "b128", 128, BITS_KIND },     [PTX_U8] = { "u8", 8, UNSIGNED_KIND },
	[PTX_U16] = { "u16", 16, UNSIGNED_KIND },    [PTX_U32] = { "u32", 32, UNSIGNED_KIND },
	[PTX_U64] = { "u64", 64, UNSIGNED_KIND },    [PTX_S8] = { "s8", 8, SIGNED_KIND },
	[PTX_S16] = { "s16", 16, SIGNED_KIND },      [PTX_S32] = { "s32", 32, SIGNED_KIND },
	[PTX_S64] = { "s64", 64, SIGNED_KIND },      [PTX_F16] = { "f16", 16, FLOAT_KIND },
	[PTX_F16X2] = { "f16x2", 32, FLOAT_KIND },   [PTX_F32] = { "f32", 32, FLOAT_KIND },
	[PTX_F64] = { "f64", 64, FLOAT_KIND },       [PTX_BF16] = { "bf16", 16, FLOAT_KIND },
	[PTX_BF16X2] = { "bf16x2", 32, FLOAT_KIND }, [PTX_TF32] = { "tf32", 32, FLOAT_KIND },
	[PTX_U16X2] = { "u16x2", 32, UNSIGNED_KIND }, [PTX_S16X2] = { "s16x2", 32, SIGNED_KIND },
	[PTX_F32X2] = { "f32x2", 64, FLOAT_KIND },   [PTX_E4M3] = { "e4m3", 8, FLOAT_KIND },
	[PTX_E2M1] = { "e2m1", 4, FLOAT_KIND },      [PTX_E2M3] = { "e2m3", 6, FLOAT_KIND },
	[PTX_E3M2] = { "e3m2", 6, FLOAT_KIND },      [PTX_UE8M0] = { "ue8m0", 8, FLOAT_KIND },
	[PTX_UE4M3] = { "ue4m3", 8, FLOAT_KIND },
	[PTX_E5M2] = { "e5m2", 8, FLOAT_KIND },      [PTX_E4M3X2] = { "e4m3x2", 16, FLOAT_KIND },
	[PTX_E5M2X2] = { "e5m2x2", 16, FLOAT_KIND }, [PTX_E2M1X2] = { "e2m1x2", 8, FLOAT_KIND },
	[PTX_E2M3X2] = { "e2m3x2", 16, FLOAT_KIND }, [PTX_E3M2X2] = { "e3m2x2", 16, FLOAT_KIND },
	[PTX_UE8M0X2] = { "ue8m0x2", 16, FLOAT_KIND }, [PTX_E4M3X4] = { "e4m3x4", 32, FLOAT_KIND },
	[PTX_E5M2X4] = { "e5m2x4", 32, FLOAT_KIND }, [PTX_E2M1X4] = { "e2m1x4", 16, FLOAT_KIND },
	[PTX_E2M3X4] = { "e2m3x4", 32, FLOAT_KIND }, [PTX_E3M2X4] = { "e3m2x4", 32, FLOAT_KIND },
	[PTX_B1] = { "b1", 1, BITS_KIND },
	[PTX_U4] = { "u4", 4, UNSIGNED_KIND },       [PTX_S4] = { "s4", 4, SIGNED_KIND },
	[PTX_U2] = { "u2", 2, UNSIGNED_KIND },       [PTX_S2] = { "s2", 2, SIGNED_KIND },
	[PTX_TEXREF] = { "texref", 64, BITS_KIND },  [PTX_SAMPLERREF] = { "samplerref", 64, BITS_KIND },
	[PTX_SURFREF] = { "surfref", 64, BITS_KIND },
};
/* clang-format on */

unsigned ptx_type_bits(enum ptx_type type)
{
	return types[type].bits;
}

const char *ptx_type_name(enum ptx_type type)
{
	return types[type].name;
}

bool ptx_type_is_float(enum ptx_type type)
{
	return types[type].kind == FLOAT_KIND;
}

bool ptx_type_is_signed(enum ptx_type type)
{
	return types[type].kind == SIGNED_KIND;
}

const char *ptx_space_name(enum ptx_space space)
{
	static const char *const names[] = {
		[PTX_NO_SPACE] = "",
		[PTX_REG] = "reg",
		[PTX_SREG] = "sreg",
		[PTX_CONST] = "const",
		[PTX_GLOBAL] = "global",
		[PTX_LOCAL] = "local",
		[PTX_PARAM] = "param",
		[PTX_SHARED] = "shared",
		[PTX_TEX] = "tex",
	};

	return names[space];
}

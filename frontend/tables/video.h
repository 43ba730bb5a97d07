/* frontend/tables/video.h -- how a video instruction's selectors and modifiers lie in the `imm` of its
 * micro-operation. The border between frontend/lower/arithmetic/lower_video.c and
 * core/exec/arithmetic/exec_video.c. */
#ifndef FRONTEND_TABLES_VIDEO_H
#define FRONTEND_TABLES_VIDEO_H

/* What part of a register a scalar operand is. */
enum video_part { VIDEO_WORD, VIDEO_B0, VIDEO_B1, VIDEO_B2, VIDEO_B3, VIDEO_H0, VIDEO_H1 };
enum video_second { VIDEO_NONE, VIDEO_ADD, VIDEO_MIN, VIDEO_MAX };

/* Both kinds: first bits of fields, single bits. */
enum video_bit {
	VIDEO_A_SIGNED,
	VIDEO_B_SIGNED,
	VIDEO_D_SIGNED,
	VIDEO_SAT,
	VIDEO_SECOND, /* 2 bits: enum video_second */
	/* scalar */
	VIDEO_A_PART = 8,
	VIDEO_B_PART = 11,
	VIDEO_D_PART = 14, /* 3 bits each: enum video_part */
	VIDEO_CLAMP = 17,  /* shift counts; else they wrap */
	VIDEO_NEGATE_PRODUCT,
	VIDEO_NEGATE_C,
	VIDEO_PLUS_ONE,
	VIDEO_SHIFT, /* 4 bits: 0, 7 or 15 */
	/* lanes */
	VIDEO_MASK = 8, /* 4 bits: which lanes of the result are written, or summed */
	VIDEO_A_LANES = 12,
	VIDEO_B_LANES = 24, /* 3 bits a lane: which of the lanes of {b, a} */
};

#endif

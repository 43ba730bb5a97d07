/* host/runtime/redirect/jump.c -- code that is overwritten by a jump, on x86-64 and AArch64. */
#include "host/runtime/redirect/redirect.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__x86_64__)
/* movabs $target, %r11; jmp *(%r11) */
#define JUMP_SIZE 13
static bool write_jump(unsigned char *to, struct target *target)
{
	const unsigned char code[JUMP_SIZE] = { 0x49, 0xbb, [10] = 0x41, 0xff, 0x23 };

	memcpy(to, code, JUMP_SIZE);
	memcpy(to + 2, &target, 8);
	return true;
}

/* jmp code */
static bool write_near_jump(unsigned char *to, intptr_t distance)
{
	const int32_t relative = (int32_t)(distance - 5);

	if (relative != distance - 5)
		return false;
	to[0] = 0xe9;
	memcpy(to + 1, &relative, 4);
	return true;
}

/* With the target in %r11; the stack is aligned behind the return address and seven registers. */
__asm__(".pushsection .text\n"
	".globl jump_resolve\n"
	".hidden jump_resolve\n"
	"jump_resolve:\n"
	"push %rdi\n push %rsi\n push %rdx\n push %rcx\n push %r8\n push %r9\n push %rax\n"
	"mov %r11, %rdi\n"
	"call target_code\n"
	"mov %rax, %r11\n"
	"pop %rax\n pop %r9\n pop %r8\n pop %rcx\n pop %rdx\n pop %rsi\n pop %rdi\n"
	"jmp *%r11\n"
	".popsection\n");
#elif defined(__aarch64__)
/* ldr x16, 8 bytes on; br x16; the address of a stub, which has room for the rest */
#define JUMP_SIZE 16

/* ldr x16, 16 bytes on; ldr x17, [x16]; br x17; nop; the target */
struct stub {
	uint32_t code[4];
	struct target *target;
};

static struct stub *stub_new(struct target *target)
{
	enum { PAGE = 65536, STUBS = PAGE / sizeof(struct stub) };
	static struct stub *page;
	static size_t used = STUBS;
	struct stub *stub;

	if (used == STUBS) {
		page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (page == MAP_FAILED)
			return NULL;
		used = 0;
	}
	/* stubs of the page may be running in other threads: it is never without one of the two rights */
	stub = &page[used++];
	if (mprotect(page, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC))
		return NULL;
	*stub = (struct stub){ { 0x58000090, 0xf9400211, 0xd61f0220, 0xd503201f }, target };
	__builtin___clear_cache((char *)stub, (char *)(stub + 1));
	return mprotect(page, PAGE, PROT_READ | PROT_EXEC) ? NULL : stub;
}

static bool write_jump(unsigned char *to, struct target *target)
{
	const uint32_t code[2] = { 0x58000050, 0xd61f0200 };
	struct stub *stub = stub_new(target);

	if (!stub)
		return false;
	memcpy(to, code, 8);
	memcpy(to + 8, &stub, 8);
	__builtin___clear_cache((char *)to, (char *)to + JUMP_SIZE);
	return true;
}

/* b code */
static bool write_near_jump(unsigned char *to, intptr_t distance)
{
	const uint32_t code = 0x14000000 | ((uint32_t)(distance / 4) & 0x3ffffff);

	if (distance < -(1 << 27) || distance >= 1 << 27)
		return false;
	memcpy(to, &code, 4);
	__builtin___clear_cache((char *)to, (char *)to + 4);
	return true;
}

/* With the target in x16; x8 is where a result of many bytes goes, x30 the return address. */
__asm__(".pushsection .text\n"
	".globl jump_resolve\n"
	".hidden jump_resolve\n"
	"jump_resolve:\n"
	"stp x0, x1, [sp, -80]!\n"
	"stp x2, x3, [sp, 16]\n"
	"stp x4, x5, [sp, 32]\n"
	"stp x6, x7, [sp, 48]\n"
	"stp x8, x30, [sp, 64]\n"
	"mov x0, x16\n"
	"bl target_code\n"
	"mov x16, x0\n"
	"ldp x8, x30, [sp, 64]\n"
	"ldp x6, x7, [sp, 48]\n"
	"ldp x4, x5, [sp, 32]\n"
	"ldp x2, x3, [sp, 16]\n"
	"ldp x0, x1, [sp], 80\n"
	"br x16\n"
	".popsection\n");
#else
#define JUMP_SIZE SIZE_MAX
const char jump_resolve[1];
static bool write_jump(unsigned char *to, struct target *target)
{
	(void)to, (void)target;
	return false;
}

static bool write_near_jump(unsigned char *to, intptr_t distance)
{
	(void)to, (void)distance;
	return false;
}
#endif

const size_t jump_size = JUMP_SIZE;

static bool protect_pages(uintptr_t from, uintptr_t to, int protection)
{
	uintptr_t first = from & ~((uintptr_t)sysconf(_SC_PAGESIZE) - 1);

	return mprotect((void *)first, to - first, protection) == 0;
}

/* Some systems forbid memory that can be written and executed: first the one, then the other. */
bool jumps_begin(uintptr_t from, uintptr_t to)
{
	return protect_pages(from, to, PROT_READ | PROT_WRITE);
}

bool jumps_end(uintptr_t from, uintptr_t to)
{
	return protect_pages(from, to, PROT_READ | PROT_EXEC);
}

/* Functions begin at multiples of 16: what is behind a shorter one is not used. */
bool jump_write(uintptr_t at, size_t size, struct target *target)
{
	return ((at % 16 == 0 && JUMP_SIZE <= 16) || size >= JUMP_SIZE) &&
		write_jump((unsigned char *)at, target);
}

bool jump_write_near(uintptr_t at, const void *code)
{
	return write_near_jump((unsigned char *)at, (intptr_t)((uintptr_t)code - at));
}

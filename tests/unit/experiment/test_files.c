/* tests/unit/experiment/test_files.c -- files replaced whole, folders made and removed, hashes of contents.
 */
#include "experiment/files.h"
#include "experiment/hash.h"
#include "experiment/paths.h"
#include "experiment/process.h"
#include "tests/unit/experiment/rig.h"
#include <errno.h>
#include <pthread.h>

TestSuite(files, .init = rig_start, .fini = rig_stop);

static bool replace(const char *name, const char *text)
{
	return file_replace(at(name), text, strlen(text), &diags);
}

static size_t count_in(const char *folder)
{
	size_t count;
	char **names = paths_list(folder, "", &count);

	paths_list_free(names, count);
	return count;
}

Test(files, a_file_is_read_whole_with_its_nuls)
{
	static char big[100000];
	size_t size;
	char *text;

	memset(big, 'x', sizeof(big));
	big[50000] = 0;
	put_bytes("big", big, sizeof(big));
	text = file_read(at("big"), &size);
	cr_assert_eq(size, sizeof(big));
	cr_expect_eq(memcmp(text, big, size), 0);
	cr_expect_eq(text[size], 0);
	free(text);
	put("empty", "");
	text = file_read(at("empty"), &size);
	cr_expect_str_eq(text, "");
	cr_expect_eq(size, 0);
	free(text);
}

Test(files, what_cannot_be_read_is_null_with_errno)
{
	cr_expect_null(file_read(at("none"), NULL));
	cr_expect_eq(errno, ENOENT);
	cr_expect_null(file_read(here, NULL));
	cr_expect_eq(errno, EISDIR);
}

Test(files, replacing_leaves_no_other_file_behind)
{
	cr_expect(replace("a", "first"));
	cr_expect(replace("a", ""));
	expect_content("a", "");
	cr_expect(replace("a", "second"));
	expect_content("a", "second");
	cr_expect_eq(count_in(here), 1);
}

Test(files, a_file_that_cannot_be_replaced_stays_as_it_was)
{
	cr_assert(folder_make(at("a/inner"), &diags));
	cr_expect_not(replace("a", "x"));
	expect_told_of("cannot be written: ");
	cr_expect_not(replace("no/such/folder", "x"));
	expect_told_of("cannot be written: No such file or directory");
	cr_expect_eq(count_in(here), 1);
	cr_expect(is_there(at("a/inner")));
}

static void *replace_often(void *unused)
{
	static char text[2][200000];
	char *path = at("shared");

	memset(text[0], 'a', sizeof(text[0]));
	memset(text[1], 'b', sizeof(text[1]));
	for (int i = 0; i < 40; i++)
		file_replace(path, text[i % 2], sizeof(text[0]) - (size_t)(i % 2), &diags);
	put("end", "");
	return NULL;
}

Test(files, a_reader_sees_the_one_or_the_other_and_never_a_part)
{
	char *path = at("shared"), *end = at("end");
	pthread_t writer;

	replace("shared", "a");
	cr_assert_eq(pthread_create(&writer, NULL, replace_often, NULL), 0);
	while (!is_there(end)) {
		size_t size;
		char *text = file_read(path, &size);

		cr_assert_not_null(text);
		cr_assert(size == 1 || size == 199999 || size == 200000, "%zu bytes", size);
		cr_assert_eq(strspn(text, (char[]){ text[0], 0 }), size);
		free(text);
	}
	pthread_join(writer, NULL);
}

Test(files, folders_are_made_with_their_parents)
{
	cr_expect(folder_make(at("a/b/c"), &diags));
	cr_expect(folder_make(at("a/b/c"), &diags));
	cr_expect(folder_make(at("a//d/"), &diags));
	cr_expect(is_there(at("a/b/c")));
	cr_expect(is_there(at("a/d")));
	put("file", "");
	cr_expect_not(folder_make(at("file/x"), &diags));
	expect_told_of("file/x cannot be made: Not a directory");
	cr_expect_not(folder_make(at("file"), &diags));
	expect_told_of("file cannot be made: ");
}

Test(files, removing_goes_all_the_way_down_and_never_out)
{
	put("outside", "stays");
	cr_assert(folder_make(at("other"), &diags));
	put("other/inside", "stays too");
	cr_assert(folder_make(at("f/a/b/c/d/e"), &diags));
	put("f/a/x y\n", "");
	put("f/a/.hidden", "");
	put("f/a/b/c/d/e/file", "");
	cr_assert_eq(chmod(at("f/a/.hidden"), 0400), 0);
	cr_assert_eq(symlink(at("outside"), at("f/to-file")), 0);
	cr_assert_eq(symlink(at("other"), at("f/a/to-folder")), 0);
	cr_assert_eq(symlink("..", at("f/a/up")), 0);
	cr_assert_eq(symlink("nowhere", at("f/dangling")), 0);
	folder_remove(at("f"));
	cr_expect_not(is_there(at("f")));
	expect_content("outside", "stays");
	expect_content("other/inside", "stays too");
}

Test(files, removing_a_link_to_a_folder_removes_the_link)
{
	cr_assert(folder_make(at("other"), &diags));
	put("other/inside", "stays");
	cr_assert_eq(symlink(at("other"), at("link")), 0);
	folder_remove(at("link"));
	cr_expect_not(is_there(at("link")));
	expect_content("other/inside", "stays");
	folder_remove(at("not-there"));
}

Test(files, deeper_folders_than_files_may_be_open_are_removed)
{
	char name[2000] = "deep";

	for (int i = 0; i < 100; i++)
		strcat(name, "/d");
	cr_assert(folder_make(at(name), &diags));
	folder_remove(at("deep"));
	cr_expect_not(is_there(at("deep")));
}

/* -- hashes -- */

static struct hash hash_of_two(const char *a, const char *b)
{
	struct hasher h;

	hasher_init(&h);
	hasher_add_text(&h, a);
	hasher_add_text(&h, b);
	return hasher_end(&h);
}

static struct hash hash_of_file(const char *name)
{
	struct hasher h;

	hasher_init(&h);
	cr_expect(hasher_add_file(&h, at(name), &diags));
	return hasher_end(&h);
}

Test(files, hashes_tell_pieces_apart)
{
	cr_expect_str_neq(hash_of_two("a", "bc").text, hash_of_two("ab", "c").text);
	cr_expect_str_neq(hash_of_two("", "a").text, hash_of_two("a", "").text);
	cr_expect_str_eq(hash_of_two("a", "bc").text, hash_of_two("a", "bc").text);
	cr_expect_eq(strlen(hash_of_text("x").text), 32);
	cr_expect_eq(strspn(hash_of_text("x").text, "0123456789abcdef"), 32);
}

Test(files, hashes_of_files_are_those_of_their_contents)
{
	static char big[200000];

	put("a", "text");
	put("b", "text");
	put("c", "texT");
	cr_expect_str_eq(hash_of_file("a").text, hash_of_file("b").text);
	cr_expect_str_neq(hash_of_file("a").text, hash_of_file("c").text);
	put_bytes("a", big, sizeof(big));
	put_bytes("b", big, sizeof(big));
	cr_expect_str_eq(hash_of_file("a").text, hash_of_file("b").text);
	big[199999] = 1; /* beyond the first piece that is read */
	put_bytes("b", big, sizeof(big));
	cr_expect_str_neq(hash_of_file("a").text, hash_of_file("b").text);
	put_bytes("b", big, 199999);
	cr_expect_str_neq(hash_of_file("a").text, hash_of_file("b").text);
	expect_told("");
}

Test(files, files_that_cannot_be_hashed_are_told)
{
	struct hasher h;

	hasher_init(&h);
	cr_expect_not(hasher_add_file(&h, at("none"), &diags));
	expect_told_of("none cannot be read: No such file or directory");
	cr_expect_not(hasher_add_file(&h, here, &diags));
	expect_told_of("cannot be read: Is a directory");
	hasher_end(&h);
}

/* -- commands as a shell reads them -- */

Test(files, a_command_line_is_read_back_by_the_shell_word_by_word)
{
	char *words[] = { (char *)"plain", (char *)"", (char *)"two words", (char *)"it's", (char *)"a\"b\\c",
		(char *)"$HOME `x` *", (char *)"line\nbreak", (char *)"-o=x,y:z@1%", (char *)"~", (char *)"#",
		(char *)"''", NULL };
	char *line = process_command_line("printf '<%s>'", words);
	char *output = process_output((char *[]){ (char *)"/bin/sh", (char *)"-c", line, NULL });

	cr_expect_str_eq(output,
		"<plain><><two words><it's><a\"b\\c><$HOME `x` *><line\nbreak><-o=x,y:z@1%><~><#><''>");
	free(output);
	free(line);
}

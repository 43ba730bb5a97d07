/* frontend/parse/ptx.y -- the grammar of PTX, ISA 1.4 to 9.0.
 *
 * This file contains only syntax: an action passes its parts to a function of parser.h, which builds the
 * tree. Semantic errors (types, names, numbers out of range) are therefore reported there or in
 * frontend/check. After a syntax error, parsing continues behind the next `;` or `}`. The tree is allocated
 * in the module's arena, the values of the current statement in the scratch arena, so that no %destructor is
 * needed. */
%define api.pure full
%define api.prefix {ptxyy}
%define api.token.prefix {T_}
%define api.location.type {struct ptx_location}
%define parse.error custom
%define parse.lac full
%define lr.default-reduction consistent
%locations
%expect 0
%param { struct ptx_parser *p }
%parse-param { void *scanner }
%lex-param { void *scanner }

%code requires {
#include "frontend/parse/parser.h"
}

%code {
#include <string.h>
#define YYLLOC_DEFAULT(Current, Rhs, N) ((Current) = (N) ? YYRHSLOC(Rhs, 1) : YYRHSLOC(Rhs, 0))
#define YYINITDEPTH 256
#define YYMAXDEPTH 4096
#define YYSTACK_USE_ALLOCA 0
int ptxyylex(PTXYYSTYPE *value, PTXYYLTYPE *location, struct ptx_parser *p, void *scanner);
static void ptxyyerror(PTXYYLTYPE *location, struct ptx_parser *p, void *scanner, const char *message);
}

%union {
	struct ptx_name *name;
	struct node *node;
	struct ptx_value value;
	struct ptx_var *variable;
	struct ptx_init *init;
	struct init_list inits;
	struct { uint64_t value[4]; int count; } numbers;
	struct { unsigned major, minor; } version;
	struct ptx_text text;
	struct { struct ptx_name *name; uint64_t offset; } label;
	int number;
}

%token END 0 "the end of the file"
%token <name> WORD "a name" DOTTED "an instruction" CALL "call" SUFFIX "a modifier"
%token <value> INTEGER "an integer" FLOAT "a floating-point number"
%token <value> FLOAT_BITS "the bits of a floating-point number"
%token <version> VERSION_NUMBER "a version number"
%token <name> STRING "a string"
%token SINK "_"
%token <text> SECTION ".section" DWARF "@@DWARF"
%token <number> TYPE "a type" SPACE "a state space" VECTOR "a vector width" LINKAGE "a linkage directive"
%token <number> LIMIT "a performance directive"
%token VERSION ".version" TARGET ".target" ADDRESS_SIZE ".address_size" ENTRY ".entry" FUNC ".func"
%token ALIGN ".align" PTR ".ptr" ATTRIBUTE ".attribute" ALIAS ".alias" PRAGMA ".pragma"
%token LOC ".loc" FILE_ ".file"
%token MANAGED ".managed" UNIFIED ".unified"
%token BRANCHTARGETS ".branchtargets" CALLTARGETS ".calltargets" CALLPROTOTYPE ".callprototype"
/* braces around statements; those of vectors and initialisers are '{' and '}' (see the scanner) */
%token BEGIN_ "{" END_BLOCK "}"
%token OROR "||" ANDAND "&&" EQ "==" NE "!=" LE "<=" GE ">=" SHL "<<" SHR ">>"

%type <name> word suffix
%type <node> operation operand operands operand_list computed expression guard call_operands call_operand
%type <node> name_list strings
%type <label> label_offset
%type <inits> init_list
%type <init> initialiser initialiser_opt init_item
%type <variable> declarator param_name
%type <number> linkages
%type <numbers> limit_values
%type <value> number

%right '?' ':'
%left OROR
%left ANDAND
%left '|'
%left '^'
%left '&'
%left EQ NE
%left '<' '>' LE GE
%left SHL SHR
%left '+' '-'
%left '*' '/' '%'
%precedence UNARY
/* a .pragma behind a function's header belongs to the function */
%precedence NOTHING
%precedence PRAGMA
%token ';'

%%

module: %empty | module item;

item:
	VERSION VERSION_NUMBER                       { set_version(p, @1, $2.major, $2.minor); }
	| TARGET targets                             { target_end(p, @1); }
	| ADDRESS_SIZE INTEGER                       { set_address_size(p, @2, $2.bits); }
	| ALIAS WORD ',' WORD ';'                    { add_alias(p, @2, $2, $4); }
	| variable
	| function
	| FILE_ INTEGER STRING                       { add_file(p, @1, $2.bits, $3, NULL, 0); }
	| FILE_ INTEGER STRING ',' INTEGER
		{ add_file(p, @1, $2.bits, $3, (uint64_t[]){ $5.bits }, 1); }
	| FILE_ INTEGER STRING ',' INTEGER ',' INTEGER
		{ add_file(p, @1, $2.bits, $3, (uint64_t[]){ $5.bits, $7.bits }, 2); }
	| PRAGMA strings ';'                         { add_pragma(p, @1, $2); }
	| SECTION                                    { add_text(p, @1, PTX_SECTION, &$1); }
	| DWARF                                      { add_text(p, @1, PTX_DWARF, &$1); }
	| error ';'                                  { yyerrok; }
	| error orphan                               { yyerrok; }
	;
targets:
	WORD                                         { set_target(p, @1, $1, true); }
	| targets ',' WORD                           { set_target(p, @3, $3, false); }
	;

/* what has no effect on execution */
loc: LOC INTEGER INTEGER INTEGER                     { add_loc(p, @1, $2.bits, $3.bits, $4.bits); };
remark:
	loc
	| loc ',' WORD label_offset ',' WORD INTEGER INTEGER INTEGER
		{
			add_inlined(p, &(struct loc_words){ $3, $6, @3, @6 }, $4.name, $4.offset,
				(uint64_t[]){ $7.bits, $8.bits, $9.bits });
		}
	| PRAGMA strings ';'                         { add_pragma(p, @1, $2); }
	;
label_offset:
	WORD                                         { $$.name = $1; $$.offset = 0; }
	| WORD '+' INTEGER                           { $$.name = $1; $$.offset = $3.bits; }
	;
strings:
	STRING                                       { $$ = node_name(p, @1, $1); }
	| strings ',' STRING                         { $$ = node_append($1, node_name(p, @3, $3)); }
	;

/* variables */
linkages: %empty { $$ = PTX_NO_LINKAGE; } | linkages LINKAGE { $$ = linkage_join(p, @2, $1, $2); };
variable:
	linkages SPACE { declaration_begin(p, @2, $1, $2); } attributes declarators ';'
	| before_space SPACE { declaration_place(p, @2, $2); } attributes declarators ';'
	;
/* what may stand before the state space, too */
before_space:
	linkages ALIGN INTEGER
		{
			declaration_begin(p, @2, $1, PTX_NO_SPACE);
			declaration_align(p, @3, $3.bits);
		}
	| linkages ATTRIBUTE { declaration_begin(p, @2, $1, PTX_NO_SPACE); } '(' attribute_words ')'
	| before_space ALIGN INTEGER                 { declaration_align(p, @3, $3.bits); }
	| before_space ATTRIBUTE '(' attribute_words ')'
	;
attributes: %empty | attributes attribute;
attribute:
	TYPE                                         { declaration_type(p, @1, $1); }
	| VECTOR                                     { declaration_vector(p, @1, $1); }
	| ALIGN INTEGER                              { declaration_align(p, @2, $2.bits); }
	| PTR                                        { declaration_pointer(p, @1); }
	| SPACE                                      { declaration_space(p, @1, $1); }
	| ATTRIBUTE '(' attribute_words ')'
	;
attribute_words: attribute_word | attribute_words ',' attribute_word;
attribute_word:
	MANAGED                                      { declaration_managed(p, @1); }
	| UNIFIED '(' INTEGER ',' INTEGER ')'        { declaration_unified(p, @1, $3.bits, $5.bits); }
	;
declarators: declaration | declarators ',' declaration;
declaration: declarator initialiser_opt              { declare_done(p, $1, $2); };
declarator:
	WORD                                         { $$ = declare_variable(p, @1, $1); }
	| WORD '<' INTEGER '>'
		{
			$$ = declare_variable(p, @1, $1);
			declare_range(p, @3, $$, $3.bits);
		}
	| declarator '[' ']'                         { $$ = $1; declare_dimension(p, @2, $$, NULL); }
	| declarator '[' expression ']'              { $$ = $1; declare_dimension(p, @3, $$, $3); }
	;
initialiser_opt: %empty { $$ = NULL; } | '=' initialiser { $$ = $2; };
initialiser:
	expression                                   { $$ = init_value(p, $1); }
	| FLOAT_BITS                                 { $$ = init_value(p, node_value(p, @1, $1)); }
	| '{' '}'                                    { $$ = init_braces(p, @1, (struct init_list){ 0 }); }
	| '{' init_list '}'                          { $$ = init_braces(p, @1, $2); }
	;
init_list:
	init_item                                    { $$ = init_append(p, (struct init_list){ 0 }, $1); }
	| init_list ',' init_item                    { $$ = init_append(p, $1, $3); }
	;
init_item:
	initialiser                                  { $$ = $1; }
	| WORD '=' expression                        { $$ = init_property(p, @1, $1, $3); }
	| WORD '=' WORD STRING                       { $$ = NULL; }
	;

/* functions */
function:
	entry_head parameters_opt limits tail
	| func_head returns func_name parameters_opt limits tail
	;
entry_head:
	linkages ENTRY WORD
		{
			function_begin(p, @2, $1, true);
			function_name(p, @3, $3);
		}
	;
func_head: func_start function_attribute;
func_start: linkages FUNC                            { function_begin(p, @2, $1, false); };
function_attribute:
	%empty
	| ATTRIBUTE
		{ declaration_begin(p, @1, PTX_NO_LINKAGE, PTX_NO_SPACE); }
	  '(' attribute_words ')'
		{ function_unified(p); }
	;
func_name: WORD                                      { function_name(p, @1, $1); };
returns: %empty | '(' { function_params_begin(p, true); } param_list_opt ')';
parameters_opt: %empty | parameters;
parameters: '(' { function_params_begin(p, false); } param_list_opt ')';
param_list_opt: %empty | param_list;
param_list: param | param_list ',' param;
param:
	SPACE                                        { declaration_begin(p, @1, PTX_NO_LINKAGE, $1); }
	attributes param_name                        { declare_param(p, $4); }
	| ALIGN INTEGER SPACE
		{
			declaration_begin(p, @3, PTX_NO_LINKAGE, $3);
			declaration_align(p, @2, $2.bits);
		}
	attributes param_name                        { declare_param(p, $6); }
	;
param_name:
	%empty                                       { $$ = declare_unnamed(p, @$, false); }
	| SINK                                       { $$ = declare_unnamed(p, @1, true); }
	| WORD                                       { $$ = declare_variable(p, @1, $1); }
	| param_name '[' ']'                         { $$ = $1; declare_dimension(p, @2, $$, NULL); }
	| param_name '[' expression ']'              { $$ = $1; declare_dimension(p, @3, $$, $3); }
	;
limits:
	%empty
	| limits LIMIT limit_values                  { function_limit(p, @2, $2, $3.value, $3.count); }
	| limits PRAGMA strings ';'                  { add_pragma(p, @2, $3); }
	;
limit_values:
	%empty                                       { $$.count = 0; }
	| INTEGER                                    { $$.count = 1; $$.value[0] = $1.bits; }
	| limit_values ',' INTEGER
		{
			$$ = $1;
			if ($$.count < 4)
				$$.value[$$.count++] = $3.bits;
		}
	;
tail:
	%empty %prec NOTHING                         { function_end(p, false); }
	| ';'                                        { function_end(p, false); }
	| BEGIN_ { function_body(p); } block_rest    { function_end(p, true); }
	;
orphan: BEGIN_ { orphan_begin(p, @1); } block_rest      { orphan_end(p); };

/* statements */
block_rest: statements END_BLOCK | statements error END_BLOCK { yyerrok; };
statements: %empty | statements statement | statements error ';' { yyerrok; };
statement:
	variable
	| remark
	| WORD ':'                                   { add_label(p, @1, $1); }
	| BEGIN_ { scope_open(p, @1); } block_rest   { scope_close(p); }
	| BRANCHTARGETS name_list ';'                { add_targets(p, @1, $2, false); }
	| CALLTARGETS name_list ';'                  { add_targets(p, @1, $2, true); }
	| CALLPROTOTYPE                              { prototype_begin(p, @1); }
	  returns SINK parameters limits ';'         { prototype_end(p, @1); }
	| operation ';'
	;
name_list:
	WORD                                         { $$ = node_name(p, @1, $1); }
	| name_list ',' WORD                         { $$ = node_append($1, node_name(p, @3, $3)); }
	;
operation:
	word operands                                { add_instruction(p, @1, NULL, $1, $2); }
	| guard word operands                        { add_instruction(p, @2, $1, $2, $3); }
	| CALL call_operands                         { add_instruction(p, @1, NULL, $1, $2); }
	| guard CALL call_operands                   { add_instruction(p, @2, $1, $2, $3); }
	;
guard:
	'@' WORD                                     { $$ = node_name(p, @2, $2); }
	| '@' '!' WORD
		{
			$$ = node_name(p, @3, $3);
			$$->operand.negated = true;
		}
	;
word: WORD | DOTTED | word suffix                    { $$ = join_words(p, $1, $2); };
/* these states reduce without looking ahead (lr.default-reduction): p->token is still the suffix itself */
suffix:
	SUFFIX
	| TYPE                                       { $$ = last_word(p); }
	| SPACE                                      { $$ = last_word(p); }
	| VECTOR                                     { $$ = last_word(p); }
	| LINKAGE                                    { $$ = last_word(p); }
	| ALIAS                                      { $$ = last_word(p); }
	;

/* operands */
call_operands: call_operand | call_operands ',' call_operand { $$ = node_append($1, $3); };
call_operand:
	WORD                                         { $$ = node_name(p, @1, $1); }
	| '(' ')'                                    { $$ = node_list(p, @1, PTX_OP_LIST, NULL); }
	| '(' operand_list ')'                       { $$ = node_list(p, @1, PTX_OP_LIST, $2); }
	;
operands: %empty { $$ = NULL; } | operand_list;
operand_list: operand | operand_list ',' operand     { $$ = node_append($1, $3); };
operand:
	expression
	| FLOAT_BITS                                 { $$ = node_value(p, @1, $1); }
	| WORD '[' expression ']'                    { $$ = node_element(p, @1, $1, $3); }
	| '{' operand_list '}'                       { $$ = node_list(p, @1, PTX_OP_VECTOR, $2); }
	| '{' operand_list '}' '|' WORD
		{ $$ = node_pair(p, node_list(p, @1, PTX_OP_VECTOR, $2), node_name(p, @5, $5)); }
	| '[' expression ']'                         { $$ = node_address(p, @1, $2, NULL); }
	| '[' expression ',' operand_list ']'        { $$ = node_address(p, @1, $2, $4); }
	;
number: INTEGER | FLOAT;
expression:
	number                                       { $$ = node_value(p, @1, $1); $$->is_literal = true; }
	| WORD                                       { $$ = node_name(p, @1, $1); $$->is_literal = true; }
	| computed                                   { $$ = $1; $$->is_literal = false; }
	;
computed:
	DOTTED                                     { $$ = node_name(p, @1, $1); }
	| SINK                                       { $$ = node_new(p, @1, PTX_OP_SINK); }
	| WORD '(' expression ')'                    { $$ = node_apply(p, @1, $1, $3); }
	| INTEGER '(' expression ')'                 { $$ = node_mask(p, @1, $1, $3); }
	| '(' FLOAT_BITS ')'                         { $$ = node_value(p, @1, $2); } /* alone it is none */
	| '(' expression ')'                         { $$ = node_parenthesised(p, @1, $2); }
	| '(' TYPE ')' expression %prec UNARY        { $$ = node_cast(p, @2, $2, $4); }
	| '-' expression %prec UNARY                 { $$ = node_unary(p, @1, '-', $2); }
	| '+' expression %prec UNARY                 { $$ = node_unary(p, @1, '+', $2); }
	| '!' expression %prec UNARY                 { $$ = node_unary(p, @1, '!', $2); }
	| '~' expression %prec UNARY                 { $$ = node_unary(p, @1, '~', $2); }
	| expression '+' expression                  { $$ = node_binary(p, @2, '+', $1, $3); }
	| expression '-' expression                  { $$ = node_binary(p, @2, '-', $1, $3); }
	| expression '*' expression                  { $$ = node_binary(p, @2, '*', $1, $3); }
	| expression '/' expression                  { $$ = node_binary(p, @2, '/', $1, $3); }
	| expression '%' expression                  { $$ = node_binary(p, @2, '%', $1, $3); }
	| expression SHL expression                  { $$ = node_binary(p, @2, T_SHL, $1, $3); }
	| expression SHR expression                  { $$ = node_binary(p, @2, T_SHR, $1, $3); }
	| expression '<' expression                  { $$ = node_binary(p, @2, '<', $1, $3); }
	| expression '>' expression                  { $$ = node_binary(p, @2, '>', $1, $3); }
	| expression LE expression                   { $$ = node_binary(p, @2, T_LE, $1, $3); }
	| expression GE expression                   { $$ = node_binary(p, @2, T_GE, $1, $3); }
	| expression EQ expression                   { $$ = node_binary(p, @2, T_EQ, $1, $3); }
	| expression NE expression                   { $$ = node_binary(p, @2, T_NE, $1, $3); }
	| expression '&' expression                  { $$ = node_binary(p, @2, '&', $1, $3); }
	| expression '^' expression                  { $$ = node_binary(p, @2, '^', $1, $3); }
	| expression '|' expression                  { $$ = node_binary(p, @2, '|', $1, $3); }
	| expression ANDAND expression               { $$ = node_binary(p, @2, T_ANDAND, $1, $3); }
	| expression OROR expression                 { $$ = node_binary(p, @2, T_OROR, $1, $3); }
	| expression '?' expression ':' expression   { $$ = node_choice(p, $1, $3, $5); }
	;

%%

#define MOST_EXPECTED 6
#define ALL_EXPECTED  64

/* What can end an operand. */
static bool is_closing(yysymbol_kind_t symbol)
{
	return symbol == YYTRANSLATE(';') || symbol == YYTRANSLATE(',') || symbol == YYTRANSLATE('}') ||
		symbol == YYTRANSLATE(']') || symbol == YYTRANSLATE(')');
}

/* Behind an operand every operator is possible as well; what was meant is a comma or an end. */
static int without_operators(yysymbol_kind_t *expected, int count)
{
	bool is_behind_operand = false;
	int kept = 0;

	for (int i = 0; i < count; i++)
		is_behind_operand |= expected[i] == YYSYMBOL_SHL;
	if (!is_behind_operand)
		return count;
	for (int i = 0; i < count; i++)
		if (is_closing(expected[i]))
			expected[kept++] = expected[i];
	return kept;
}

/* "unexpected `foo', expected ';' or ','", the list only while it is short enough to help. */
static int yyreport_syntax_error(const yypcontext_t *context, struct ptx_parser *p, void *scanner)
{
	yysymbol_kind_t expected[ALL_EXPECTED];
	int count = yypcontext_expected_tokens(context, expected, ALL_EXPECTED);
	bool at_end = yypcontext_token(context) == YYSYMBOL_YYEOF;
	char list[256] = "";

	count = without_operators(expected, count);
	for (int i = 0; i < count && count <= MOST_EXPECTED; i++) {
		strcat(list, i == 0 ? ", expected " : i == count - 1 ? " or " : ", ");
		strncat(list, yysymbol_name(expected[i]), 30);
	}
	parse_syntax_error(p, *yypcontext_location(context), at_end, list);
	return 0;
}

/* Only for what is not a syntax error: the parser's stack is full. */
static void ptxyyerror(PTXYYLTYPE *location, struct ptx_parser *p, void *scanner, const char *message)
{
	parse_error(p, *location, NULL, "nested too deeply");
}

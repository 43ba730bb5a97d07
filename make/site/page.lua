-- make/site/page.lua -- a filter of pandoc for one page: links to Markdown become links to pages, tables can
-- be scrolled, and the text of each part goes to the index of the search. What links lead to that is no
-- Markdown is noted for make/site/build.sh.
local work, file, page = os.getenv("SITE_WORK"), os.getenv("SITE_FILE"), os.getenv("SITE_PAGE")
local page_of, title_of = {}, {}

local function read_rows(name, into)
	for line in io.lines(work .. "/" .. name) do
		local key, value = line:match("^(.-)\t(.*)$")
		if key then into[key] = value end
	end
end
read_rows("pages", page_of)
read_rows("titles", title_of)

local function folder_of(path) return path:match("^(.*)/[^/]*$") or "" end

-- a path without "." and ".."
local function normalised(path)
	local parts = {}
	for part in path:gmatch("[^/]+") do
		if part == ".." then table.remove(parts) elseif part ~= "." then parts[#parts + 1] = part end
	end
	return table.concat(parts, "/")
end

-- from the page's folder
local function relative(target)
	local _, up = folder_of(page):gsub("[^/]+", "")
	return ("../"):rep(up) .. target
end

local wanted = {}
-- where a link leads in the site, and the file of Markdown that is meant, if any
local function resolved(link)
	if link:match("^%a+:") or link:match("^#") then return link end
	local path, part = link:match("^([^#]+)(.*)$")
	local target = normalised(folder_of(file) .. "/" .. path)
	for _, name in ipairs({ target, target .. "/README.md", "README.md" }) do
		if page_of[name] and (name ~= "README.md" or target == "") then
			return relative(page_of[name]) .. part, name
		end
	end
	wanted[target] = true
	local is_picture = target:match("%.svg$") or target:match("%.png$")
	return relative(target) .. (is_picture and "" or ".html")
end

function Link(link)
	local to, name = resolved(link.target)
	local text = pandoc.utils.stringify(link.content)
	link.target = to
	-- a file's name says less than what the page is called
	if name and title_of[name] and (text == name or text == name:match("[^/]*$")) then
		link.content = { pandoc.Str(title_of[name]) }
	end
	return link
end

function Image(image)
	local target = normalised(folder_of(file) .. "/" .. image.src)
	wanted[target] = true
	image.src = relative(target)
	return image
end

-- ---- the index ----

local function quoted(text)
	text = text:gsub('[%c"\\]', function(c) return c == '"' and '\\"' or c == "\\" and "\\\\" or " " end)
	return '"' .. text:gsub("<", "\\u003c") .. '"'
end

local function put_parts(document)
	local out = assert(io.open(work .. "/index/" .. page:gsub("/", "_"), "w"))
	local title = title_of[file] or file
	local part, id, texts = "", "", {}
	local function put()
		local text = table.concat(texts, " "):gsub("%s+", " ")
		if text ~= "" then
			local row = { page .. (id ~= "" and "#" .. id or ""), title, part, text }
			for i, value in ipairs(row) do row[i] = quoted(value) end
			out:write("[", table.concat(row, ","), "],\n")
		end
		texts = {}
	end
	local function keep(block)
		local is_code = block.t == "CodeBlock"
		texts[#texts + 1] = is_code and block.text:sub(1, 2000) or pandoc.utils.stringify(block)
	end
	for _, block in ipairs(document.blocks) do
		if block.t == "Header" and block.level > 1 then
			put()
			part, id = pandoc.utils.stringify(block.content), block.identifier
		else
			local keep_all = { Para = keep, Plain = keep, CodeBlock = keep }
			pandoc.walk_block(pandoc.Div({ block }), keep_all)
		end
	end
	put()
	out:close()
end

function Table(t) return pandoc.Div({ t }, { class = "scroll" }) end

function Pandoc(document)
	put_parts(document)
	if next(wanted) then
		local out = assert(io.open(work .. "/wanted/" .. page:gsub("/", "_"), "w"))
		for path in pairs(wanted) do out:write(path, "\n") end
		out:close()
	end
	return document
end

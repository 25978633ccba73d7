-- Drives `terrane lsp` from Neovim without a window, as a user would. Prints one line per thing that works; fails at the first that
-- does not. Arguments: the program, and a folder.
local program, folder = arg_program, arg_folder

local function check(what, ok, found)
  if not ok then
    io.stdout:write("failed: " .. what .. ": " .. vim.inspect(found) .. "\n")
    vim.cmd("cquit 1")
  end
  io.stdout:write(what .. "\n")
end

local function write(name, lines)
  vim.fn.writefile(lines, folder .. "/" .. name)
end

write("storm.ron", { "Graph(", "    nodes: {", '        "ground": Perlin(),', '        "slid": ThermalErosion(height: "ground"),', "    },", '    outputs: { "slid.png": "slid" },', ")" })
write("graph.ron", { "Graph(", "    params: { \"tall\": 4.0 },", "    nodes: {", '        "hills": Perlinn(amplitude: "$tall"),', '        "storm": Subgraph(file: "storm.ron", inputs: { "ground": "hills" }),', '        "soft": Blur(height: ""),', "    },", '    outputs: { "soft.png": "soft" },', ")" })

vim.cmd("edit " .. folder .. "/graph.ron")
local buffer = vim.api.nvim_get_current_buf()
local client = vim.lsp.start_client({ name = "terrane", cmd = { program, "lsp" }, root_dir = folder })
vim.lsp.buf_attach_client(buffer, client)
check("attached", vim.wait(5000, function() return vim.lsp.buf_is_attached(buffer, client) end), client)

local function diagnostics(count)
  vim.wait(5000, function() return #vim.diagnostic.get(buffer) == count end)
  return vim.diagnostic.get(buffer)
end

local function ask(method, line, column, more)
  local params = { textDocument = { uri = vim.uri_from_bufnr(buffer) } }
  if line then params.position = { line = line, character = column } end
  for name, value in pairs(more or {}) do params[name] = value end
  local answers = vim.lsp.buf_request_sync(buffer, "textDocument/" .. method, params, 5000)
  local answer = answers and answers[client]
  check("answer to " .. method, answer and not answer.err, answers)
  return answer.result
end

local found = diagnostics(2)
check("mistakes", #found == 2 and found[1].message:find("Perlinn"), found)

-- The fix of the first one.
local range = { start = { line = 3, character = 0 }, ["end"] = { line = 3, character = 40 } }
local actions = ask("codeAction", nil, nil, { range = range, context = { diagnostics = {} } })
check("a fix", #actions == 1 and actions[1].title:find("Perlin"), actions)
vim.lsp.util.apply_workspace_edit(actions[1].edit, "utf-16")
check("the fix is applied", vim.api.nvim_buf_get_lines(buffer, 3, 4, false)[1]:find('Perlin%(') ~= nil, vim.api.nvim_buf_get_lines(buffer, 3, 4, false))

-- A wire between the quotes.
local items = ask("completion", 5, 30).items
check("completion proposes wires that fit", items[1].label == "storm" and items[2].label:find("hills"), { items[1].label, items[2] and items[2].label })
vim.api.nvim_buf_set_text(buffer, 5, 30, 5, 30, { "storm" })
found = diagnostics(0)
check("no mistakes", #found == 0, found)

local hover = ask("hover", 3, 20)
check("hover", hover.contents.value:find("Perlin noise") ~= nil, hover)

local place = ask("definition", 4, 60)
check("definition in another file", place.uri:find("storm.ron") ~= nil and place.range.start.line == 2, place)

local edit = ask("rename", 3, 11, { newName = "mountains" })
vim.lsp.util.apply_workspace_edit(edit, "utf-16")
local text = table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), "\n")
check("rename", text:find('"mountains": Perlin') and text:find('"ground": "mountains"') and not text:find('"hills"'), text)

vim.api.nvim_buf_set_lines(buffer, 1, 2, false, { '  params:{"tall":4.0},' })
local edits = ask("formatting", nil, nil, { options = { tabSize = 4, insertSpaces = true } })
vim.lsp.util.apply_text_edits(edits, buffer, "utf-16")
check("formatting", vim.api.nvim_buf_get_lines(buffer, 1, 2, false)[1] == '    params: { "tall": 4.0 },', vim.api.nvim_buf_get_lines(buffer, 0, 3, false))

local symbols = ask("documentSymbol")
check("symbols", #symbols == 3 and #symbols[2].children == 3, symbols)
check("references", #ask("references", 3, 11, { context = { includeDeclaration = true } }) == 2, {})
found = diagnostics(0)
check("still no mistakes", #found == 0, found)
vim.lsp.stop_client(client)
vim.wait(2000, function() return vim.lsp.client_is_stopped(client) end)
vim.cmd("quitall!")

-- Checks that the book's configuration of Neovim recognises graphs, and only these. Arguments: a folder, and files
-- with whether they are graphs. Ends with an error at the first that is not as it should be.
local folder, files = arg_folder, arg_files

for name, is_graph in pairs(files) do
  vim.g.started = nil
  vim.cmd("edit " .. folder .. "/" .. name)
  local found = vim.bo.filetype == "terrane" and vim.g.started == "terrane"
  if found ~= is_graph then
    io.stdout:write("failed: " .. name .. " has the type `" .. vim.bo.filetype .. "`\n")
    vim.cmd("cquit 1")
  end
end
io.stdout:write("the book's configuration recognises graphs\n")
vim.cmd("qall!")

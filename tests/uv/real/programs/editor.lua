-- Neovim: timers, a job, a pipe to another Neovim over RPC, a file, and waiting for all of them.
local function say(...) io.stdout:write(table.concat({ ... }, ' '), '\n') end

local fired = 0
local timer = vim.loop.new_timer()
timer:start(1, 1, function()
  fired = fired + 1
  if fired == 3 then timer:close() end
end)
say('timer', tostring(vim.wait(20000, function() return fired == 3 end, 5)), fired)

local lines, code = {}, nil
vim.g.job = vim.fn.jobstart({ 'sh', '-c', 'read line; echo "got $line"; exit 3' }, {
  stdout_buffered = true,
  on_stdout = function(_, data) lines = data end,
  on_exit = function(_, status) code = status end,
})
vim.fn.chansend(vim.g.job, 'hello\n')
vim.fn.jobwait({ vim.g.job }, 20000)
vim.wait(20000, function() return code ~= nil end, 5)
say('job', table.concat(lines, '|'), code)
say('system', vim.trim(vim.fn.system('cat', string.rep('x', 100000))):len())

local child = vim.fn.jobstart({ vim.v.progpath, '--embed', '--headless', '--clean' }, { rpc = true })
say('rpc', vim.fn.rpcrequest(child, 'nvim_eval', '6 * 7'))
vim.fn.rpcrequest(child, 'nvim_buf_set_lines', 0, 0, -1, true, { 'one', 'two' })
say('rpc', table.concat(vim.fn.rpcrequest(child, 'nvim_buf_get_lines', 0, 0, -1, true), ','))

local server = vim.fn.rpcrequest(child, 'nvim_call_function', 'serverstart', { 'server.sock' })
local peer = vim.fn.sockconnect('pipe', server, { rpc = true })
say('socket', vim.fn.rpcrequest(peer, 'nvim_eval', '"a" . "b"'))
vim.fn.chanclose(peer)
vim.fn.rpcnotify(child, 'nvim_command', 'qa!')
say('rpc', table.concat(vim.fn.jobwait({ child }, 20000), ','))

local fd = assert(vim.loop.fs_open('file', 'w', 420))
vim.loop.fs_write(fd, 'text', 0)
vim.loop.fs_close(fd)
local size
vim.loop.fs_stat('file', function(_, stat) size = stat.size end)
vim.wait(20000, function() return size ~= nil end, 5)
say('file', size)

local worked
vim.loop.new_work(function(a, b) return a + b end, function(sum) worked = sum end):queue(1, 2)
vim.wait(20000, function() return worked ~= nil end, 5)
say('work', worked)
vim.cmd('qa!')

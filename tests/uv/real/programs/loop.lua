-- lua-luv: every kind of handle that a small program uses, in the order of the loop.
local uv = require('luv')

local function after(name, milliseconds, done)
  local timer = uv.new_timer()
  timer:start(milliseconds, 0, function()
    timer:close()
    print(name)
    done()
  end)
end

local function echo(address, bind, connect, done)
  local server, client = bind()
  server:listen(8, function()
    local peer = (address == 'pipe') and uv.new_pipe(false) or uv.new_tcp()
    server:accept(peer)
    peer:read_start(function(_, data)
      if data then peer:write(data) else peer:close() end
    end)
  end)
  connect(server, client, function(failure)
    print(address, 'connected', failure)
    local received = 0
    client:read_start(function(_, data)
      received = received + #data
      if received == 200000 then
        client:close()
        server:close()
        print(address, received)
        done()
      end
    end)
    client:write(string.rep('x', 100000))
    client:write({ string.rep('y', 50000), string.rep('z', 50000) })
  end)
end

local function tcp(done)
  echo('tcp', function()
    local server = uv.new_tcp()
    server:bind('127.0.0.1', 0)
    return server, uv.new_tcp()
  end, function(server, client, connected)
    client:connect('127.0.0.1', server:getsockname().port, connected)
  end, done)
end

local function pipe(done)
  echo('pipe', function()
    local server = uv.new_pipe(false)
    assert(server:bind('luv.sock'))
    return server, uv.new_pipe(false)
  end, function(_, client, connected) client:connect('luv.sock', connected) end, done)
end

local function udp(done)
  local server, client = uv.new_udp(), uv.new_udp()
  server:bind('127.0.0.1', 0)
  server:recv_start(function(_, data, from)
    if not data then return end
    print('udp', data, from.ip)
    server:close()
    client:close()
    done()
  end)
  client:send('datagram', '127.0.0.1', server:getsockname().port, function(failure) print('udp sent', failure) end)
end

local function process(done)
  local out = uv.new_pipe(false)
  local text, ended = '', nil
  local function both()
    if not ended or not out:is_closing() then return end
    print('process', text:gsub('%s+$', ''), ended)
    done()
  end
  local child
  child = uv.spawn('sh', { args = { '-c', 'echo from a child; kill -TERM $$' }, stdio = { nil, out, nil } },
    function(code, signal)
      child:close()
      ended = code .. ' ' .. signal
      both()
    end)
  out:read_start(function(_, data)
    if data then text = text .. data return end
    out:close()
    both()
  end)
end

local function signal(done)
  local handle = uv.new_signal()
  handle:start('sigusr1', function(name)
    handle:close()
    print('signal', name)
    done()
  end)
  uv.kill(uv.os_getpid(), 'sigusr1')
end

local function files(done)
  uv.fs_mkdir('folder', 493, function()
    uv.fs_open('folder/file', 'w', 420, function(_, fd)
      uv.fs_write(fd, 'content', -1, function(_, written)
        uv.fs_close(fd, function()
          uv.fs_scandir('folder', function(_, entries)
            print('file', written, uv.fs_scandir_next(entries))
            done()
          end)
        end)
      end)
    end)
  end)
end

local function async(done)
  local handle
  handle = uv.new_async(function(text)
    handle:close()
    print('async', text)
    done()
  end)
  uv.new_thread(function(other) other:send('from a thread') end, handle):join()
end

local function names(done)
  uv.getaddrinfo('127.0.0.1', 80, { socktype = 'stream' }, function(_, found)
    print('name', found[1].addr, found[1].port)
    done()
  end)
end

local function hooks(done)
  local idle, prepare, check = uv.new_idle(), uv.new_prepare(), uv.new_check()
  local has_prepared = false
  idle:start(function() print('idle') idle:close() end)
  prepare:start(function() print('prepare') prepare:close() has_prepared = true end)
  check:start(function()
    print('check')
    if not has_prepared then return end
    check:close()
    done()
  end)
end

local steps = { tcp, pipe, udp, process, signal, files, async, names, hooks }
local function next_step()
  local step = table.remove(steps, 1)
  if step then step(next_step) else after('timer', 1, function() print('end') end) end
end
next_step()
uv.run()
print(uv.loop_alive(), uv.loop_close())

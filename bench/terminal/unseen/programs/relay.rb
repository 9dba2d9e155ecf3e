# A relay: a program in a terminal spawned by the interpreter, by two threads.
require "pty"
require "io/console"
PTY.spawn(*ARGV) do |output, input, pid|
  $stdin.raw!
  Thread.new { loop { input.write($stdin.readpartial(4096)) } }
  begin
    loop { $stdout.write(output.readpartial(4096)); $stdout.flush }
  rescue EOFError, Errno::EIO
    exit
  end
end

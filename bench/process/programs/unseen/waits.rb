# Waits of Ruby programs: `waits.rb WAY FOLDER`.
require 'socket'

case ARGV[0]
when 'gets' then $stdin.gets
when 'full' # A child whose output nobody takes is waited for.
  _reader, writer = IO.pipe
  Process.wait(spawn('head -c 1M /dev/zero', out: writer))
when 'flock' # Locks one file twice.
  one = File.open("#{ARGV[1]}/lock", 'w')
  one.flock(File::LOCK_EX)
  File.open("#{ARGV[1]}/lock", 'w').flock(File::LOCK_EX)
when 'thread' # One thread reads stdin, and the others wait for it.
  reader = Thread.new { $stdin.read }
  Array.new(3) { Thread.new { reader.join } }.each(&:join)
when 'server' then TCPServer.new('127.0.0.1', 0).accept
when 'sleep' then sleep 1000
end

# Ruby waits for an empty queue, and a trap fills it: `handler.rb NAME FOLDER`.
queue = Queue.new
Signal.trap(ARGV[0]) { Thread.new { queue << 1 } }
File.write("#{ARGV[1]}/pid.new", $$.to_s)
File.rename("#{ARGV[1]}/pid.new", "#{ARGV[1]}/pid")
reader = Thread.new { $stdin.read }
queue.pop
reader.kill
puts 'went on'

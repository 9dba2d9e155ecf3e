# A REPL of nobody in Ruby, with Reline.
require "reline"
prompt, more = ARGV
$stdout.sync = true
while (line = Reline.readline(prompt, true))
  case line
  when /\A(\d+)\*(\d+)/ then puts $1.to_i * $2.to_i
  when "run", "fake"
    print "now\n", (line == "fake" ? prompt : "")
    sleep 60
    puts "over"
  when "ask", "same"
    print(line == "ask" ? "Name? " : prompt)
    puts "got:" + $stdin.gets
  when "more"
    nil until Reline.readline(more) == "end"
    puts 5183
  end
end

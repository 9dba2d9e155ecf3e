# Questions of the prompt kits of Ruby: `kit.rb KIND`.
kind = ARGV.shift
if kind == "highline"
  require "highline"
  answer = HighLine.new.ask("Enter your password:  ") { |question| question.echo = false }
else
  require "tty-prompt"
  prompt = TTY::Prompt.new
  answer =
    case kind
    when "text" then prompt.ask("Pick?")
    when "select" then prompt.select("Pick?", %w[one two])
    when "confirm" then prompt.yes?("Pick?")
    when "masked" then prompt.mask("Your password?")
    when "key" then prompt.keypress("Press any key")
    end
end
puts "\ngot:#{answer}"

# A REPL of nobody in Tcl: whole lines.
lassign $argv prompt more
proc ask text { puts -nonewline $text; flush stdout; gets stdin }
while 1 {
  set line [ask $prompt]
  if {[eof stdin]} exit
  switch -glob $line {
    *[*]* { puts [expr $line] }
    run { puts now; after 60000; puts over }
    fake { puts now; puts -nonewline $prompt; flush stdout; after 60000; puts over }
    ask { puts got:[ask "Name? "] }
    same { puts got:[ask $prompt] }
    more { while {[ask $more] ne "end"} {}; puts 5183 }
  }
}

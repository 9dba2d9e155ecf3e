# A REPL of nobody in Perl, with Term::ReadLine::Gnu.
use Term::ReadLine;
my ($prompt, $more) = @ARGV;
my $term = Term::ReadLine->new('lines');
$term->ornaments(0);
$| = 1;
while (defined(my $line = $term->readline($prompt))) {
  if ($line =~ /^(\d+)\*(\d+)/) { print $1 * $2, "\n" }
  elsif ($line eq 'run' || $line eq 'fake') { print "now\n", $line eq 'fake' ? $prompt : ''; sleep 60; print "over\n" }
  elsif ($line eq 'ask' || $line eq 'same') { print $line eq 'ask' ? 'Name? ' : $prompt; print 'got:', scalar <STDIN> }
  elsif ($line eq 'more') { 1 until $term->readline($more) eq 'end'; print "5183\n" }
}

# Waits of Perl programs: `waits.pl WAY FOLDER`.
use strict;
use Fcntl ':flock';
my ($way, $folder) = @ARGV;
if ($way eq 'full') {    # A child whose output nobody takes is waited for.
  pipe my $reader, my $writer;
  my $child = fork;
  unless ($child) { open STDOUT, '>&', $writer; exec 'head', '-c', '1M', '/dev/zero' }
  waitpid $child, 0;
} elsif ($way eq 'flock') {    # Locks one file twice.
  open my $one, '>', "$folder/lock";
  flock $one, LOCK_EX;
  open my $other, '>', "$folder/lock";
  flock $other, LOCK_EX;
} elsif ($way eq 'select') {    # Select on its own pipe without a limit.
  pipe my $reader, my $writer;
  my $set = '';
  vec($set, fileno $reader, 1) = 1;
  select $set, undef, undef, undef;
}

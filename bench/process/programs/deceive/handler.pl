# Perl reads its own pipe, and a handler ends that: `handler.pl NAME FOLDER`.
use strict;
my ($name, $folder) = @ARGV;
pipe my $reader, my $writer;
$SIG{$name} = sub { print "went on\n"; exit 0 };
open my $file, '>', "$folder/pid.new";
print $file $$;
close $file;
rename "$folder/pid.new", "$folder/pid";
sysread $reader, my $byte, 1;

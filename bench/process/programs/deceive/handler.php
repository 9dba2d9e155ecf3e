<?php
// PHP locks a file twice, and a handler of a signal ends that: `handler.php NUMBER FOLDER`.
pcntl_async_signals(true);
pcntl_signal((int)$argv[1], function () {
  echo "went on\n";
  exit(0);
}, false);
file_put_contents("$argv[2]/pid.new", (string)getmypid());
rename("$argv[2]/pid.new", "$argv[2]/pid");
$one = fopen("$argv[2]/lock", 'w');
flock($one, LOCK_EX);
$other = fopen("$argv[2]/lock", 'w');
flock($other, LOCK_EX);

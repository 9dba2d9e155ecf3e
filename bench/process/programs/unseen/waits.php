<?php
// Waits of PHP programs: `waits.php WAY FOLDER`.
switch ($argv[1]) {
  case 'fgets':
    fgets(STDIN);
    break;
  case 'full': // A child whose output nobody takes is waited for.
    $pipes = [];
    $child = proc_open(['head', '-c', '1M', '/dev/zero'], [1 => ['pipe', 'w']], $pipes);
    $keep = $pipes;
    $pid = proc_get_status($child)['pid'];
    pcntl_waitpid($pid, $status);
    break;
  case 'flock': // Locks one file twice.
    $one = fopen("$argv[2]/lock", 'w');
    flock($one, LOCK_EX);
    $other = fopen("$argv[2]/lock", 'w');
    flock($other, LOCK_EX);
    break;
  case 'sleep':
    sleep(1000);
}

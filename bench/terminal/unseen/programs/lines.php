<?php
// A REPL of nobody in PHP, with its readline (libedit).
[, $prompt, $more] = $argv;
while (($line = readline($prompt)) !== false) {
    if (preg_match('/^(\d+)\*(\d+)/', $line, $found)) echo $found[1] * $found[2], "\n";
    elseif ($line === 'run' || $line === 'fake') {
        echo "now\n", $line === 'fake' ? $prompt : '';
        sleep(60);
        echo "over\n";
    } elseif ($line === 'ask' || $line === 'same') {
        echo $line === 'ask' ? 'Name? ' : $prompt;
        echo 'got:', fgets(STDIN);
    } elseif ($line === 'more') {
        while (readline($more) !== 'end');
        echo "5183\n";
    }
}

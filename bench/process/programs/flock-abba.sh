#!/bin/bash
# Two shells, each with one file locked, want the other's.
cd "$1" || exit
take() { exec 8>"$1" 9>"$2"; flock 8; sleep 0.3; flock 9; }
take first second &
take second first &
wait

#!/bin/bash
# A coprocess and its shell read each other's silence.
coproc cat
read -r line <&"${COPROC[0]}"
echo "$line"

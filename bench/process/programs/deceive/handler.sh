# bash waits for a child that reads stdin, and a trap ends both: `handler.sh NAME FOLDER`.
trap 'kill $child; echo went on; exit 0' "$1"
cat <&0 &
child=$!
echo $$ > "$2/pid.new" && mv "$2/pid.new" "$2/pid"
wait

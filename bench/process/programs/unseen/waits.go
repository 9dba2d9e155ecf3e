// Waits of Go programs: `waits WAY`.
package main

import (
	"bufio"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"sync"
	"time"
)

func main() {
	switch os.Args[1] {
	case "stdin":
		bufio.NewReader(os.Stdin).ReadString('\n')
	case "mutexes": // Two goroutines with each other's mutex; an interrupt would end it, so that Go calls it no deadlock.
		signal.Notify(make(chan os.Signal, 1), os.Interrupt)
		var one, other sync.Mutex
		var both sync.WaitGroup
		take := func(first, second *sync.Mutex) {
			first.Lock()
			time.Sleep(100 * time.Millisecond)
			second.Lock()
			both.Done()
		}
		both.Add(2)
		go take(&one, &other)
		go take(&other, &one)
		both.Wait()
	case "full": // A child whose output nobody takes is waited for.
		child := exec.Command("head", "-c", "1M", "/dev/zero")
		_, writer, _ := os.Pipe()
		child.Stdout = writer
		child.Run()
	case "server":
		listener, _ := net.Listen("tcp", "127.0.0.1:0")
		listener.Accept()
	case "sleep":
		time.Sleep(1000 * time.Second)
	}
}

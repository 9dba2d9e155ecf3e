// Go waits for a hangup, of which its runtime has a handler in every program: `handler FOLDER`.
package main

import (
	"fmt"
	"os"
	"os/signal"
	"sync"
	"syscall"
)

func main() {
	hangups := make(chan os.Signal, 1)
	signal.Notify(hangups, syscall.SIGHUP)
	var mutex sync.Mutex
	mutex.Lock()
	go func() {
		<-hangups
		mutex.Unlock()
	}()
	folder := os.Args[1]
	os.WriteFile(folder+"/pid.new", []byte(fmt.Sprint(os.Getpid())), 0o600)
	os.Rename(folder+"/pid.new", folder+"/pid")
	mutex.Lock()
	fmt.Println("went on")
}

// A REPL of nobody in Go, with github.com/chzyer/readline.
package main

import (
	"bufio"
	"fmt"
	"os"
	"time"

	"github.com/chzyer/readline"
)

func main() {
	prompt, more := os.Args[1], os.Args[2]
	lines, err := readline.New(prompt)
	if err != nil {
		panic(err)
	}
	for {
		line, err := lines.Readline()
		if err != nil {
			return
		}
		var a, b int
		switch n, _ := fmt.Sscanf(line, "%d*%d", &a, &b); {
		case n == 2:
			fmt.Println(a * b)
		case line == "run":
			fmt.Println("now")
			time.Sleep(time.Minute)
			fmt.Println("over")
		case line == "fake":
			fmt.Print("now\n", prompt)
			time.Sleep(time.Minute)
			fmt.Println("over")
		case line == "ask":
			lines.SetPrompt("Name? ")
			answer, _ := lines.Readline()
			fmt.Println("got:" + answer)
			lines.SetPrompt(prompt)
		case line == "plain":
			fmt.Print("Name? ")
			answer, _ := bufio.NewReader(os.Stdin).ReadString('\n')
			fmt.Print("got:" + answer)
		case line == "more":
			lines.SetPrompt(more)
			for line != "end" {
				line, _ = lines.Readline()
			}
			fmt.Println(5183)
			lines.SetPrompt(prompt)
		}
	}
}

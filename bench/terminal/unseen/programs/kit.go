// Questions of the prompt kits of Go: `kit KIND`.
package main

import (
	"fmt"
	"os"

	"github.com/AlecAivazis/survey"
	"github.com/manifoldco/promptui"
)

func main() {
	answer, on := "", false
	var err error
	switch os.Args[1] {
	case "text":
		err = survey.AskOne(&survey.Input{Message: "Pick"}, &answer)
	case "select":
		err = survey.AskOne(&survey.Select{Message: "Pick", Options: []string{"one", "two"}}, &answer)
	case "confirm":
		err = survey.AskOne(&survey.Confirm{Message: "Pick"}, &on)
	case "masked":
		err = survey.AskOne(&survey.Password{Message: "Password"}, &answer)
	case "ui-text":
		answer, err = (&promptui.Prompt{Label: "Pick"}).Run()
	case "ui-select":
		_, answer, err = (&promptui.Select{Label: "Pick", Items: []string{"one", "two"}}).Run()
	case "ui-masked":
		answer, err = (&promptui.Prompt{Label: "Password", Mask: '*'}).Run()
	}
	fmt.Printf("\ngot:%v %v %v\n", answer, on, err)
}

//! Programs of nobody in Rust: a REPL with rustyline (`lines PROMPT CONTINUATION`), or questions of dialoguer (`lines --ask KIND`).
use std::io::Write;
use std::{thread::sleep, time::Duration};

fn ask(kind: &str) {
    let answer = match kind {
        "select" => dialoguer::Select::new().with_prompt("Pick").items(&["one", "two"]).default(0).interact().unwrap().to_string(),
        "confirm" => dialoguer::Confirm::new().with_prompt("Go on?").interact().unwrap().to_string(),
        _ => dialoguer::Input::<String>::new().with_prompt("Name").interact_text().unwrap(),
    };
    println!("got:{answer}");
}

fn main() {
    let words: Vec<String> = std::env::args().collect();
    if words[1] == "--ask" {
        return ask(&words[2]);
    }
    let (prompt, more) = (&words[1], &words[2]);
    let mut lines = rustyline::Editor::<()>::new();
    while let Ok(line) = lines.readline(prompt) {
        if let Some((a, b)) = line.split_once('*') {
            println!("{}", a.parse::<u32>().unwrap_or(0) * b.parse::<u32>().unwrap_or(0));
        } else if line == "run" || line == "fake" {
            print!("now\n{}", if line == "fake" { prompt } else { "" });
            std::io::stdout().flush().unwrap();
            sleep(Duration::from_secs(60));
            println!("over");
        } else if line == "ask" || line == "same" {
            print!("{}", if line == "ask" { "Name? " } else { prompt });
            std::io::stdout().flush().unwrap();
            let mut answer = String::new();
            std::io::stdin().read_line(&mut answer).unwrap();
            print!("got:{answer}");
        } else if line == "more" {
            while lines.readline(more).is_ok_and(|line| line != "end") {}
            println!("5183");
        }
    }
}

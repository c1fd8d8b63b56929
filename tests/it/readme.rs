//! What README.md shows is what the program prints, and the files that it names are there.

use std::fs;

use crate::program::{ask, repository};

/// Splits a line of a shell into words; quotes are the only thing it knows.
fn words(line: &str) -> Vec<String> {
    let parts = line.split('"').enumerate();
    let words = parts.flat_map(|(index, part)| match index % 2 {
        0 => part.split_whitespace().map(str::to_owned).collect(),
        _ => vec![part.to_owned()],
    });
    words.collect()
}

#[test]
fn examples_print_what_the_page_shows() {
    let page = fs::read_to_string(repository().join("README.md")).unwrap();
    let blocks = page.split("```\n").skip(1).step_by(2);
    let examples = blocks.flat_map(|block| block.split("$ skipstone ").skip(1));
    let mut shown = 0;
    for example in examples {
        let (line, expected) = example.split_once('\n').unwrap();
        let answer = ask(words(line));
        assert!([0, 1].contains(&answer.code()), "{line}: {}", answer.err);
        assert_eq!(answer.out.trim_end(), expected.trim_end(), "{line}");
        shown += 1;
    }
    assert!(shown >= 5, "the page shows {shown} examples");
}

#[test]
fn every_command_is_on_the_page() {
    let page = fs::read_to_string(repository().join("README.md")).unwrap();
    let help = ask(["--help"]).out;
    let commands = help.lines().skip_while(|line| !line.starts_with("Commands")).skip(1);
    let commands: Vec<&str> = commands
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.split_whitespace().next())
        .filter(|command| *command != "help")
        .collect();
    assert!(commands.len() >= 9, "{help}");
    for command in commands {
        assert!(page.contains(&format!("`{command}")), "{command}");
    }
}

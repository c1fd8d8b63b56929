//! A Markdown document that grows row by row within a budget of bytes, and says at its end how many rows it had no room
//! for.
//!
//! Rule: ours; the budgets are those of the receiving side, such as 1 MiB for a step summary of GitHub and 64 KiB for a
//! comment. Cost: each row once.

pub(super) struct Sheet {
    text: String,
    /// Heading and table head that are written with the first row below them, so that none stands there empty.
    pending: String,
    /// Where the report holds everything.
    whole: String,
    budget: usize,
    left_out: usize,
}

impl Sheet {
    /// An empty sheet of at most `budget` bytes; `whole` says, in Markdown, where in the report everything stands.
    pub(super) fn new(budget: usize, whole: String) -> Self {
        Self { text: String::new(), pending: String::new(), whole, budget, left_out: 0 }
    }

    /// A section; without a row it does not appear.
    pub(super) fn section(&mut self, title: &str) {
        self.pending = format!("\n## {title}\n\n");
    }

    /// An empty line before the next line.
    pub(super) fn gap(&mut self) {
        self.pending.push('\n');
    }

    /// The head of a table; without a row it does not appear.
    pub(super) fn table(&mut self, columns: &[&str]) {
        let rule = vec!["---"; columns.len()];
        self.pending.push_str(&format!("| {} |\n| {} |\n", columns.join(" | "), rule.join(" | ")));
    }

    /// A row of the current table.
    pub(super) fn row(&mut self, cells: &[String]) {
        self.line(&format!("| {} |", cells.join(" | ")));
    }

    /// A line of its own. After one that had no room none is written, so that what is there has no gap.
    pub(super) fn line(&mut self, line: &str) {
        let needed = self.text.len() + self.pending.len() + line.len() + 1 + self.closing(usize::MAX).len();
        if self.left_out > 0 || needed > self.budget {
            self.left_out += 1;
        } else {
            self.text.push_str(&std::mem::take(&mut self.pending));
            self.text.push_str(line);
            self.text.push('\n');
        }
    }

    /// The document. Where rows were left out it ends with their number; that line is written even where the budget is
    /// smaller than it.
    pub(super) fn finish(self) -> String {
        if self.left_out == 0 {
            return self.text;
        }
        let closing = self.closing(self.left_out);
        self.text + &closing
    }

    fn closing(&self, left_out: usize) -> String {
        format!("\n*{left_out} more in the report: {}*\n", self.whole)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_section_appears_with_its_first_row() {
        let mut sheet = Sheet::new(1_000, "w".into());
        sheet.line("# Title");
        sheet.section("Empty");
        sheet.section("Full");
        sheet.table(&["A", "B"]);
        sheet.row(&["1".into(), "2".into()]);
        assert_eq!(sheet.finish(), "# Title\n\n## Full\n\n| A | B |\n| --- | --- |\n| 1 | 2 |\n");
    }

    #[test]
    fn rows_without_room_are_counted_and_the_budget_holds() {
        let mut sheet = Sheet::new(120, "w".into());
        (0..50).for_each(|number| sheet.line(&format!("row {number:03}")));
        let text = sheet.finish();
        let shown = text.lines().filter(|line| line.starts_with("row")).count();
        assert!(text.len() <= 120 && shown > 0);
        assert!(text.ends_with(&format!("\n*{} more in the report: w*\n", 50 - shown)));
    }

    #[test]
    fn without_any_room_the_number_alone_remains() {
        let mut sheet = Sheet::new(0, "w".into());
        sheet.line("a");
        assert_eq!(sheet.finish(), "\n*1 more in the report: w*\n");
    }
}

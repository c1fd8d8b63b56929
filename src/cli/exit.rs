//! Exit codes.
//!
//! Rule: 0 clean, 1 no, 2 could not run, 3 incomplete; scripts rely on them. Cost: none.

use std::process::ExitCode;

/// How a command ends. The precedence, where several hold, is: could not run, incomplete, no, clean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExitStatus {
    /// 0: clean.
    Clean,
    /// 1: the answer is no.
    No,
    /// 2: could not run.
    CouldNotRun,
    /// 3: ran, but some input could not be read.
    Incomplete,
}

impl ExitStatus {
    /// The answer to a yes-or-no question.
    pub fn answer(yes: bool) -> Self {
        if yes { Self::Clean } else { Self::No }
    }

    /// The one of two that weighs more.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        let weight = |status| match status {
            Self::Clean => 0,
            Self::No => 1,
            Self::Incomplete => 2,
            Self::CouldNotRun => 3,
        };
        if weight(other) > weight(self) { other } else { self }
    }
}

impl From<ExitStatus> for ExitCode {
    fn from(status: ExitStatus) -> Self {
        match status {
            ExitStatus::Clean => Self::SUCCESS,
            ExitStatus::No => Self::from(1),
            ExitStatus::CouldNotRun => Self::from(2),
            ExitStatus::Incomplete => Self::from(3),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::ExitStatus::{Clean, CouldNotRun, Incomplete, No};

    #[test]
    fn what_blinds_most_wins() {
        assert_eq!(Clean.and(No), No);
        assert_eq!(No.and(Incomplete), Incomplete);
        assert_eq!(Incomplete.and(No), Incomplete);
        assert_eq!(Incomplete.and(CouldNotRun), CouldNotRun);
    }
}

//! What oc-mirror v2 could not mirror: `mirroring_errors_*.txt` of its logs.
//!
//! Rule: oc-mirror, `internal/pkg/batch/common.go`: `error mirroring image <reference> (Operator bundles: [a b] - Operators:
//! [c]) error: <text>`, or without the parenthesis where no operator wants the image. Cost: one pass over the text.

/// One image that could not be mirrored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MirroringError {
    /// The reference of the image at its source.
    pub image: String,
    /// Names of the bundles that need it.
    pub bundles: Vec<String>,
    /// Names of the operators that need it.
    pub operators: Vec<String>,
    /// What oc-mirror says of it; it may have several lines.
    pub error: String,
}

const START: &str = "error mirroring image ";

/// Reads a log; a line that begins no error belongs to the one before.
pub(super) fn parse(log: &str) -> Vec<MirroringError> {
    let mut errors: Vec<MirroringError> = Vec::new();
    for line in log.lines() {
        if let Some(rest) = line.strip_prefix(START) {
            errors.push(parse_line(rest));
        } else if let Some(last) = errors.last_mut() {
            last.error.push('\n');
            last.error.push_str(line);
        }
    }
    for error in &mut errors {
        error.error.truncate(error.error.trim_end().len());
    }
    errors
}

fn parse_line(line: &str) -> MirroringError {
    let (image, rest) = line.split_once(' ').unwrap_or((line, ""));
    let (bundles, operators, error) =
        operator_part(rest).unwrap_or_else(|| ("", "", rest.strip_prefix("error: ").unwrap_or(rest)));
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect();
    MirroringError {
        image: image.to_owned(),
        bundles: words(bundles),
        operators: words(operators),
        error: error.to_owned(),
    }
}

fn operator_part(rest: &str) -> Option<(&str, &str, &str)> {
    let (bundles, rest) = rest.strip_prefix("(Operator bundles: [")?.split_once("] - Operators: [")?;
    let (operators, error) = rest.split_once("]) error: ")?;
    Some((bundles, operators, error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bundles_operators_and_the_text_are_told_apart() {
        let log = "error mirroring image docker://example.com/a@sha256:00 (Operator bundles: [a.v1 b.v2] - Operators: [a]) \
                   error: reading [x]: denied\nsecond line\n\nerror mirroring image docker://example.com/b:v1 error: gone\n";
        let errors = parse(log);
        assert_eq!(errors.len(), 2);
        assert_eq!(errors[0].image, "docker://example.com/a@sha256:00");
        assert_eq!(errors[0].bundles, ["a.v1", "b.v2"]);
        assert_eq!(errors[0].operators, ["a"]);
        assert_eq!(errors[0].error, "reading [x]: denied\nsecond line");
        assert_eq!((errors[1].image.as_str(), errors[1].error.as_str()), ("docker://example.com/b:v1", "gone"));
        assert!(errors[1].bundles.is_empty() && errors[1].operators.is_empty());
    }

    #[test]
    fn a_torn_log_gives_what_it_has() {
        assert!(parse("").is_empty());
        assert!(parse("something else\n").is_empty());
        assert_eq!(parse("error mirroring image ")[0].image, "");
        let errors = parse("error mirroring image a (Operator bundles: [b");
        assert_eq!((errors[0].image.as_str(), errors[0].error.as_str()), ("a", "(Operator bundles: [b"));
    }
}

//! The answer of `skipstone catalog path`: one function for the command and for a report.
//!
//! Cost: that of the answer.

use crate::engines::{self, Engine, Hop, Installed, PathAnswer, Reason, Step, reason};
use crate::report::schema::{HopView, PathView, ReasonView};

/// What is asked.
pub struct PathQuestion<'q> {
    /// The name of the engine.
    pub engine_name: &'q str,
    /// The engine.
    pub engine: &'q dyn Engine,
    /// The package.
    pub package: &'q str,
    /// The channels that the engine looks at.
    pub channels: Vec<String>,
    /// What is installed; `None` for a first install.
    pub from: Option<&'q Installed>,
    /// The wanted bundle.
    pub to: Option<&'q str>,
}

/// The view of the answer.
pub fn path_view(question: &PathQuestion<'_>) -> (PathView, engines::PathStatus) {
    let PathAnswer { status, candidates, hops, reasons } = engines::answer(question.engine, question.from, question.to);
    let names: Vec<String> = candidates.iter().map(|step| step.to.name.to_string()).collect();
    let view = PathView {
        engine: question.engine_name.to_owned(),
        package: question.package.to_owned(),
        channels: question.channels.clone(),
        from: question.from.map(|installed| installed.name.to_string()),
        to: question.to.map(str::to_owned),
        status: status.name().to_owned(),
        next: names.first().cloned(),
        hops: hops.iter().map(hop_view).collect(),
        candidates: names,
        reasons: reasons.iter().map(reason_view).collect(),
    };
    (view, status)
}

fn hop_view(hop: &Hop) -> HopView {
    let Step { to, channel, catalog, via, notes } = &hop.step;
    HopView {
        from: hop.from.as_ref().map(ToString::to_string),
        to: to.name.to_string(),
        channel: channel.as_ref().map(ToString::to_string),
        catalog: catalog.as_ref().map(ToString::to_string),
        via: via.names().into_iter().map(str::to_owned).collect(),
        downgrade: notes.iter().any(|note| note.code == reason::MOVES_DOWN),
    }
}

/// A tree of reasons in the form of the published JSON.
pub(super) fn reason_view(reason: &Reason) -> ReasonView {
    ReasonView {
        code: reason.code.to_owned(),
        message: reason.message.clone(),
        because: reason.because.iter().map(reason_view).collect(),
    }
}

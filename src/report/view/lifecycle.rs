//! The phase of support of a bundle, in the form of the published JSON.
//!
//! Cost: that of [`phase_of`].

use jiff::civil::Date;

use crate::catalog::{Bundle, Lifecycle, PhaseAnswer, phase_of};
use crate::report::schema::LifecycleView;

/// The lifecycle of a bundle on a day; unknown always comes with its reason.
pub fn lifecycle_view(lifecycle: &Lifecycle, bundle: Option<&Bundle>, day: Date) -> LifecycleView {
    let Some(bundle) = bundle else {
        return unknown("the catalog does not hold the bundle".to_owned());
    };
    match phase_of(lifecycle, bundle, day) {
        PhaseAnswer::Unknown(reason) => unknown(reason),
        PhaseAnswer::Phase { name, ends, days_left, .. } => LifecycleView {
            known: true,
            reason: None,
            phase: Some(name),
            ends: Some(ends.to_string()),
            days_left: Some(days_left),
        },
        PhaseAnswer::Ended { last, ended, days_left } => LifecycleView {
            known: true,
            reason: Some(format!("the last stated phase, {last}, is over")),
            phase: None,
            ends: Some(ended.to_string()),
            days_left: Some(days_left),
        },
    }
}

fn unknown(reason: String) -> LifecycleView {
    LifecycleView { known: false, reason: Some(reason), ..LifecycleView::default() }
}

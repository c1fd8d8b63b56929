//! Reads a drawn map back: elements with their attributes and the lane around them.

use std::collections::BTreeMap;

/// One element of a drawing.
#[derive(Debug, Clone)]
pub(super) struct Element {
    pub(super) attributes: BTreeMap<String, String>,
    /// The channel of the lane that it is in, its own for a lane.
    pub(super) lane: Option<String>,
}

impl Element {
    pub(super) fn has(&self, class: &str) -> bool {
        self.attributes.get("class").is_some_and(|classes| classes.split(' ').any(|name| name == class))
    }

    pub(super) fn number(&self, attribute: &str) -> usize {
        self.attributes[attribute].parse().unwrap()
    }

    /// The set of positions in an attribute, written like `3,5-9`.
    pub(super) fn positions(&self, attribute: &str) -> Vec<usize> {
        let mut positions = vec![];
        for run in self.attributes[attribute].split(',').filter(|run| !run.is_empty()) {
            let (first, last) = run.split_once('-').unwrap_or((run, run));
            positions.extend(first.parse::<usize>().unwrap()..=last.parse().unwrap());
        }
        positions
    }
}

/// All elements of a drawing in their order. Panics where one is not closed, or closed twice.
pub(super) fn elements(svg: &str) -> Vec<Element> {
    let mut elements: Vec<Element> = vec![];
    let mut open: Vec<(String, Option<String>)> = vec![];
    for tag in svg.split('<').skip(1) {
        let (tag, _) = tag.split_once('>').expect("a tag ends");
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop().expect("something is open").0, name);
            continue;
        }
        let inner = tag.trim_end_matches('/');
        let (name, rest) = inner.split_once(' ').unwrap_or((inner, ""));
        let attributes = attributes(rest);
        let is_lane = attributes.get("class").is_some_and(|class| class.starts_with("rm-lane "));
        let around = open.last().and_then(|(_, lane)| lane.clone());
        let lane = if is_lane { attributes.get("data-channel").cloned() } else { around };
        elements.push(Element { attributes, lane: lane.clone() });
        if !tag.ends_with('/') {
            open.push((name.to_owned(), lane));
        }
    }
    assert!(open.is_empty(), "not closed: {open:?}");
    elements
}

fn attributes(mut rest: &str) -> BTreeMap<String, String> {
    let mut attributes = BTreeMap::new();
    while let Some((name, after)) = rest.split_once("=\"") {
        let (value, after) = after.split_once('"').expect("a value ends");
        assert!(attributes.insert(name.trim().to_owned(), value.to_owned()).is_none(), "{name} stands twice");
        rest = after;
    }
    attributes
}

/// All elements of one class.
pub(super) fn of_class(svg: &str, class: &str) -> Vec<Element> {
    elements(svg).into_iter().filter(|element| element.has(class)).collect()
}

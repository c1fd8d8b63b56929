use super::*;
use crate::report::schema::Verdict;

pub(super) mod sample;

fn pages() -> Pages {
    let overview = sample::overview();
    let stamp = Stamp { tool: overview.tool, generated_at: overview.generated_at, inputs: overview.inputs };
    Pages::new().unwrap().stamped(stamp)
}

/// The text between the first two of these marks.
fn between<'page>(page: &'page str, start: &str, end: &str) -> &'page str {
    page.split(start).nth(1).unwrap_or_default().split(end).next().unwrap_or_default()
}

#[test]
fn the_overview_says_what_is_wrong_in_words() {
    let page = pages().render_overview(&sample::overview()).unwrap();
    assert!(page.contains("Incomplete"));
    assert!(page.contains("What was not read is not clean"));
    assert!(page.contains("broken/catalog.yaml"));
    assert!(page.contains("157.0 MB"));
    assert!(page.contains("href=\"packages/sample/plain.html\""));
    assert!(page.contains("href=\"api/v1/index.json\"") && page.contains("href=\"SHA256SUMS\""));
}

#[test]
fn every_verdict_has_its_own_word() {
    let word = |verdict| {
        let page = pages().render_overview(&Overview { verdict, ..sample::overview() }).unwrap();
        between(&page, "<p class=\"verdict", "</p>").to_owned()
    };
    assert!(word(Verdict::Clean).contains("Clean"));
    assert!(word(Verdict::Warnings).contains("Warnings"));
    assert!(word(Verdict::Errors).contains("Errors"));
}

#[test]
fn an_empty_overview_and_an_empty_package_are_pages_too() {
    let empty = Overview { attention: vec![], catalogs: vec![], inputs: vec![], ..sample::overview() };
    assert!(pages().render_overview(&empty).unwrap().contains("No catalog was read."));
    let mut view = sample::package(1);
    view.names.clear();
    view.bundles.clear();
    view.channels.clear();
    view.edges.clear();
    view.engines = sample::no_engines();
    view.default_channel = None;
    assert!(pages().render_package(&view).unwrap().contains("The package has no channel."));
}

#[test]
fn pages_link_relatively_to_the_root() {
    let package = pages().render_package(&sample::package(5)).unwrap();
    assert!(package.contains("href=\"../../assets/skipstone.css\""));
    assert!(package.contains("href=\"../../catalogs/sample.html\""));
    assert!(package.contains("href=\"../../api/v1/packages/sample/plain.json\""));
    let catalog = pages().render_catalog(&sample::catalog()).unwrap();
    assert!(catalog.contains("href=\"../packages/sample/wide.html\""));
}

#[test]
fn foreign_text_is_escaped_everywhere() {
    let hostile = "\"'><img src=x onerror=alert(1)>";
    let mut view = sample::package(4);
    for text in [&mut view.catalog, &mut view.package] {
        *text = hostile.into();
    }
    for text in [&mut view.display_name, &mut view.description, &mut view.provider, &mut view.deprecated] {
        *text = Some(hostile.into());
    }
    view.findings[0].message = hostile.into();
    view.findings[0].hint = Some(hostile.into());
    view.channels[0].entries[0].skip_range = Some(hostile.into());
    view.bundles[1].image = Some(hostile.into());
    view.names[0] = hostile.into();
    view.bundles[0].name = hostile.into();
    let page = pages().render_package(&view).unwrap();
    assert!(!page.contains("<img"), "{}", between(&page, "<img", "\n"));
    let mut overview = sample::overview();
    overview.attention[0].reasons = vec![hostile.into()];
    overview.coverage.failed[0].reason = hostile.into();
    assert!(!pages().render_overview(&overview).unwrap().contains("<img"));
}

#[test]
fn no_page_needs_what_its_policy_forbids() {
    for page in [
        pages().render_overview(&sample::overview()).unwrap(),
        pages().render_catalog(&sample::catalog()).unwrap(),
        pages().render_package(&sample::package(12)).unwrap(),
    ] {
        assert!(page.contains("default-src 'none'"));
        assert!(!page.contains(" style=") && !page.contains("<style") && !page.contains(" onclick="));
        assert_eq!(page.matches("<h1").count(), 1);
        assert_eq!(page.matches("<table").count(), page.matches("<caption").count());
    }
}

#[test]
fn equal_views_give_equal_pages() {
    let view = sample::packages_of("wide", &["stable", "candidate"], 60);
    assert_eq!(pages().render_package(&view).unwrap(), pages().render_package(&view).unwrap());
}

#[test]
fn the_largest_packages_stay_below_the_budget_of_a_page() {
    let channels: Vec<String> = (0..12).map(|number| format!("channel-{number:02}")).collect();
    let channels: Vec<&str> = channels.iter().map(String::as_str).collect();
    let page = pages().render_package(&sample::packages_of("a-rather-long-package-name", &channels, 250)).unwrap();
    assert!(page.len() <= 1_500_000, "{} bytes", page.len());
    assert!(page.contains("id=\"chooser-data\""));
}

#[test]
fn a_package_of_hundreds_of_channels_stays_below_the_budget_too() {
    let channels: Vec<String> = (0..300).map(|number| format!("channel-{number:04}")).collect();
    let channels: Vec<&str> = channels.iter().map(String::as_str).collect();
    for bundles in [8, 60] {
        let page = pages().render_package(&sample::packages_of("many", &channels, bundles)).unwrap();
        assert!(page.len() <= 1_500_000, "{bundles} bundles: {} bytes", page.len());
        assert!(page.contains("<strong>240 more channels</strong>"));
        let row = |channel: &str| page.contains(&format!("<tr><th scope=\"row\">{channel}"));
        assert!(row("channel-0059") && !row("channel-0060"));
    }
}

#[test]
fn long_messages_and_many_heads_are_cut() {
    let mut view = sample::package(4);
    view.deprecated = Some("é".repeat(1_000_000));
    view.channels[0].deprecated = Some("x".repeat(2_000_000));
    view.channels[0].heads = (0..50_000).map(|number| format!("head-{number}")).collect();
    let page = pages().render_package(&view).unwrap();
    assert!(page.len() <= 1_500_000, "{} bytes", page.len());
    assert!(page.contains(&format!("{} …", "é".repeat(1_000))) && page.contains("head-9, 49990 more"));
}

#[test]
fn a_template_that_asks_for_the_unknown_fails() {
    let mut pages = pages();
    pages.templates.add_raw_template("overview.html", "{{ nothing }}").unwrap();
    assert!(matches!(pages.render_overview(&sample::overview()), Err(PageError::Render { .. })));
}

use super::*;
use proptest::prelude::*;

#[test]
fn ordinary_markdown_keeps_its_shape() {
    assert_eq!(to_html("a *b* **c** `d`", 2), "<p>a <em>b</em> <strong>c</strong> <code>d</code></p>\n");
    assert_eq!(to_html("3. x\n4. y", 2), "<ol start=\"3\"><li>x</li>\n<li>y</li>\n</ol>\n");
    assert_eq!(
        to_html("|h|\n|-|\n|c|", 2),
        "<table><thead><tr><th scope=\"col\">h</th></tr></thead>\n<tr><td>c</td></tr>\n</table>\n"
    );
}

#[test]
fn raw_html_is_shown_as_text() {
    let html = to_html("<script>alert(1)</script>\n\nx <img src=x onerror=alert(1)> y", 2);
    assert!(!html.contains("<script") && !html.contains("<img"));
    assert!(html.contains("&lt;script&gt;alert(1)&lt;/script&gt;"));
    assert!(html.contains("x &lt;img src=x onerror=alert(1)&gt; y"));
}

#[test]
fn only_harmless_links_stay() {
    assert_eq!(
        to_html("[a](https://e.example/?a=\"b)", 2),
        "<p><a href=\"https://e.example/?a=&quot;b\" rel=\"noreferrer nofollow\">a</a></p>\n"
    );
    assert!(to_html("[a](HTTP://e.example)", 2).contains("href=\"HTTP://e.example\""));
    assert!(to_html("<a@b.example>", 2).contains("href=\"mailto:a@b.example\""));
    for hostile in [
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)",
        "data:text/html,x",
        "vbscript:x",
        "file:///x",
        "//e.example",
        "x",
    ] {
        assert_eq!(to_html(&format!("[a]({hostile})"), 2), "<p>a</p>\n", "{hostile}");
        assert_eq!(to_html(&format!("![a]({hostile})"), 2), "<p>a</p>\n", "{hostile}");
    }
    assert_eq!(to_html("[a](java&#10;script:alert(1))", 2), "<p>a</p>\n");
}

#[test]
fn no_text_steers_the_text_around_it() {
    assert_eq!(escape("a\u{202e}b\u{1b}[1mc\nd"), "a\u{fffd}b\u{fffd}[1mc\nd");
    assert_eq!(escape("<a href='\"'>&"), "&lt;a href=&#39;&quot;&#39;&gt;&amp;");
}

#[test]
fn pictures_are_linked_and_never_loaded() {
    assert_eq!(
        to_html("![logo](https://e.example/l.png)", 2),
        "<p><a href=\"https://e.example/l.png\" rel=\"noreferrer nofollow\">logo</a></p>\n"
    );
    let badge = to_html("[![logo](https://e.example/l.png)](https://e.example)", 2);
    assert_eq!(badge, "<p><a href=\"https://e.example\" rel=\"noreferrer nofollow\">logo</a></p>\n");
}

#[test]
fn headings_stand_below_ours_and_skip_no_level() {
    assert_eq!(to_html("# a\n## b\n#### c\n# d", 2), "<h3>a</h3>\n<h4>b</h4>\n<h5>c</h5>\n<h3>d</h3>\n");
    assert_eq!(to_html("### a", 2), "<h3>a</h3>\n");
}

#[test]
fn bare_addresses_end_before_the_sentence_does() {
    let address = |text: &str| {
        let html = link_addresses(text);
        html.split("href=\"").skip(1).filter_map(|part| part.split('"').next()).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(address("Read https://docs.example/c."), ["https://docs.example/c"]);
    assert_eq!(address("(https://docs.example/d_e)"), ["https://docs.example/d_e"]);
    assert_eq!(address("https://docs.example/d_(e)"), ["https://docs.example/d_(e)"]);
    assert_eq!(address("http://a.example/g, https://b.example/h;"), ["http://a.example/g", "https://b.example/h"]);
    assert_eq!(address("none, ftp://a.example, https://"), Vec::<String>::new());
}

#[test]
fn nesting_and_length_have_limits() {
    let nested = to_html(&format!("{}x", ">".repeat(10_000)), 2);
    assert!(nested.matches("<blockquote>").count() <= DEEPEST);
    assert!(nested.contains('x'));
    let lists = to_html(&format!("{}x", "- ".repeat(10_000)), 2);
    assert!(lists.matches("<ul>").count() <= DEEPEST);
    let brackets = to_html(&"[".repeat(30_000), 2);
    assert!(brackets.len() < 31_000);
    let long = to_html(&"é".repeat(LONGEST_TEXT), 2);
    assert!(long.len() < LONGEST_TEXT + 200 && long.contains("rest is left out"));
}

#[test]
fn a_bare_address_in_markdown_stays_whole() {
    assert!(
        to_html("see https://docs.example/d_e?x=1&y=[2]_f.", 2)
            .contains("href=\"https://docs.example/d_e?x=1&amp;y=[2]_f\"")
    );
}

/// Every element of our output, read by a slow and obvious scan.
fn elements(html: &str) -> Vec<String> {
    html.split('<').skip(1).map(|part| part.split('>').next().unwrap_or_default().to_owned()).collect()
}

proptest! {
    #[test]
    fn only_listed_elements_come_out_and_they_balance(markdown in "[a-c<>&\"'\\[\\]()!`*_#>|\\-:/\n ~1.hts]{0,200}") {
        const NAMES: [&str; 25] = [
            "p", "em", "strong", "del", "code", "pre", "br", "hr", "a", "ol", "ul", "li", "blockquote", "table", "thead",
            "tr", "th", "td", "h1", "h2", "h3", "h4", "h5", "h6", "",
        ];
        let mut open = Vec::new();
        for element in elements(&to_html(&markdown, 2)) {
            let name = element.trim_start_matches('/').split(' ').next().unwrap_or_default().to_owned();
            prop_assert!(NAMES.contains(&name.as_str()), "{element}");
            let attributes = element.strip_prefix(&name).unwrap_or_default();
            prop_assert!(name == "a" || name == "ol" || name == "th" || element.starts_with('/') || attributes.is_empty());
            if element.starts_with('/') {
                prop_assert_eq!(open.pop(), Some(name));
            } else if name != "br" && name != "hr" {
                open.push(name);
            }
        }
        prop_assert!(open.is_empty());
    }
}

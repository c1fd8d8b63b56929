//! Whether a mirror has an image where a cluster looks for it.
//!
//! Rule: with mirror rules the places are those of [`super::rules`]. Without rules the places are where oc-mirror puts images
//! (`internal/pkg/operator/common.go`, `internal/pkg/image/image.go`, `internal/pkg/release/local_stored_collector.go`): the
//! path without the registry's host, below whatever prefix; with `--max-nested-paths` the last parts joined by `-`; a digest
//! also under the tag `sha256-<hex>`. A digest is looked for in its own path first and then in any repository, for equal
//! digests are equal images. Cost: a few look-ups for each reference and store.

mod place;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use super::facts::{Condition, ImageFacts};
use super::rules::MirrorRules;
use super::verdict::{Verdict, verdict};
use crate::finding::ContentDigest;
use crate::reference::ImageReference;
use crate::source::image::Platform;

/// The most repositories of one digest, or of one path, that are looked into.
const MOST_PLACES: usize = 16;

/// What a mirror can be asked.
pub trait Stock: Sync {
    /// Its repositories, sorted; where its shape keeps none, the paths of the whole references that it names images by.
    fn repositories(&self) -> &[String];
    /// What a tag of a repository means.
    fn resolve(&self, repository: &str, tag: &str) -> Option<ContentDigest>;
    /// Whether it names an image by this tag alone, so that nobody knows of which repository it is.
    fn has_bare_tag(&self, tag: &str) -> bool;
    /// The repositories that have a manifest, sorted.
    fn repositories_with(&self, digest: &ContentDigest) -> Vec<String>;
    /// What is known of an image, in a repository or in the mirror as a whole.
    fn image(&self, repository: Option<&str>, digest: &ContentDigest) -> Arc<ImageFacts>;
    /// Whether the digests that others know its images by can be checked.
    fn is_provable(&self) -> bool;
    /// Whether its repositories have their final paths: those of a registry do, those of archives may still gain a prefix.
    fn is_pushed(&self) -> bool;
}

/// What is asked of every image.
#[derive(Clone, Copy)]
pub struct Question<'q> {
    /// Where the cluster looks; `None` where no rules are known.
    pub rules: Option<&'q MirrorRules>,
    /// The mirrors.
    pub stocks: &'q [&'q dyn Stock],
    /// The machines that want it.
    pub wanted: &'q [Platform],
}

/// Where an image was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// In which mirror, counted from 0.
    pub stock: usize,
    /// In which repository, where the mirror keeps any.
    pub repository: Option<String>,
    /// By which tag, where it was looked for by one.
    pub tag: Option<String>,
    /// What is known of it.
    pub facts: Arc<ImageFacts>,
}

/// The answer for one image.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judgement {
    /// Whether it can be pulled.
    pub verdict: Verdict,
    /// What is missing or wrong, as a sentence.
    pub reason: Option<String>,
    /// Where it was found, or the nearest to it.
    pub found: Option<Found>,
}

impl Judgement {
    fn new(verdict: Verdict, reason: impl Into<String>) -> Self {
        Self { verdict, reason: Some(reason.into()), found: None }
    }
}

/// Says whether the mirrors have an image where the cluster looks for it.
///
/// A digest alone, of something whose repository nobody knows, is looked for in every repository.
pub fn judge(reference: &str, question: &Question<'_>) -> Judgement {
    if let Ok(digest) = reference.parse::<ContentDigest>() {
        return best(in_any_repository(&digest, question))
            .unwrap_or_else(|| Judgement::new(Verdict::ManifestAbsent, format!("no repository has {digest}")));
    }
    let reference: ImageReference = match reference.parse() {
        Ok(reference) => reference,
        Err(_) if reference.is_empty() => return Judgement::new(Verdict::Unmirrorable, "the reference is empty"),
        Err(error) => return Judgement::new(Verdict::Unmirrorable, error.to_string()),
    };
    let Some(rules) = question.rules else { return anywhere(&reference, question) };
    let resolution = rules.resolve(&reference);
    let mirrors: Vec<&ImageReference> = resolution
        .candidates
        .iter()
        .filter(|candidate| !candidate.is_source)
        .map(|candidate| &candidate.reference)
        .collect();
    let led_to = best(mirrors.iter().flat_map(|mirror| at_path(mirror, question)));
    if let Some(found) = led_to.filter(|found| found.verdict != Verdict::ManifestAbsent) {
        return found;
    }
    let elsewhere = anywhere(&reference, question);
    if !matches!(elsewhere.verdict, Verdict::Present | Verdict::Sparse) {
        return elsewhere;
    }
    let places: Vec<String> = mirrors.iter().map(|mirror| mirror.name()).collect();
    let (verdict, reason) = if resolution.has_rule {
        (Verdict::WrongRepository, format!("the rules lead to {}", places.join(", ")))
    } else {
        (Verdict::NoRule, format!("no rule covers {}", reference.name()))
    };
    Judgement { verdict, reason: Some(reason), ..elsewhere }
}

/// The image at exactly this path of each mirror. Where a mirror is still to be pushed, the path may have gained a prefix.
fn at_path<'a>(reference: &'a ImageReference, question: &'a Question<'_>) -> impl Iterator<Item = Judgement> + 'a {
    question.stocks.iter().enumerate().flat_map(move |(stock, mirror)| {
        let unpushed: &[String] = if mirror.is_pushed() { &[] } else { mirror.repositories() };
        let paths = place::ends_of(unpushed, &reference.path).take(MOST_PLACES);
        [&reference.path].into_iter().chain(paths).filter_map(move |path| {
            let digest = match &reference.digest {
                Some(digest) => digest.clone(),
                None => mirror.resolve(path, &reference.target())?,
            };
            let tag = reference.digest.is_none().then(|| reference.target());
            Some(look(question, stock, Some(path), tag, &digest))
        })
    })
}

/// The image wherever a mirror may have it.
fn anywhere(reference: &ImageReference, question: &Question<'_>) -> Judgement {
    let found = match &reference.digest {
        Some(digest) => by_digest(reference, digest, question),
        None => by_tag(reference, question),
    };
    if let Some(found) = found.filter(|found| found.verdict != Verdict::ManifestAbsent) {
        return found;
    }
    if let Some(moved) = reference.digest.as_ref().and_then(|digest| moved(reference, digest, question)) {
        return moved;
    }
    let mut mirrors = question.stocks.iter();
    if mirrors
        .any(|mirror| !mirror.is_provable() && place::like(mirror.repositories(), &reference.path).next().is_some())
    {
        let reason = "an archive that keeps no digests has images of this repository";
        return Judgement::new(Verdict::Unprovable, reason);
    }
    let target = reference.target();
    if reference.digest.is_none() && question.stocks.iter().any(|mirror| mirror.has_bare_tag(&target)) {
        return Judgement::new(
            Verdict::Unprovable,
            format!("the tag {target} is there, and nothing says of which repository"),
        );
    }
    Judgement::new(Verdict::ManifestAbsent, format!("no repository has {target}"))
}

fn by_digest(reference: &ImageReference, digest: &ContentDigest, question: &Question<'_>) -> Option<Judgement> {
    let own = best(at_path(reference, question));
    if own.as_ref().is_some_and(|own| own.verdict <= Verdict::ExpectedAtTarget) {
        return own;
    }
    best(own.into_iter().chain(in_any_repository(digest, question)))
}

fn in_any_repository<'a>(
    digest: &'a ContentDigest,
    question: &'a Question<'_>,
) -> impl Iterator<Item = Judgement> + 'a {
    question.stocks.iter().enumerate().flat_map(move |(stock, mirror)| {
        let holders = mirror.repositories_with(digest).into_iter().take(MOST_PLACES).map(Some);
        holders.chain([None]).map(move |repository| look(question, stock, repository.as_deref(), None, digest))
    })
}

fn by_tag(reference: &ImageReference, question: &Question<'_>) -> Option<Judgement> {
    best(
        tagged(reference, &reference.target(), question)
            .map(|(stock, repository, tag, digest)| look(question, stock, Some(&repository), Some(tag), &digest)),
    )
}

/// A tag that should mean the digest and means another image.
fn moved(reference: &ImageReference, digest: &ContentDigest, question: &Question<'_>) -> Option<Judgement> {
    let tags = reference.tag.clone().into_iter().chain([place::digest_tag(digest)]);
    let mut meant = tags.flat_map(|tag| tagged(reference, &tag, question).collect::<Vec<_>>());
    let is_provable = |stock: usize| question.stocks.get(stock).is_some_and(|mirror| mirror.is_provable());
    let (stock, repository, tag, other) = meant.find(|(stock, _, _, meant)| is_provable(*stock) && meant != digest)?;
    let reason = format!("{repository}:{tag} means {other}");
    let found = look(question, stock, Some(&repository), Some(tag), &other).found;
    Some(Judgement { verdict: Verdict::TagMoved, reason: Some(reason), found })
}

/// What a tag means wherever a mirror tool puts the repository: mirror, repository, tag, digest.
fn tagged<'a>(
    reference: &'a ImageReference,
    tag: &'a str,
    question: &'a Question<'_>,
) -> impl Iterator<Item = (usize, String, String, ContentDigest)> + 'a {
    question.stocks.iter().enumerate().flat_map(move |(stock, mirror)| {
        let places = place::of(mirror.repositories(), reference, tag).take(MOST_PLACES);
        places.filter_map(move |(repository, tag)| {
            let digest = mirror.resolve(&repository, &tag)?;
            Some((stock, repository, tag, digest))
        })
    })
}

fn look(
    question: &Question<'_>,
    stock: usize,
    repository: Option<&str>,
    tag: Option<String>,
    digest: &ContentDigest,
) -> Judgement {
    let Some(mirror) = question.stocks.get(stock) else {
        return Judgement::new(Verdict::ManifestAbsent, "there is no such mirror");
    };
    let facts = mirror.image(repository, digest);
    let is_here = !matches!(facts.manifest(), Condition::Absent);
    let judged = verdict(&facts, question.wanted);
    let found = is_here.then(|| Found { stock, repository: repository.map(str::to_owned), tag, facts });
    if !mirror.is_provable() && matches!(judged.verdict, Verdict::Present | Verdict::Sparse) {
        let reason = "it lies in an archive that keeps no digests".to_owned();
        return Judgement { verdict: Verdict::Unprovable, reason: Some(reason), found };
    }
    Judgement { verdict: judged.verdict, reason: judged.reason, found }
}

/// The first of the least bad.
fn best(judgements: impl Iterator<Item = Judgement>) -> Option<Judgement> {
    judgements.reduce(|best, next| if next.verdict < best.verdict { next } else { best })
}

//! What the flags, the environment and the configuration file together mean.
//!
//! Rule: a flag wins over the environment, and that over the file. The XDG Base Directory Specification places the cache;
//! reproducible-builds.org defines `SOURCE_DATE_EPOCH`. Cost: one small file.

use std::fs::File;
use std::io::Read as _;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use jiff::civil::Date;
use jiff::tz::Offset;
use jiff::{SignedDuration, Timestamp};

use super::CommandError;
use super::args::{Global, ImageArguments};
use crate::cache::Cache;
use crate::codec::Limits;
use crate::config::Configuration;
use crate::pipeline::RunContext;
use crate::source::SourceLimits;
use crate::source::image::{Platform, PlatformError};
use crate::source::store::registry::{RegistryOptions, UserDirectories};

/// Bytes that a configuration file may have.
const CONFIGURATION_BYTES: u64 = 1 << 20;
const DEFAULT_FILE: &str = "skipstone.yaml";

/// Everything that a command needs to know beside its own arguments.
pub(super) struct Settings {
    /// Threads, limits and the instant.
    pub(super) context: RunContext,
    /// Which image of an index is read.
    pub(super) platform: Platform,
    /// How registries are spoken to.
    pub(super) registries: RegistryOptions,
    cache_directory: Option<PathBuf>,
    config: Option<PathBuf>,
}

impl Settings {
    pub(super) fn new(global: &Global, images: &ImageArguments) -> Result<Self, CommandError> {
        let cores = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        let context = RunContext {
            now: instant(global.now.as_deref())?,
            jobs: global.jobs.unwrap_or(cores),
            limits: Limits::default(),
            source_limits: SourceLimits::default(),
        };
        let cache_directory =
            if global.no_cache { None } else { global.cache_dir.clone().or_else(default_cache_directory) };
        let platform = match &images.image_platform {
            Some(text) => {
                text.parse().map_err(|error: PlatformError| CommandError::new(format!("--image-platform: {error}")))?
            }
            None => Platform::default(),
        };
        let registries = registry_options(images);
        Ok(Self { context, platform, registries, cache_directory, config: global.config.clone() })
    }

    /// Opens the cache.
    pub(super) fn cache(&self) -> Cache {
        Cache::open(self.cache_directory.clone())
    }

    /// The configuration file that was named, or the one in the working directory, or nothing.
    pub(super) fn configuration(&self) -> Result<Configuration, CommandError> {
        let file = match &self.config {
            Some(file) => file.clone(),
            None if Path::new(DEFAULT_FILE).is_file() => PathBuf::from(DEFAULT_FILE),
            None => return Ok(Configuration::default()),
        };
        let text =
            read_configuration(&file).map_err(|cause| CommandError::new(format!("{}: {cause}", file.display())))?;
        let configuration =
            Configuration::parse(&text).map_err(|fault| CommandError::new(format!("{}:{fault}", file.display())))?;
        let directory = file.parent().unwrap_or(Path::new("")).to_owned();
        Ok(configuration.relative_to(&directory))
    }
}

fn read_configuration(file: &Path) -> Result<Vec<u8>, String> {
    let mut text = Vec::new();
    let read = File::open(file).and_then(|opened| opened.take(CONFIGURATION_BYTES + 1).read_to_end(&mut text));
    match read {
        Err(error) => Err(error.to_string()),
        Ok(length) if u64::try_from(length).is_ok_and(|length| length <= CONFIGURATION_BYTES) => Ok(text),
        Ok(_) => Err(format!("a configuration has at most {CONFIGURATION_BYTES} bytes")),
    }
}

/// The only clock that is ever read: a flag, else `SOURCE_DATE_EPOCH`, else the start of the run cut to the day.
fn instant(flag: Option<&str>) -> Result<Timestamp, CommandError> {
    if let Some(text) = flag {
        let day = || text.parse::<Date>().ok().and_then(|day| Offset::UTC.to_timestamp(day.at(0, 0, 0, 0)).ok());
        return text.parse::<Timestamp>().ok().or_else(day).ok_or_else(|| {
            CommandError::new(format!("--now {text:?} is no instant")).hint("write it as 2026-11-30T00:00:00Z")
        });
    }
    if let Ok(text) = std::env::var("SOURCE_DATE_EPOCH") {
        let seconds = text.trim().parse::<i64>().ok();
        return seconds
            .and_then(|seconds| Timestamp::from_second(seconds).ok())
            .ok_or_else(|| CommandError::new(format!("SOURCE_DATE_EPOCH {text:?} is no number of seconds")));
    }
    let now = Timestamp::now();
    let into_the_day = SignedDuration::from_secs(now.as_second().rem_euclid(86_400));
    let midnight = Timestamp::from_second(now.as_second()).and_then(|second| second.checked_sub(into_the_day));
    midnight.map_err(|error| CommandError::new(format!("the clock of this machine cannot be used: {error}")))
}

/// Where podman looks for credentials and certificates, and what the flags say.
fn registry_options(images: &ImageArguments) -> RegistryOptions {
    let home = place_in("HOME");
    RegistryOptions {
        authfile: images.authfile.clone(),
        certificate_authorities: images.ca_files.clone(),
        insecure: images.insecure.clone(),
        allow_redirect: images.allow_redirect.clone(),
        user: UserDirectories {
            runtime: place_in("XDG_RUNTIME_DIR"),
            configuration: place_in("XDG_CONFIG_HOME").or_else(|| home.as_ref().map(|home| home.join(".config"))),
            home,
        },
        ..RegistryOptions::default()
    }
}

/// The place that a variable of the environment names.
fn place_in(name: &str) -> Option<PathBuf> {
    std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
}

fn default_cache_directory() -> Option<PathBuf> {
    let base = place_in("XDG_CACHE_HOME").or_else(|| place_in("HOME").map(|home| home.join(".cache")))?;
    base.is_absolute().then(|| base.join("skipstone"))
}

//! Gathers the certificates for a registry: those of the system, those that were named, and those of `certs.d`.
//!
//! Rule: containers-certs.d(5) and containers/image `docker/docker_client.go`, `dockerCertDir`, and `pkg/tlsclientconfig`: the first
//! directory of the host counts; `*.crt` are authorities, `NAME.cert` and `NAME.key` a client's pair, and half a pair is a
//! fault. Cost: each file is read once for each host, at most 4 MiB.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustls::ClientConfig;
use rustls::crypto::CryptoProvider;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};

use super::super::{StoreError, StoreErrorKind};
use super::host::Host;
use super::options::RegistryOptions;
use super::verifier::{Trusting, Unchecked};

/// The longest file of certificates.
const CERTIFICATE_BYTES: u64 = 4 << 20;

/// Most files of a directory of certificates.
const CERTIFICATE_FILES: usize = 1_000;

/// Directories of certificates by host that every user shares.
const SHARED_DIRECTORIES: [&str; 2] = ["/etc/containers/certs.d", "/etc/docker/certs.d"];

/// What a directory of `certs.d` holds.
#[derive(Default)]
struct HostCertificates {
    authorities: Vec<CertificateDer<'static>>,
    client: Option<(Vec<CertificateDer<'static>>, PrivateKeyDer<'static>)>,
}

/// How TLS is spoken with a host.
///
/// # Errors
/// [`StoreErrorKind::Unreadable`] and [`StoreErrorKind::Bad`] for files that were named, or lie in `certs.d`, and cannot be
/// read.
pub(super) fn configuration(
    host: &Host,
    options: &RegistryOptions,
    is_insecure: bool,
) -> Result<Arc<ClientConfig>, StoreError> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let own = host_certificates(host, options)?;
    let builder = ClientConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .map_err(|error| bad(format!("TLS cannot be set up: {error}")))?
        .dangerous();
    let builder = if is_insecure {
        builder.with_custom_certificate_verifier(Arc::new(Unchecked::new(&provider)))
    } else {
        builder.with_custom_certificate_verifier(Arc::new(trusting(own.authorities, options, &provider)?))
    };
    let configuration = match own.client {
        Some((chain, key)) => builder
            .with_client_auth_cert(chain, key)
            .map_err(|error| bad(format!("the client's certificate for {host} is of no use: {error}")))?,
        None => builder.with_no_client_auth(),
    };
    Ok(Arc::new(configuration))
}

fn trusting(
    mut trusted: Vec<CertificateDer<'static>>,
    options: &RegistryOptions,
    provider: &Arc<CryptoProvider>,
) -> Result<Trusting, StoreError> {
    for path in &options.certificate_authorities {
        trusted.extend(certificates(path)?);
    }
    trusted.extend(rustls_native_certs::load_native_certs().certs);
    Ok(Trusting::new(trusted, provider))
}

/// What lies in the first directory of the host.
fn host_certificates(host: &Host, options: &RegistryOptions) -> Result<HostCertificates, StoreError> {
    let own = options.user.configuration.iter().map(|directory| directory.join("containers/certs.d"));
    let shared = SHARED_DIRECTORIES.iter().map(PathBuf::from);
    let directory = own.chain(shared).map(|directory| directory.join(host.to_string())).find(|path| path.is_dir());
    directory.map_or_else(|| Ok(HostCertificates::default()), |directory| directory_certificates(&directory))
}

fn directory_certificates(directory: &Path) -> Result<HostCertificates, StoreError> {
    let io = |error: std::io::Error| unreadable(directory, &error);
    let mut files = Vec::new();
    for entry in fs::read_dir(directory).map_err(io)?.take(CERTIFICATE_FILES) {
        files.push(entry.map_err(io)?.path());
    }
    files.sort();
    let mut found = HostCertificates::default();
    for file in &files {
        match file.extension().and_then(|extension| extension.to_str()) {
            Some("crt") => found.authorities.extend(certificates(file)?),
            Some("cert") => {
                let key = file.with_extension("key");
                if !files.contains(&key) {
                    return Err(bad(format!("{} is missing for {}", key.display(), file.display())));
                }
                let client = (certificates(file)?, private_key(&key)?);
                found.client.get_or_insert(client);
            }
            Some("key") if !files.contains(&file.with_extension("cert")) => {
                let certificate = file.with_extension("cert");
                return Err(bad(format!("{} is missing for {}", certificate.display(), file.display())));
            }
            _ => {}
        }
    }
    Ok(found)
}

/// The certificates of a PEM file, at least one.
fn certificates(path: &Path) -> Result<Vec<CertificateDer<'static>>, StoreError> {
    let bytes = read(path)?;
    let found: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&bytes).collect();
    match found {
        Ok(found) if !found.is_empty() => Ok(found),
        Ok(_) => Err(bad(format!("{} holds no certificate in PEM", path.display()))),
        Err(_) => Err(bad(format!("{} is no PEM", path.display()))),
    }
}

/// What is wrong with a key is not told in the words of a parser, which may repeat it.
fn private_key(path: &Path) -> Result<PrivateKeyDer<'static>, StoreError> {
    PrivateKeyDer::from_pem_slice(&read(path)?)
        .map_err(|_| bad(format!("{} holds no private key in PEM", path.display())))
}

fn read(path: &Path) -> Result<Vec<u8>, StoreError> {
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(|error| unreadable(path, &error))?;
    file.take(CERTIFICATE_BYTES + 1).read_to_end(&mut bytes).map_err(|error| unreadable(path, &error))?;
    if u64::try_from(bytes.len()).unwrap_or(u64::MAX) > CERTIFICATE_BYTES {
        let what = format!("{} has more than {CERTIFICATE_BYTES} bytes", path.display());
        return Err(StoreError::new(StoreErrorKind::Limit, what));
    }
    Ok(bytes)
}

fn unreadable(path: &Path, error: &std::io::Error) -> StoreError {
    StoreError::new(StoreErrorKind::Unreadable, format!("{}: {error}", path.display()))
}

fn bad(what: String) -> StoreError {
    StoreError::new(StoreErrorKind::Bad, what)
}

#[cfg(test)]
#[path = "tests/certificates.rs"]
mod tests;

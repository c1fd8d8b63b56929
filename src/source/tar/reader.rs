//! Goes from header to header.
//!
//! Rule: Go `archive/tar`, `reader.go`, `Reader.next`: extensions are gathered for the entry that follows them, GNU's long
//! names win over pax records, and links, directories and devices have no content whatever their size says. Cost: one
//! buffer; an error ends the archive.

use std::io::{self, Read};

use super::extension::Overrides;
use super::header::{Header, before_nul};
use super::{BLOCK_BYTES, Skip, Streamed, TarEntry, TarEntryFault, TarEntryKind, TarError, TarLimits};

/// Reads an archive from front to back.
pub struct TarReader<S> {
    source: S,
    limits: TarLimits,
    /// Bytes read or passed over so far.
    position: u64,
    headers: u64,
    globals: Overrides,
    /// The entry that was handed out last: its name, its length, and how much of its content is still to come.
    name: String,
    bytes: u64,
    left: u64,
    has_ended: bool,
}

impl<R: Read> TarReader<Streamed<R>> {
    /// Reads an archive that streams by.
    pub fn streaming(reader: R, limits: TarLimits) -> Self {
        Self::new(Streamed::new(reader), limits)
    }
}

impl<S: Skip> TarReader<S> {
    /// Reads an archive.
    pub fn new(source: S, limits: TarLimits) -> Self {
        Self {
            source,
            limits,
            position: 0,
            headers: 0,
            globals: Overrides::default(),
            name: String::new(),
            bytes: 0,
            left: 0,
            has_ended: false,
        }
    }

    /// The next entry; `None` at the end, and for ever after an error.
    ///
    /// # Errors
    /// [`TarError`]; where the content of the entry before was not read to its end, those of passing over it.
    pub fn next_entry(&mut self) -> Result<Option<TarEntry>, TarError> {
        if self.has_ended {
            return Ok(None);
        }
        let entry = self.pass_content().and_then(|()| self.read_entry());
        self.has_ended = !matches!(entry, Ok(Some(_)));
        entry
    }

    /// The content of the entry that was handed out last: empty for anything but a regular file.
    pub fn content(&mut self) -> TarContent<'_, S> {
        TarContent { reader: self }
    }

    /// Passes over what is left of the content, so that its end is known to be there.
    ///
    /// # Errors
    /// [`TarError::TruncatedContent`], and those of the reader below.
    pub fn pass_content(&mut self) -> Result<(), TarError> {
        let passed = self.pass(self.left);
        self.left -= passed.as_ref().copied().unwrap_or(0);
        self.has_ended |= self.left > 0;
        passed?;
        if self.left > 0 { Err(self.truncated()) } else { Ok(()) }
    }

    fn truncated(&self) -> TarError {
        TarError::TruncatedContent { entry: self.name.clone(), bytes: self.bytes, missing: self.left }
    }

    fn pass(&mut self, bytes: u64) -> io::Result<u64> {
        let passed = self.source.skip(bytes)?;
        self.position += passed;
        Ok(passed)
    }

    fn read_entry(&mut self) -> Result<Option<TarEntry>, TarError> {
        let mut overrides = None;
        let (mut long_name, mut long_link) = (None, None);
        loop {
            let Some((offset, header)) = self.read_header()? else { return Ok(None) };
            match header.kind() {
                b'x' => {
                    let records = self.read_extension(offset, &header)?;
                    let local = overrides.insert(self.globals.clone());
                    local.read(&records).map_err(|what| TarError::Malformed { offset, what })?;
                }
                b'g' => {
                    let records = self.read_extension(offset, &header)?;
                    self.globals.read(&records).map_err(|what| TarError::Malformed { offset, what })?;
                }
                b'L' => long_name = Some(before_nul(&self.read_extension(offset, &header)?).to_vec()),
                b'K' => long_link = Some(before_nul(&self.read_extension(offset, &header)?).to_vec()),
                _ => {
                    let mut overrides = overrides.unwrap_or_else(|| self.globals.clone());
                    overrides.name = long_name.or(overrides.name);
                    overrides.link = long_link.or(overrides.link);
                    return self.hand_out(offset, &header, overrides).map(Some);
                }
            }
        }
    }

    /// The next header and where it begins; `None` at the end: two zero blocks, one before nothing, or nothing.
    fn read_header(&mut self) -> Result<Option<(u64, Header)>, TarError> {
        let padding = self.position.next_multiple_of(BLOCK_BYTES as u64) - self.position;
        self.pass(padding)?;
        let offset = self.position;
        let Some(header) = self.read_block(offset)? else { return Ok(None) };
        if header.is_zero() {
            return match self.read_block(self.position)? {
                Some(second) if !second.is_zero() => {
                    Err(TarError::Malformed { offset, what: "a zero block stands alone" })
                }
                _ => Ok(None),
            };
        }
        self.headers += 1;
        if self.headers > self.limits.headers {
            return Err(TarError::TooManyHeaders { limit: self.limits.headers });
        }
        if !header.has_right_checksum() {
            return Err(TarError::Checksum { offset });
        }
        Ok(Some((offset, header)))
    }

    /// One block; `None` at the end, and where the rest is a part of a zero block.
    fn read_block(&mut self, offset: u64) -> Result<Option<Header>, TarError> {
        let mut block = Vec::with_capacity(BLOCK_BYTES);
        (&mut self.source).take(BLOCK_BYTES as u64).read_to_end(&mut block)?;
        self.position += block.len() as u64;
        match <[u8; BLOCK_BYTES]>::try_from(block) {
            Ok(block) => Ok(Some(Header(block))),
            Err(part) if part.iter().all(|byte| *byte == 0) => Ok(None),
            Err(_) => Err(TarError::TruncatedHeader { offset }),
        }
    }

    fn read_extension(&mut self, offset: u64, header: &Header) -> Result<Vec<u8>, TarError> {
        let bytes = header.size().ok_or(TarError::Malformed { offset, what: "its size is no length" })?;
        let limit = self.limits.extension_bytes;
        if bytes > limit {
            return Err(TarError::ExtensionTooLarge { offset, bytes, limit });
        }
        let mut content = Vec::new();
        (&mut self.source).take(bytes).read_to_end(&mut content)?;
        let read = content.len() as u64;
        self.position += read;
        if read < bytes {
            let entry = String::from_utf8_lossy(&header.name()).into_owned();
            return Err(TarError::TruncatedContent { entry, bytes, missing: bytes - read });
        }
        Ok(content)
    }

    fn hand_out(&mut self, offset: u64, header: &Header, overrides: Overrides) -> Result<TarEntry, TarError> {
        let size = overrides.size.or_else(|| header.size());
        let size = size.ok_or(TarError::Malformed { offset, what: "its size is no length" })?;
        let raw_name = overrides.name.unwrap_or_else(|| header.name());
        let raw_link = overrides.link.unwrap_or_else(|| header.link().to_vec());
        let name = self.text(&raw_name, TarEntryFault::NameNotUtf8);
        let link = || self.text(&raw_link, TarEntryFault::TargetNotUtf8);
        let kind = match (&name, header.kind()) {
            (Err(fault), _) => TarEntryKind::Unusable(fault.clone()),
            (_, b'S') => TarEntryKind::Unusable(TarEntryFault::Sparse),
            (_, b'0' | 0 | b'7') if overrides.is_sparse => TarEntryKind::Unusable(TarEntryFault::Sparse),
            (Ok(name), 0) if name.ends_with('/') => TarEntryKind::Directory,
            (_, b'0' | 0 | b'7') => TarEntryKind::File { bytes: size },
            (_, b'5') => TarEntryKind::Directory,
            (_, b'1') => link().map_or_else(TarEntryKind::Unusable, TarEntryKind::HardLink),
            (_, b'2') => link().map_or_else(TarEntryKind::Unusable, TarEntryKind::SymbolicLink),
            (_, letter) => TarEntryKind::Other(name_of_kind(letter)),
        };
        let has_content = !matches!(header.kind(), b'1'..=b'6') && kind != TarEntryKind::Directory;
        let path = name.unwrap_or_else(|_| String::from_utf8_lossy(&raw_name).chars().take(160).collect());
        if header.kind() == b'S' && header.sparse_map_continues() {
            self.pass_sparse_map(offset)?;
        }
        self.bytes = if has_content { size } else { 0 };
        self.left = self.bytes;
        self.name.clone_from(&path);
        Ok(TarEntry { path, kind, offset: self.position })
    }

    /// A name that can be used.
    fn text(&self, raw: &[u8], not_utf8: TarEntryFault) -> Result<String, TarEntryFault> {
        let limit = self.limits.name_bytes;
        if raw.len() > limit {
            return Err(TarEntryFault::NameTooLong { bytes: raw.len(), limit });
        }
        if raw.contains(&0) {
            return Err(TarEntryFault::Nul);
        }
        str::from_utf8(raw).map(str::to_owned).map_err(|_| not_utf8)
    }

    /// GNU's sparse files have further blocks between header and content, each of which says whether another follows.
    fn pass_sparse_map(&mut self, offset: u64) -> Result<(), TarError> {
        const CONTINUES: usize = 504;
        let most = self.limits.extension_bytes / BLOCK_BYTES as u64;
        for _ in 0..most {
            let Some(block) = self.read_block(self.position)? else { break };
            if block.0.get(CONTINUES).is_none_or(|byte| *byte == 0) {
                return Ok(());
            }
        }
        Err(TarError::Malformed { offset, what: "the map of its sparse content has no end" })
    }
}

fn name_of_kind(letter: u8) -> String {
    match letter {
        b'3' => "character device".to_owned(),
        b'4' => "block device".to_owned(),
        b'6' => "named pipe".to_owned(),
        letter => format!("entry of type '{}'", letter.escape_ascii()),
    }
}

/// The content of one entry.
pub struct TarContent<'r, S> {
    reader: &'r mut TarReader<S>,
}

impl<S: Skip> Read for TarContent<'_, S> {
    /// Fails with [`io::ErrorKind::UnexpectedEof`] and the name of the entry where the archive ends too early.
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let reader = &mut *self.reader;
        let most = usize::try_from(reader.left).unwrap_or(usize::MAX).min(buffer.len());
        let Some(room) = buffer.get_mut(..most).filter(|room| !room.is_empty()) else { return Ok(0) };
        let count = reader.source.read(room)?;
        if count == 0 {
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, reader.truncated().to_string()));
        }
        reader.left -= count as u64;
        reader.position += count as u64;
        Ok(count)
    }
}

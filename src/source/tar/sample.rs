//! Writes archives for tests, as POSIX lays headers out, with whatever a test wants to be wrong.

/// A header with a right checksum.
pub(crate) fn header(name: &[u8], kind: u8, link: &[u8], size: u64) -> [u8; 512] {
    let mut block = [0; 512];
    block[..name.len()].copy_from_slice(name);
    block[100..108].copy_from_slice(b"0000644\0");
    block[124..136].copy_from_slice(format!("{size:011o}\0").as_bytes());
    block[156] = kind;
    block[157..157 + link.len()].copy_from_slice(link);
    block[257..265].copy_from_slice(b"ustar\x0000");
    with_checksum(block)
}

/// The same header with the checksum that its bytes have.
pub(crate) fn with_checksum(mut block: [u8; 512]) -> [u8; 512] {
    block[148..156].fill(b' ');
    let sum: u32 = block.iter().map(|byte| u32::from(*byte)).sum();
    block[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    block
}

/// An archive in the making.
#[derive(Default, Clone)]
pub(crate) struct Archive(pub(crate) Vec<u8>);

impl Archive {
    /// Adds bytes, padded to whole blocks.
    pub(crate) fn padded(mut self, bytes: &[u8]) -> Self {
        self.0.extend_from_slice(bytes);
        self.0.resize(self.0.len().next_multiple_of(512), 0);
        self
    }

    /// An entry of any kind with content.
    pub(crate) fn entry(self, name: &str, kind: u8, content: &[u8]) -> Self {
        self.padded(&header(name.as_bytes(), kind, b"", content.len() as u64)).padded(content)
    }

    pub(crate) fn file(self, name: &str, content: &str) -> Self {
        self.entry(name, b'0', content.as_bytes())
    }

    pub(crate) fn directory(self, name: &str) -> Self {
        self.entry(name, b'5', b"")
    }

    pub(crate) fn link(self, kind: u8, name: &str, target: &str) -> Self {
        self.padded(&header(name.as_bytes(), kind, target.as_bytes(), 0))
    }

    pub(crate) fn symbolic_link(self, name: &str, target: &str) -> Self {
        self.link(b'2', name, target)
    }

    pub(crate) fn hard_link(self, name: &str, target: &str) -> Self {
        self.link(b'1', name, target)
    }

    /// Pax records of the given kind, `x` or `g`.
    pub(crate) fn pax(self, kind: u8, records: &[(&str, &str)]) -> Self {
        let content: String = records.iter().map(|(key, value)| pax_record(key, value)).collect();
        self.entry("PaxHeaders/0", kind, content.as_bytes())
    }

    /// The two blocks that end an archive.
    pub(crate) fn end(mut self) -> Vec<u8> {
        self.0.extend([0; 1024]);
        self.0
    }
}

/// A record with the length that counts itself.
fn pax_record(key: &str, value: &str) -> String {
    let rest = format!(" {key}={value}\n");
    let lengths = 1..=20_usize;
    let length =
        lengths.map(|digits| rest.len() + digits).find(|length| length.to_string().len() + rest.len() == *length);
    format!("{}{rest}", length.unwrap())
}

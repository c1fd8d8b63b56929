use std::io::Write;
use std::time::Instant;

use super::*;

pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

pub(crate) fn zstd(bytes: &[u8]) -> Vec<u8> {
    ::zstd::encode_all(bytes, 1).unwrap()
}

fn unpack(bytes: &[u8], limits: DecompressLimits) -> io::Result<Vec<u8>> {
    let mut unpacked = Vec::new();
    Decompressed::new(bytes, limits)?.read_to_end(&mut unpacked).map(|_| unpacked)
}

fn refusal(bytes: &[u8], limits: DecompressLimits) -> Error {
    unpack(bytes, limits).unwrap_err()
}

/// A stream of zeros of any length, compressed piece by piece.
fn zeros<W: Write>(mut encoder: W, mebibytes: usize) -> W {
    for _ in 0..mebibytes {
        encoder.write_all(&[0; 1 << 20]).unwrap();
    }
    encoder
}

/// Reads to the end or the error without keeping anything.
fn drain(bytes: &[u8]) -> (u64, io::Result<u64>) {
    let mut stream = Decompressed::new(bytes, DecompressLimits::default()).unwrap();
    let outcome = io::copy(&mut stream, &mut io::sink());
    (stream.produced(), outcome)
}

#[test]
fn each_compression_is_known_by_its_first_bytes() {
    let limits = DecompressLimits::default();
    for bytes in [b"plain text".to_vec(), gzip(b"plain text"), zstd(b"plain text")] {
        assert_eq!(unpack(&bytes, limits).unwrap(), b"plain text");
    }
    for short in [&b""[..], b"\x1f", b"BZh"] {
        assert_eq!(unpack(short, limits).unwrap(), short, "too short to be anything but plain");
    }
}

#[test]
fn all_members_and_frames_are_read() {
    let limits = DecompressLimits::default();
    let skippable = b"\x50\x2a\x4d\x18\x03\0\0\0abc";
    assert_eq!(unpack(&[gzip(b"a"), gzip(b""), gzip(b"b")].concat(), limits).unwrap(), b"ab");
    assert_eq!(unpack(&[zstd(b"a"), skippable.to_vec(), zstd(b"b")].concat(), limits).unwrap(), b"ab");
    assert_eq!(unpack(&[skippable.to_vec(), zstd(b"b")].concat(), limits).unwrap(), b"b");
}

#[test]
fn other_compressions_are_named() {
    for (bytes, name) in [(&b"BZh91AY"[..], "bzip2"), (b"\xfd7zXZ\0\0", "xz")] {
        let refusal = refusal(bytes, DecompressLimits::default());
        assert_eq!(refusal.kind(), ErrorKind::Unsupported);
        assert!(refusal.to_string().contains(name), "{refusal}");
    }
}

#[test]
fn truncated_gzip_and_truncated_zstd_end_too_early() {
    let text: Vec<u8> = (0..100_000_u32).flat_map(u32::to_le_bytes).collect();
    for (whole, name) in [(gzip(&text), "gzip"), (zstd(&text), "zstd")] {
        let refusal = refusal(&whole[..whole.len() / 2], DecompressLimits::default());
        assert_eq!(refusal.kind(), ErrorKind::UnexpectedEof, "{refusal}");
        assert!(refusal.to_string().contains(name));
    }
}

#[test]
fn damaged_streams_say_so_again_and_again() {
    let text: Vec<u8> = (0..100_000_u32).flat_map(u32::to_le_bytes).collect();
    let mut damaged = gzip(&text);
    let last = damaged.len() - 6;
    damaged[last] ^= 1;
    let mut stream = Decompressed::new(damaged.as_slice(), DecompressLimits::default()).unwrap();
    for _ in 0..2 {
        let error = io::copy(&mut stream, &mut io::sink()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidData, "the checksum is wrong");
    }
    let garbage = [zstd(b"a"), b"garbage".to_vec()].concat();
    assert_eq!(refusal(&garbage, DecompressLimits::default()).kind(), ErrorKind::InvalidData);
}

#[test]
fn an_error_of_the_reader_stays_what_it_is() {
    struct Refusing;
    impl Read for Refusing {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(Error::new(ErrorKind::PermissionDenied, "no"))
        }
    }
    let start = gzip(b"some text");
    let mut stream = Decompressed::new(start[..12].chain(Refusing), DecompressLimits::default()).unwrap();
    let error = io::copy(&mut stream, &mut io::sink()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::PermissionDenied);
}

#[test]
fn more_bytes_than_allowed_are_refused() {
    let limits = DecompressLimits { bytes: 10, ..DecompressLimits::default() };
    assert_eq!(unpack(b"0123456789", limits).unwrap().len(), 10);
    assert_eq!(refusal(b"0123456789a", limits).kind(), ErrorKind::FileTooLarge);
}

#[test]
fn a_high_ratio_is_harmless_below_the_floor() {
    let limits = DecompressLimits { floor: 1 << 20, ..DecompressLimits::default() };
    let packed = zstd(&vec![0; 1 << 20]);
    assert_eq!(unpack(&packed, limits).unwrap().len(), 1 << 20);
    assert_eq!(refusal(&zstd(&vec![0; 2 << 20]), limits).kind(), ErrorKind::FileTooLarge);
}

#[test]
fn a_gzip_bomb_is_stopped_at_the_floor() {
    let encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    let bomb = zeros(encoder, 1024).finish().unwrap();
    let start = Instant::now();
    let (bytes, outcome) = drain(&bomb);
    assert!(outcome.unwrap_err().to_string().contains("bomb"));
    assert!(bytes <= (256 << 20) + (1 << 20), "{bytes}");
    assert!(start.elapsed().as_secs() < 20);
}

#[test]
fn a_zstd_bomb_is_stopped_at_the_floor() {
    let bomb = zeros(::zstd::Encoder::new(Vec::new(), 1).unwrap(), 1024).finish().unwrap();
    let (bytes, outcome) = drain(&bomb);
    assert!(outcome.unwrap_err().to_string().contains("bomb"));
    assert!(bytes <= (256 << 20) + (1 << 20), "{bytes}");
}

#[test]
fn a_zstd_window_beyond_the_limit_is_refused() {
    let mut encoder = ::zstd::Encoder::new(Vec::new(), 1).unwrap();
    encoder.window_log(28).unwrap();
    let packed = zeros(encoder, 1).finish().unwrap();
    assert_eq!(refusal(&packed, DecompressLimits::default()).kind(), ErrorKind::InvalidData);
}

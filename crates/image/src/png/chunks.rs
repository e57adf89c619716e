//! The chunks of a PNG file (PNG third edition, clause 11).

const SIGNATURE: [u8; 8] = *b"\x89PNG\r\n\x1a\n";

/// The start of the header chunk in a file.
const HEADER: usize = SIGNATURE.len();

/// The meaning of a sample of a pixel (PNG third edition, table 9).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ColourType {
    Greyscale = 0,
    Indexed = 3,
}

/// The signature and the header chunk.
pub(crate) fn begin_file(width_px: u32, height_px: u32, bits_per_pixel: u8, colours: ColourType) -> Vec<u8> {
    let mut file = SIGNATURE.to_vec();
    let mut header = [0; 13];
    header[..4].copy_from_slice(&width_px.to_be_bytes());
    header[4..8].copy_from_slice(&height_px.to_be_bytes());
    header[8] = bits_per_pixel;
    header[9] = colours as u8;
    push_chunk(&mut file, *b"IHDR", &header);
    file
}

/// Gives a file another height.
pub(crate) fn set_height(file: &mut [u8], height_px: u32) {
    let (kind, data, end) = (HEADER + 4, HEADER + 8, HEADER + 8 + 13);
    file[data + 4..data + 8].copy_from_slice(&height_px.to_be_bytes());
    let crc = crc32fast::hash(&file[kind..end]);
    file[end..end + 4].copy_from_slice(&crc.to_be_bytes());
}

/// Appends a chunk.
pub(crate) fn push_chunk(file: &mut Vec<u8>, kind: [u8; 4], data: &[u8]) {
    let start = begin_chunk(file, kind);
    file.extend_from_slice(data);
    end_chunk(file, start);
}

/// Appends the chunk that states the density of pixels (clause 11.3.4.3).
pub(crate) fn push_density(file: &mut Vec<u8>, dots_per_inch: u32) {
    /// The unit of the two densities is the metre.
    const METRE: u8 = 1;
    // An inch has 25.4 mm.
    let dots_per_metre = (dots_per_inch * 10_000 + 127) / 254;
    let mut data = [dots_per_metre.to_be_bytes(); 2].concat();
    data.push(METRE);
    push_chunk(file, *b"pHYs", &data);
}

/// Appends a chunk's length, still unknown, and its type; the place where the chunk starts.
pub(crate) fn begin_chunk(file: &mut Vec<u8>, kind: [u8; 4]) -> usize {
    let start = file.len();
    file.extend_from_slice(&[0; 4]);
    file.extend_from_slice(&kind);
    start
}

/// Ends the chunk that starts at `start`: fills in its length, and appends its CRC.
pub(crate) fn end_chunk(file: &mut Vec<u8>, start: usize) {
    let length = (file.len() - start - 8) as u32;
    file[start..start + 4].copy_from_slice(&length.to_be_bytes());
    let crc = crc32fast::hash(&file[start + 4..]);
    file.extend_from_slice(&crc.to_be_bytes());
}

/// The last chunk, which is empty.
pub(crate) const IEND: [u8; 12] = *b"\0\0\0\0IEND\xaeB`\x82";

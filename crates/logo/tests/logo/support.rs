//! A naive writer of PNG files that can also write what no encoder would.

use libdeflater::{CompressionLvl, Compressor};

/// A PNG file chunk by chunk.
#[derive(Clone)]
pub struct Chunks(pub Vec<([u8; 4], Vec<u8>)>);

impl Chunks {
    /// The bytes of the file.
    pub fn file(&self) -> Vec<u8> {
        let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
        for (kind, data) in &self.0 {
            file.extend((data.len() as u32).to_be_bytes());
            file.extend(kind);
            file.extend(data);
            let mut crc = crc32fast::Hasher::new();
            crc.update(kind);
            crc.update(data);
            file.extend(crc.finalize().to_be_bytes());
        }
        file
    }

    /// The data of the first chunk of a kind.
    pub fn data(&mut self, kind: [u8; 4]) -> &mut Vec<u8> {
        &mut self.0.iter_mut().find(|(found, _)| *found == kind).unwrap().1
    }

    /// With a chunk before that of another kind.
    pub fn with(mut self, kind: [u8; 4], data: &[u8], before: [u8; 4]) -> Self {
        let at = self.0.iter().position(|(found, _)| *found == before).unwrap();
        self.0.insert(at, (kind, data.to_vec()));
        self
    }
}

/// The format of a file's pixels.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// PNG's numbers: 0 grey, 2 red, green, blue, 3 palette, 4 grey and alpha, 6 with alpha.
    pub colour_type: u8,
    pub depth: u8,
    pub interlaced: bool,
}

impl Kind {
    pub const RGBA: Self = Self { colour_type: 6, depth: 8, interlaced: false };

    pub fn channels(self) -> usize {
        [1, 0, 3, 1, 2, 0, 4][usize::from(self.colour_type)]
    }
}

/// A file of `width` × `height` pixels whose samples, one per channel, `sample(x, y, channel)` gives.
pub fn chunks(kind: Kind, width: u32, height: u32, sample: impl Fn(u32, u32, usize) -> u16) -> Chunks {
    let passes: &[[u32; 4]] = if kind.interlaced {
        &[[0, 0, 8, 8], [4, 0, 8, 8], [0, 4, 4, 8], [2, 0, 4, 4], [0, 2, 2, 4], [1, 0, 2, 2], [0, 1, 1, 2]]
    } else {
        &[[0, 0, 1, 1]]
    };
    let mut lines = Vec::new();
    for &[left, top, columns, rows] in passes.iter().filter(|[left, ..]| *left < width) {
        for y in (top..height).step_by(rows as usize) {
            lines.push(0);
            let (mut byte, mut free) = (0_u8, 8);
            for x in (left..width).step_by(columns as usize) {
                for channel in 0..kind.channels() {
                    let value = sample(x, y, channel);
                    match kind.depth {
                        16 => lines.extend(value.to_be_bytes()),
                        8 => lines.push(value as u8),
                        depth => {
                            free -= depth;
                            byte |= (value as u8) << free;
                            if free == 0 {
                                lines.push(byte);
                                (byte, free) = (0, 8);
                            }
                        }
                    }
                }
            }
            if free < 8 {
                lines.push(byte);
            }
        }
    }
    let mut header = [width.to_be_bytes(), height.to_be_bytes()].concat();
    header.extend([kind.depth, kind.colour_type, 0, 0, u8::from(kind.interlaced)]);
    Chunks(vec![(*b"IHDR", header), (*b"IDAT", zlib(&lines)), (*b"IEND", Vec::new())])
}

/// A zlib stream.
pub fn zlib(bytes: &[u8]) -> Vec<u8> {
    let mut compressor = Compressor::new(CompressionLvl::default());
    let mut stream = vec![0; compressor.zlib_compress_bound(bytes.len())];
    let length = compressor.zlib_compress(bytes, &mut stream).unwrap();
    stream.truncate(length);
    stream
}

/// A file of red, green, blue and alpha, 8 bits each.
pub fn rgba(width: u32, height: u32, pixel: impl Fn(u32, u32) -> [u8; 4]) -> Vec<u8> {
    chunks(Kind::RGBA, width, height, |x, y, channel| pixel(x, y)[channel].into()).file()
}

/// Numbers that are the same on every run: a linear congruential generator's upper bits. The recorded pictures are made of them.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }
}

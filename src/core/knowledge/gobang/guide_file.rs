//! Files of a guide: what was learned, from what, and how well it tells what searches find.
//!
//! | part | bytes |
//! | --- | --- |
//! | `moku gobang weights 1\n` | 22 |
//! | header: its length, then JSON | 4, as many |
//! | columns: states, steps, and for value and prior each pairs and shapes | |
//! | checksum of all before | 8 |
//!
//! A column has the number of its weights that are not 0 (4 bytes), their places as differences and the weights in steps
//! of 1/256, both in 7 bits a byte. Of a shape and its mirror image one stands there. Numbers have their low byte first. A
//! file may be packed by gzip; the one in the program is.

use super::guide::{Guide, PAIRS, SHAPES, STATES, STEPS, mirrored};
use crate::knowledge::weights::{Fault, Files, Reader, WeightsError, bytes_of, checksum, unpacked};
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::{Arc, OnceLock};

const MAGIC: &[u8] = b"moku gobang weights 1\n";
const UNITS: f32 = 256.0;

static BUILT_IN: &[u8] = include_bytes!("../weights/gobang.weights.gz");

/// What the file says of itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// Lines of the boards and the rule that it was learned on.
    pub size: usize,
    pub rule: String,
    /// The engine whose games these are, how many, and the positions taken from them.
    pub engine: String,
    pub games: usize,
    pub positions: usize,
    pub passes: usize,
    pub seed: u64,
    pub held_out: HeldOut,
}

/// On positions of games left out.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct HeldOut {
    pub positions: usize,
    /// Root mean square error of values, by the weights and by hand.
    pub error: f64,
    pub error_by_hand: f64,
    /// How often the move with the most playouts was the likeliest.
    pub first: f64,
    /// Information lost about moves, in nats.
    pub lost: f64,
}

impl Guide {
    /// The program's own.
    pub fn built_in() -> Arc<Guide> {
        static GUIDE: OnceLock<Arc<Guide>> = OnceLock::new();
        let load = || match read(BUILT_IN) {
            Ok((_, guide)) => Arc::new(guide),
            Err(fault) => unreachable!("the weights in the program: {fault}"),
        };
        GUIDE.get_or_init(load).clone()
    }

    /// A file of weights, read once.
    pub fn shared(path: &str) -> Result<Arc<Guide>, WeightsError> {
        static FILES: Files<Guide> = Files::new();
        FILES.get(path, || Ok(load(Path::new(path))?.1))
    }
}

pub fn load(path: &Path) -> Result<(Header, Guide), WeightsError> {
    let bytes = bytes_of(path)?;
    read(&bytes).map_err(|reason| WeightsError::Content { path: path.to_owned(), reason })
}

pub fn write(header: &Header, guide: &Guide) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    // A header is plain data and always has a JSON form.
    let text = serde_json::to_vec(header).unwrap_or_default();
    bytes.extend((text.len() as u32).to_le_bytes());
    bytes.extend(text);
    write_column(&mut bytes, &guide.states, |_| true);
    guide.steps.iter().for_each(|steps| write_column(&mut bytes, steps, |_| true));
    for sums in [&guide.value, &guide.prior] {
        write_column(&mut bytes, &sums.pairs, |_| true);
        write_column(&mut bytes, &sums.shapes, |place| place <= mirrored(place));
    }
    let sum = checksum(&bytes);
    bytes.extend(sum.to_le_bytes());
    bytes
}

fn write_column(bytes: &mut Vec<u8>, weights: &[f32], stands: impl Fn(usize) -> bool) {
    let units = |w: f32| (w * UNITS).round() as i32;
    let some = || weights.iter().enumerate().filter(|&(place, &w)| units(w) != 0 && stands(place));
    bytes.extend((some().count() as u32).to_le_bytes());
    let mut before = 0;
    for (place, _) in some() {
        write_number(bytes, (place - before) as u32);
        before = place;
    }
    // The sign goes last, so that small weights of either sign are short.
    some().for_each(|(_, &w)| write_number(bytes, (units(w) << 1 ^ units(w) >> 31) as u32));
}

fn write_number(bytes: &mut Vec<u8>, mut rest: u32) {
    while rest >= 128 {
        bytes.push(rest as u8 | 128);
        rest >>= 7;
    }
    bytes.push(rest as u8);
}

pub fn read(bytes: &[u8]) -> Result<(Header, Guide), Fault> {
    let plain = unpacked(bytes)?;
    let rest = plain.strip_prefix(MAGIC).ok_or(Fault::Foreign)?;
    let (body, sum) = rest.split_last_chunk::<8>().ok_or(Fault::Broken)?;
    if checksum(&plain[..plain.len() - 8]) != u64::from_le_bytes(*sum) {
        return Err(Fault::Broken);
    }
    let mut reader = Reader(body);
    let length = reader.number()? as usize;
    let header: Header = serde_json::from_slice(reader.take(length)?).map_err(|e| Fault::Header(e.to_string()))?;
    let mut guide = Guide::zero();
    read_column(&mut reader, &mut guide.states[..STATES])?;
    for steps in &mut guide.steps {
        read_column(&mut reader, &mut steps[..STEPS])?;
    }
    for sums in [&mut guide.value, &mut guide.prior] {
        read_column(&mut reader, &mut sums.pairs[..PAIRS])?;
        read_column(&mut reader, &mut sums.shapes[..SHAPES])?;
        for place in 0..SHAPES {
            let other = mirrored(place);
            if place < other {
                sums.shapes[other] = sums.shapes[place];
            }
        }
    }
    Ok((header, guide))
}

fn read_column(reader: &mut Reader, weights: &mut [f32]) -> Result<(), Fault> {
    let count = reader.number()? as usize;
    if count > weights.len() {
        return Err(Fault::Broken);
    }
    let mut place = 0usize;
    let mut places = Vec::with_capacity(count);
    for _ in 0..count {
        place = place.checked_add(reader.difference()? as usize).filter(|&p| p < weights.len()).ok_or(Fault::Broken)?;
        places.push(place);
    }
    for place in places {
        let number = reader.difference()?;
        weights[place] = ((number >> 1) as i32 ^ -((number & 1) as i32)) as f32 / UNITS;
    }
    Ok(())
}

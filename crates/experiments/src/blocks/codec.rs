//! The bytes of a block.
//!
//! A block is `TRIPBLK1`, the XXH3 hash (128 bits) of all that follows, the first replication and the one after the last
//! (32 bits each, little-endian), and a zstd frame. In the frame, in the format of postcard: a header, then every
//! replication as a list of columns, each a field of all records in the order mode, slot, as differences to the record
//! before: neighbouring designs have much in common, so most are 0.

use std::io::{self, Read, Write};
use std::ops::Range;

use scenario::{RunRecord, SharingStats};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_128;
use zstd::stream::{read::Decoder, write::Encoder};

use super::plan::Plan;
use super::record::{FIELDS, each_column, record_of};
use crate::runner::ReplicationRuns;

const MAGIC: &[u8; 8] = b"TRIPBLK1";
const PREFIX: usize = MAGIC.len() + size_of::<u128>() + 2 * size_of::<u32>();
/// The fastest level: what it leaves is two thirds of the Parquet file of the same runs.
const ZSTD_LEVEL: i32 = 1;
/// No word of postcard's takes more bytes.
const LONGEST_VARINT: usize = 10;

#[derive(Serialize, Deserialize)]
struct Header {
    plan: String,
    fields: Vec<String>,
    modes: u32,
    slots: u32,
}

/// Why bytes are no block of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// They are not what was written.
    Damaged(&'static str),
    /// They belong to another plan: the difference.
    OtherPlan(String),
}

/// The shape of a replication: so many modes of so many records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    pub(super) modes: usize,
    pub(super) slots: usize,
}

impl Shape {
    /// More bytes than a block of so many replications can have before compression.
    fn most_bytes(self, plan: &Plan, replications: usize) -> u64 {
        let records = self.modes as u64 * self.slots as u64 * replications as u64;
        let columns = FIELDS.len() as u64 * (records + replications as u64 + 1);
        columns.saturating_mul(LONGEST_VARINT as u64).saturating_add(plan.text().len() as u64 + 4096)
    }
}

/// A block under construction.
pub(super) struct BlockWriter {
    first: u32,
    next: u32,
    shape: Shape,
    frame: Encoder<'static, Vec<u8>>,
    /// Room for a column, as numbers and as bytes.
    column: Vec<i64>,
    packed: Vec<u8>,
}

impl BlockWriter {
    /// Starts a block with its first replication.
    pub(super) fn new(plan: &Plan, shape: Shape, first: u32) -> io::Result<Self> {
        let header = Header {
            plan: plan.text().to_owned(),
            fields: FIELDS.map(str::to_owned).to_vec(),
            modes: shape.modes as u32,
            slots: shape.slots as u32,
        };
        let mut frame = Encoder::new(Vec::new(), ZSTD_LEVEL)?;
        frame.write_all(&postcard::to_stdvec(&header).map_err(io::Error::other)?)?;
        Ok(Self { first, next: first, shape, frame, column: Vec::new(), packed: Vec::new() })
    }

    /// Appends the next replication.
    pub(super) fn add(&mut self, runs: &ReplicationRuns) -> io::Result<()> {
        assert_eq!(runs.replication, self.next, "replications come in order");
        assert!(runs.runs.len() == self.shape.modes && runs.runs.iter().all(|mode| mode.len() == self.shape.slots));
        each_column(&runs.runs, &mut self.column, |column| {
            pack(column, &mut self.packed);
            self.frame.write_all(&self.packed)
        })?;
        self.next += 1;
        Ok(())
    }

    /// The range of replications so far, and the block's bytes.
    pub(super) fn finish(self) -> io::Result<(Range<u32>, Vec<u8>)> {
        let frame = self.frame.finish()?;
        let range = self.first..self.next;
        let bytes = sealed(&range, &frame);
        Ok((range, bytes))
    }
}

/// Makes `packed` what postcard would make of a column. This is most of the work on a block but the compression, and nearly
/// all numbers are small.
fn pack(column: &[i64], packed: &mut Vec<u8>) {
    packed.resize((column.len() + 1) * LONGEST_VARINT, 0);
    let mut end = 0;
    let mut push = |mut number: u64| {
        while number >= 128 {
            packed[end] = number as u8 | 128;
            number >>= 7;
            end += 1;
        }
        packed[end] = number as u8;
        end += 1;
    };
    push(column.len() as u64);
    // The sign goes into the lowest bit, so that small numbers of both signs stay small.
    column.iter().for_each(|number| push((number << 1 ^ number >> 63).cast_unsigned()));
    packed.truncate(end);
}

/// A frame with what goes before it.
pub(super) fn sealed(range: &Range<u32>, frame: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(PREFIX + frame.len());
    bytes.extend_from_slice(MAGIC);
    bytes.extend_from_slice(&[0; size_of::<u128>()]);
    bytes.extend_from_slice(&range.start.to_le_bytes());
    bytes.extend_from_slice(&range.end.to_le_bytes());
    bytes.extend_from_slice(frame);
    let (hash, hashed) = bytes[MAGIC.len()..].split_at_mut(size_of::<u128>());
    hash.copy_from_slice(&xxh3_128(hashed).to_le_bytes());
    bytes
}

/// The replications of a block that should hold `range`.
pub(super) fn decode(
    bytes: &[u8],
    plan: &Plan,
    shape: Shape,
    range: &Range<u32>,
) -> Result<Vec<ReplicationRuns>, Unreadable> {
    let payload = payload(bytes, plan, shape, range)?;
    let (header, mut rest) = header(&payload)?;
    if header.plan != plan.text() {
        return Err(Unreadable::OtherPlan(plan.difference(&header.plan)));
    }
    if header.fields != FIELDS || (header.modes as usize, header.slots as usize) != (shape.modes, shape.slots) {
        return Err(Unreadable::OtherPlan("its records have other fields".to_owned()));
    }
    let mut replications = Vec::with_capacity(range.len());
    for replication in range.clone() {
        let runs = replication_runs(&mut rest, shape)?;
        replications.push(ReplicationRuns { replication, runs, sharing: SharingStats::default() });
    }
    if rest.is_empty() { Ok(replications) } else { Err(Unreadable::Damaged("it is too long")) }
}

/// The plan (as JSON) of any block whose bytes are whole.
pub(super) fn plan_text(bytes: &[u8]) -> Result<String, Unreadable> {
    /// The header comes first, and the longest of its parts is the plan: a sweep file written out.
    const MOST: u64 = 64 << 20;
    let frame = checked_frame(bytes)?.1;
    let mut start = Vec::new();
    let decoder = Decoder::new(frame).map_err(|_| Unreadable::Damaged("it is not compressed by zstd"))?;
    decoder.take(MOST).read_to_end(&mut start).map_err(|_| Unreadable::Damaged("its compression is broken"))?;
    header(&start).map(|(header, _)| header.plan)
}

/// What two blocks of a plan and range have to agree in: all but the way of compression.
pub(super) fn payload(bytes: &[u8], plan: &Plan, shape: Shape, range: &Range<u32>) -> Result<Vec<u8>, Unreadable> {
    let (held, frame) = checked_frame(bytes)?;
    if held != *range {
        return Err(Unreadable::Damaged("it holds other replications than its name says"));
    }
    let most = shape.most_bytes(plan, range.len());
    let mut payload = Vec::new();
    let decoder = Decoder::new(frame).map_err(|_| Unreadable::Damaged("it is not compressed by zstd"))?;
    decoder.take(most + 1).read_to_end(&mut payload).map_err(|_| Unreadable::Damaged("its compression is broken"))?;
    if payload.len() as u64 > most { Err(Unreadable::Damaged("it is too long")) } else { Ok(payload) }
}

fn checked_frame(bytes: &[u8]) -> Result<(Range<u32>, &[u8]), Unreadable> {
    let rest = bytes.strip_prefix(MAGIC).ok_or(Unreadable::Damaged("it does not begin as a block does"))?;
    let (hash, rest) = rest.split_first_chunk().ok_or(Unreadable::Damaged("it is too short"))?;
    if xxh3_128(rest).to_le_bytes() != *hash {
        return Err(Unreadable::Damaged("its checksum is wrong"));
    }
    let (first, rest) = rest.split_first_chunk().ok_or(Unreadable::Damaged("it is too short"))?;
    let (end, frame) = rest.split_first_chunk().ok_or(Unreadable::Damaged("it is too short"))?;
    Ok((u32::from_le_bytes(*first)..u32::from_le_bytes(*end), frame))
}

fn header(payload: &[u8]) -> Result<(Header, &[u8]), Unreadable> {
    postcard::take_from_bytes(payload).map_err(|_| Unreadable::Damaged("it has no header"))
}

fn replication_runs(rest: &mut &[u8], shape: Shape) -> Result<Vec<Vec<RunRecord>>, Unreadable> {
    let records = shape.modes * shape.slots;
    let mut rows = vec![[0_u64; FIELDS.len()]; records];
    for field in 0..FIELDS.len() {
        let (column, after): (Vec<i64>, _) =
            postcard::take_from_bytes(rest).map_err(|_| Unreadable::Damaged("it ends early"))?;
        *rest = after;
        if column.len() != records {
            return Err(Unreadable::Damaged("a column has another length"));
        }
        let mut before = 0_u64;
        for (row, difference) in rows.iter_mut().zip(column) {
            before = before.wrapping_add_signed(difference);
            row[field] = before;
        }
    }
    let records: Option<Vec<RunRecord>> = rows.into_iter().map(record_of).collect();
    let mut records = records.ok_or(Unreadable::Damaged("it holds a value that means nothing"))?.into_iter();
    Ok((0..shape.modes).map(|_| records.by_ref().take(shape.slots).collect()).collect())
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;
    use crate::runner::{DistinctDesigns, simulate};
    use crate::sweep_file::{Sweep, parse};
    use scenario::Sharing;

    const RANGE: Range<u32> = 6..9;

    fn sweep() -> Sweep {
        let text = "[[rule]]\nkind = \"consecutive\"\nthreshold = [3, 4]\nopen_for = \"1s\"\n";
        parse("codec.toml", text, &["scenario.horizon=\"4s\"".to_owned()], None).expect("a sweep")
    }

    fn shape(sweep: &Sweep) -> Shape {
        Shape { modes: sweep.modes.len(), slots: sweep.designs.len() }
    }

    fn block(sweep: &Sweep) -> (Vec<ReplicationRuns>, Vec<u8>) {
        let designs = DistinctDesigns::of(sweep).design_set(sweep);
        let runs: Vec<_> = RANGE.map(|replication| simulate(sweep, &designs, Sharing::Auto, replication)).collect();
        let mut writer = BlockWriter::new(&Plan::of(sweep), shape(sweep), RANGE.start).expect("memory");
        runs.iter().for_each(|runs| writer.add(runs).expect("memory"));
        (runs, writer.finish().expect("memory").1)
    }

    #[test]
    fn what_is_read_is_what_was_written() {
        let sweep = sweep();
        let (runs, bytes) = block(&sweep);
        let read = decode(&bytes, &Plan::of(&sweep), shape(&sweep), &RANGE).expect("a block");
        let records =
            |runs: &[ReplicationRuns]| runs.iter().map(|r| (r.replication, r.runs.clone())).collect::<Vec<_>>();
        assert_eq!(records(&read), records(&runs));
        assert_eq!(plan_text(&bytes).as_deref(), Ok(Plan::of(&sweep).text()));
    }

    #[test]
    fn no_bit_can_flip_and_no_byte_be_lost_unnoticed() {
        let sweep = sweep();
        let (_, bytes) = block(&sweep);
        let plan = Plan::of(&sweep);
        for position in 0..bytes.len() {
            let mut flipped = bytes.clone();
            flipped[position] ^= 1 << (position % 8);
            assert!(decode(&flipped, &plan, shape(&sweep), &RANGE).is_err(), "byte {position}");
            assert!(decode(&bytes[..position], &plan, shape(&sweep), &RANGE).is_err(), "cut at {position}");
        }
    }

    #[test]
    fn a_block_of_another_plan_shape_or_range_is_refused() {
        let sweep = sweep();
        let (_, bytes) = block(&sweep);
        let (plan, shape) = (Plan::of(&sweep), shape(&sweep));
        let other = parse("codec.toml", "[[rule]]\nkind = \"none\"\n", &[], None).expect("a sweep");
        assert!(matches!(decode(&bytes, &Plan::of(&other), shape, &RANGE), Err(Unreadable::OtherPlan(_))));
        let wider = Shape { slots: shape.slots + 1, ..shape };
        assert!(matches!(decode(&bytes, &plan, wider, &RANGE), Err(Unreadable::OtherPlan(_))));
        assert!(matches!(decode(&bytes, &plan, shape, &(6..10)), Err(Unreadable::Damaged(_))));
    }

    #[test]
    fn what_grows_beyond_measure_when_unpacked_is_not_unpacked() {
        let sweep = sweep();
        let mut frame = Encoder::new(Vec::new(), 1).expect("memory");
        let zeros = vec![0; 1 << 20];
        (0..512).for_each(|_| frame.write_all(&zeros).expect("memory"));
        let bomb = sealed(&RANGE, &frame.finish().expect("memory"));
        assert!(bomb.len() < 100_000);
        let read = decode(&bomb, &Plan::of(&sweep), shape(&sweep), &RANGE).err();
        assert_eq!(read, Some(Unreadable::Damaged("it is too long")));
    }

    proptest! {
        #[test]
        fn a_packed_column_is_that_of_postcard(mut column: Vec<i64>, shift in 0..64) {
            let mut packed = vec![1, 2, 3];
            column.iter_mut().for_each(|number| *number >>= shift);
            column.extend([i64::MIN, i64::MAX, -65, -64, 63, 64, 0]);
            pack(&column, &mut packed);
            prop_assert_eq!(packed, postcard::to_stdvec(&column).expect("memory"));
        }

        /// Whoever makes the checksum right can write anything; it is an error or records, in bounded time and memory.
        #[test]
        fn sealed_nonsense_is_an_error(content in vec(any::<u8>(), 0..400), compressed: bool) {
            let sweep = sweep();
            let frame = if compressed { zstd::encode_all(&content[..], 1).expect("memory") } else { content };
            let bytes = sealed(&RANGE, &frame);
            prop_assert!(decode(&bytes, &Plan::of(&sweep), shape(&sweep), &RANGE).is_err());
            let _ = plan_text(&bytes);
        }

        #[test]
        fn a_changed_payload_under_a_right_checksum_is_records_or_an_error(changes in vec(any::<(u16, u8)>(), 1..6)) {
            let sweep = sweep();
            let (_, bytes) = block(&sweep);
            let (plan, shape) = (Plan::of(&sweep), shape(&sweep));
            let mut payload = payload(&bytes, &plan, shape, &RANGE).expect("a block");
            for (position, byte) in changes {
                let position = usize::from(position) % payload.len();
                payload[position] = byte;
            }
            let changed = sealed(&RANGE, &zstd::encode_all(&payload[..], 1).expect("memory"));
            if let Ok(replications) = decode(&changed, &plan, shape, &RANGE) {
                prop_assert!(replications.len() == RANGE.len());
                prop_assert!(replications.iter().flat_map(|runs| &runs.runs).all(|mode| mode.len() == shape.slots));
            }
        }
    }
}

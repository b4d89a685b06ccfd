//! Smoke tests of the random streams: uniform, uncorrelated along a stream and across its relatives.
//!
//! SplitMix64 and xoshiro256++ have passed the large batteries of others; what is tested here is how keys are derived.
//! Each of the 13 checks is a chi-square or normal statistic with a false-alarm rate of 1e-8: 1.3e-7 for the file.
//! The seeds are fixed, so that a run that passes passes always.

use engine::{StreamKey, open_unit};
use rand::Rng;

/// The two-sided 1e-8 point of the standard normal distribution.
const CRITICAL: f64 = 5.730_728_868;
const DRAWS: u64 = 1 << 20;

/// A chi-square statistic of 256 cells as an approximately standard normal score: Wilson and Hilferty's cube root.
/// If every cell's frequency is wrong by 1.5 %, 2^20 draws find it with 99 % probability.
fn chi_square_score(words: impl Iterator<Item = u64>, cell: impl Fn(u64) -> u8) -> f64 {
    let mut counts = [0u64; 256];
    let mut total = 0u64;
    for word in words {
        counts[usize::from(cell(word))] += 1;
        total += 1;
    }
    let expected = total as f64 / 256.0;
    let statistic: f64 =
        counts.iter().map(|&count| (count as f64 - expected) * (count as f64 - expected) / expected).sum();
    let degrees = 255.0;
    let spread = 2.0 / (9.0 * degrees);
    (libm::cbrt(statistic / degrees) - (1.0 - spread)) / f64::sqrt(spread)
}

fn assert_uniform_bytes(name: &str, words: impl Iterator<Item = u64> + Clone) {
    let high = chi_square_score(words.clone(), |word| (word >> 56) as u8);
    let low = chi_square_score(words, |word| word as u8);
    assert!(high.abs() < CRITICAL && low.abs() < CRITICAL, "{name}: {high} {low}");
}

/// The correlation of pairs of uniforms, times the root of their number: standard normal if they are independent.
/// A correlation of 0.008 is found with 99 % probability.
fn correlation_score(pairs: impl Iterator<Item = (f64, f64)>) -> f64 {
    let (mut sum, mut count) = (0.0, 0.0);
    for (x, y) in pairs {
        sum += (x - 0.5) * (y - 0.5) * 12.0;
        count += 1.0;
    }
    sum / f64::sqrt(count)
}

#[test]
fn words_along_a_stream() {
    let key = StreamKey::root(1).child(2).child(3);
    assert_uniform_bytes("along", (0..DRAWS).map(|n| key.word(n)));
    let serial = correlation_score((0..DRAWS).map(|n| (key.uniform(n), key.uniform(n + 1))));
    assert!(serial.abs() < CRITICAL, "serial correlation: {serial}");
}

#[test]
fn first_words_of_neighbouring_children() {
    let parent = StreamKey::root(1);
    assert_uniform_bytes("children", (0..DRAWS).map(|n| parent.child(n).word(0)));
    let across = correlation_score((0..DRAWS).map(|n| (parent.child(n).uniform(0), parent.child(n + 1).uniform(0))));
    assert!(across.abs() < CRITICAL, "correlation of neighbours: {across}");
}

#[test]
fn first_words_of_neighbouring_seeds() {
    assert_uniform_bytes("seeds", (0..DRAWS).map(|seed| StreamKey::root(seed).child(0).word(0)));
    let lagged = correlation_score((0..DRAWS).map(|n| {
        let (one, next) = (StreamKey::root(n).child(0), StreamKey::root(n + 1).child(0));
        (one.uniform(1), next.uniform(0))
    }));
    assert!(lagged.abs() < CRITICAL, "a seed's stream shifted against the next one's: {lagged}");
}

#[test]
fn a_generator_and_the_words_of_its_own_key() {
    let key = StreamKey::root(5);
    let mut generator = key.generator();
    assert_uniform_bytes("generators", (0..DRAWS).map(|n| key.child(n).generator().next_u64()));
    let own = correlation_score((0..DRAWS).map(|n| (key.uniform(n), open_unit(generator.next_u64()))));
    assert!(own.abs() < CRITICAL, "a generator follows its key's words: {own}");
}

/// Two equal keys among a million would be a defect: by chance they come up once in 3e7 such tests.
#[test]
fn descendants_are_distinct() {
    let root = StreamKey::root(9);
    let mut keys: Vec<StreamKey> = Vec::new();
    for a in 0..1_000 {
        for b in 0..1_000 {
            keys.push(root.child(a).child(b));
        }
    }
    keys.extend((0..1_000).map(|a| root.child(a)));
    keys.extend((10..1_010).map(|seed| StreamKey::root(seed).child(9)));
    let count = keys.len();
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(keys.len(), count);
}

/// One flipped bit of an identity flips half the bits of a word: 64 · 1,000 flips, each of 64 bits, so that the mean
/// has a standard error of 0.0158 bits and a mean that is off by 0.13 bits is found with 99 % probability.
#[test]
fn every_bit_of_an_identity_matters() {
    let root = StreamKey::root(11);
    let mut flipped = 0u64;
    for identity in 0..1_000u64 {
        for bit in 0..64 {
            let change = root.child(identity).word(0) ^ root.child(identity ^ 1 << bit).word(0);
            flipped += u64::from(change.count_ones());
        }
    }
    let score = (flipped as f64 / 64_000.0 - 32.0) / (4.0 / f64::sqrt(64_000.0));
    assert!(score.abs() < CRITICAL, "{score}");
}

//! Vectors of sixteen lanes: one trait, in plain Rust and in AVX2, with the same results.

#![allow(clippy::needless_range_loop)] // lanes are numbered

use std::ops::{Add, BitAnd, BitOr, BitXor, Not, Sub};

/// Games side by side.
pub(super) const LANES: usize = 16;

/// One `u16` for each game, where the vector registers can load it and plain code can reach one lane.
#[derive(Clone, Copy)]
#[repr(C, align(32))]
pub(super) struct Store(pub(super) [u16; LANES]);

pub(super) const ZERO: Store = Store([0; LANES]);

/// Sixteen lanes of `u16` in a register. Comparisons are of signed numbers, and give all ones for true.
pub(super) trait Vector:
    Copy
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Add<Output = Self>
    + Sub<Output = Self>
{
    fn load(from: &Store) -> Self;
    fn store(self, to: &mut Store);
    fn all(value: u16) -> Self;
    fn shl<const K: i32>(self) -> Self;
    fn shr<const K: i32>(self) -> Self;
    /// Low half of the product.
    fn times(self, other: Self) -> Self;
    /// High half of the unsigned product.
    fn times_high(self, other: Self) -> Self;
    fn equals(self, other: Self) -> Self;
    fn greater(self, other: Self) -> Self;
    /// Bits set, for values below 512.
    fn count(self) -> Self;
    /// `self` where `mask` (all ones or all zeros in a lane) is set, else `other`.
    fn or_else(self, mask: Self, other: Self) -> Self;
    /// Whether any lane is not zero.
    fn any(self) -> bool;
    /// Bit `i` for a set lane `i` of a mask.
    fn lanes(self) -> u32;
}

#[derive(Clone, Copy)]
#[repr(C, align(32))]
pub(super) struct Plain([u16; LANES]);

impl Plain {
    #[inline(always)]
    fn map(self, f: impl Fn(u16) -> u16) -> Self {
        let mut out = self.0;
        for x in &mut out {
            *x = f(*x);
        }
        Plain(out)
    }

    #[inline(always)]
    fn zip(self, other: Self, f: impl Fn(u16, u16) -> u16) -> Self {
        let mut out = self.0;
        for i in 0..LANES {
            out[i] = f(self.0[i], other.0[i]);
        }
        Plain(out)
    }
}

macro_rules! operators {
    ($vector:ident, $($trait:ident $method:ident $how:expr;)*) => {
        $(impl $trait for $vector {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                $how(self, other)
            }
        })*
        impl Not for $vector {
            type Output = Self;
            #[inline(always)]
            fn not(self) -> Self {
                self ^ Self::all(!0)
            }
        }
    };
}

operators! { Plain,
    BitAnd bitand |a: Plain, b| a.zip(b, |x, y| x & y);
    BitOr bitor |a: Plain, b| a.zip(b, |x, y| x | y);
    BitXor bitxor |a: Plain, b| a.zip(b, |x, y| x ^ y);
    Add add |a: Plain, b| a.zip(b, u16::wrapping_add);
    Sub sub |a: Plain, b| a.zip(b, u16::wrapping_sub);
}

impl Vector for Plain {
    #[inline(always)]
    fn load(from: &Store) -> Self {
        Plain(from.0)
    }
    #[inline(always)]
    fn store(self, to: &mut Store) {
        to.0 = self.0
    }
    #[inline(always)]
    fn all(value: u16) -> Self {
        Plain([value; LANES])
    }
    #[inline(always)]
    fn shl<const K: i32>(self) -> Self {
        self.map(|x| x << K)
    }
    #[inline(always)]
    fn shr<const K: i32>(self) -> Self {
        self.map(|x| x >> K)
    }
    #[inline(always)]
    fn times(self, other: Self) -> Self {
        self.zip(other, u16::wrapping_mul)
    }
    #[inline(always)]
    fn times_high(self, other: Self) -> Self {
        self.zip(other, |x, y| ((x as u32 * y as u32) >> 16) as u16)
    }
    #[inline(always)]
    fn equals(self, other: Self) -> Self {
        self.zip(other, |x, y| if x == y { !0 } else { 0 })
    }
    #[inline(always)]
    fn greater(self, other: Self) -> Self {
        self.zip(other, |x, y| if x as i16 > y as i16 { !0 } else { 0 })
    }
    #[inline(always)]
    fn count(self) -> Self {
        self.map(|x| {
            let x = x - (x >> 1 & 0x5555);
            let x = (x & 0x3333) + (x >> 2 & 0x3333);
            let x = (x + (x >> 4)) & 0x0f0f;
            (x + (x >> 8)) & 0x1f
        })
    }
    #[inline(always)]
    fn or_else(self, mask: Self, other: Self) -> Self {
        self & mask | other & !mask
    }
    #[inline(always)]
    fn any(self) -> bool {
        self.0.iter().fold(0, |all, x| all | x) != 0
    }
    #[inline(always)]
    fn lanes(self) -> u32 {
        (0..LANES).map(|i| (self.0[i] as u32 & 1) << i).sum()
    }
}

#[cfg(target_arch = "x86_64")]
pub(super) mod avx2 {
    use super::super::{Finish, Start, Watch, run_lanes};
    use super::*;
    use std::arch::x86_64::*;

    /// The whole playout loop, compiled for AVX2.
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
    pub(in super::super) fn run<const N: usize, W: Watch>(
        next: &mut dyn FnMut() -> Option<Start>,
        done: &mut dyn FnMut(usize, &Finish),
        watch: &mut W,
    ) {
        run_lanes::<N, true, Avx2, W>(N, next, done, watch)
    }

    /// Private to this module, so that none exists outside of `run`: where AVX2 is.
    #[derive(Clone, Copy)]
    struct Avx2(__m256i);

    // SAFETY (of every block below): the instructions are AVX2's, and an `Avx2` is made only inside `run`,
    // which may only be called where AVX2 is.
    macro_rules! avx2 {
        ($e:expr) => {
            // SAFETY: the instructions are AVX2's, and an `Avx2` is made only inside `run`.
            Avx2(unsafe { $e })
        };
    }

    operators! { Avx2,
        BitAnd bitand |a: Avx2, b: Avx2| avx2!(_mm256_and_si256(a.0, b.0));
        BitOr bitor |a: Avx2, b: Avx2| avx2!(_mm256_or_si256(a.0, b.0));
        BitXor bitxor |a: Avx2, b: Avx2| avx2!(_mm256_xor_si256(a.0, b.0));
        Add add |a: Avx2, b: Avx2| avx2!(_mm256_add_epi16(a.0, b.0));
        Sub sub |a: Avx2, b: Avx2| avx2!(_mm256_sub_epi16(a.0, b.0));
    }

    impl Vector for Avx2 {
        #[inline(always)]
        fn load(from: &Store) -> Self {
            // `Store` is 32 bytes, aligned to 32.
            avx2!(_mm256_load_si256(from.0.as_ptr().cast()))
        }
        #[inline(always)]
        fn store(self, to: &mut Store) {
            // SAFETY: as above, and `Store` is 32 bytes, aligned to 32.
            unsafe { _mm256_store_si256(to.0.as_mut_ptr().cast(), self.0) }
        }
        #[inline(always)]
        fn all(value: u16) -> Self {
            avx2!(_mm256_set1_epi16(value as i16))
        }
        #[inline(always)]
        fn shl<const K: i32>(self) -> Self {
            avx2!(_mm256_slli_epi16::<K>(self.0))
        }
        #[inline(always)]
        fn shr<const K: i32>(self) -> Self {
            avx2!(_mm256_srli_epi16::<K>(self.0))
        }
        #[inline(always)]
        fn times(self, other: Self) -> Self {
            avx2!(_mm256_mullo_epi16(self.0, other.0))
        }
        #[inline(always)]
        fn times_high(self, other: Self) -> Self {
            avx2!(_mm256_mulhi_epu16(self.0, other.0))
        }
        #[inline(always)]
        fn equals(self, other: Self) -> Self {
            avx2!(_mm256_cmpeq_epi16(self.0, other.0))
        }
        #[inline(always)]
        fn greater(self, other: Self) -> Self {
            avx2!(_mm256_cmpgt_epi16(self.0, other.0))
        }
        #[inline(always)]
        fn count(self) -> Self {
            // By nibbles from a table; the ninth bit is its own count.
            let low = self & Self::all(0x0f);
            let high = self.shr::<4>() & Self::all(0x0f);
            avx2!({
                let bits = _mm256_setr_epi8(
                    0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,
                );
                _mm256_add_epi16(_mm256_shuffle_epi8(bits, low.0), _mm256_shuffle_epi8(bits, high.0))
            }) + self.shr::<8>()
        }
        #[inline(always)]
        fn or_else(self, mask: Self, other: Self) -> Self {
            avx2!(_mm256_blendv_epi8(other.0, self.0, mask.0))
        }
        #[inline(always)]
        fn any(self) -> bool {
            // SAFETY: as above.
            // SAFETY: as above.
            unsafe { _mm256_testz_si256(self.0, self.0) == 0 }
        }
        #[inline(always)]
        fn lanes(self) -> u32 {
            // SAFETY: as above. Two equal bits for each lane: keep one.
            // SAFETY: as above.
            let bits = unsafe { _mm256_movemask_epi8(self.0) } as u32;
            let mut lanes = bits & 0x5555_5555;
            lanes = (lanes | lanes >> 1) & 0x3333_3333;
            lanes = (lanes | lanes >> 2) & 0x0f0f_0f0f;
            lanes = (lanes | lanes >> 4) & 0x00ff_00ff;
            (lanes | lanes >> 8) & 0xffff
        }
    }
}

//! Newtypes over `f64` for amounts of memory, time, work and rates.
//!
//! Constructors and accessors are named by unit. Values are never NaN: a division by a zero
//! rate gives [`Seconds::NEVER`].

use std::iter::Sum;
use std::ops::{Add, AddAssign, Div, Mul, Sub};

use serde::{Deserialize, Serialize};

macro_rules! quantity {
    ($(#[$meta:meta])* $name:ident) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(f64);

        impl $name {
            pub const ZERO: Self = Self(0.0);

            /// The value in the base unit of the type.
            pub const fn base(self) -> f64 {
                self.0
            }

            #[must_use]
            pub const fn max(self, other: Self) -> Self {
                Self(self.0.max(other.0))
            }

            #[must_use]
            pub const fn min(self, other: Self) -> Self {
                Self(self.0.min(other.0))
            }

            /// `self / other`, 0 when `other` is 0.
            pub fn ratio(self, other: Self) -> f64 {
                if other.0 == 0.0 { 0.0 } else { self.0 / other.0 }
            }
        }

        impl Add for $name {
            type Output = Self;
            fn add(self, other: Self) -> Self {
                Self(self.0 + other.0)
            }
        }

        impl AddAssign for $name {
            fn add_assign(&mut self, other: Self) {
                self.0 += other.0;
            }
        }

        impl Sub for $name {
            type Output = Self;
            fn sub(self, other: Self) -> Self {
                Self(self.0 - other.0)
            }
        }

        impl Mul<f64> for $name {
            type Output = Self;
            fn mul(self, factor: f64) -> Self {
                Self(self.0 * factor)
            }
        }

        impl Div<f64> for $name {
            type Output = Self;
            fn div(self, divisor: f64) -> Self {
                Self(if divisor == 0.0 { 0.0 } else { self.0 / divisor })
            }
        }

        impl Sum for $name {
            fn sum<I: Iterator<Item = Self>>(iter: I) -> Self {
                iter.fold(Self::ZERO, Add::add)
            }
        }
    };
}

quantity!(
    /// An amount of memory or traffic, in bytes.
    Bytes
);
quantity!(
    /// A bandwidth in one direction, in bytes per second.
    BytesPerSecond
);
quantity!(
    /// A port speed in one direction, in bits per second.
    BitsPerSecond
);
quantity!(
    /// A duration.
    Seconds
);
quantity!(
    /// An amount of floating-point work.
    Flop
);
quantity!(
    /// A rate of floating-point work.
    FlopPerSecond
);
quantity!(
    /// Electric power.
    Watts
);

const GIB: f64 = 1_073_741_824.0;

impl Bytes {
    pub const fn new(bytes: f64) -> Self {
        Self(bytes)
    }

    /// `n` × 2^30 bytes.
    pub const fn gib(n: f64) -> Self {
        Self(n * GIB)
    }

    /// `n` × 10^9 bytes.
    pub const fn gb(n: f64) -> Self {
        Self(n * 1e9)
    }

    pub const fn as_gib(self) -> f64 {
        self.0 / GIB
    }

    pub const fn as_gb(self) -> f64 {
        self.0 / 1e9
    }

    /// Time to move this much at `rate`; [`Seconds::NEVER`] at rate 0.
    pub fn over(self, rate: BytesPerSecond) -> Seconds {
        if self.0 == 0.0 {
            Seconds::ZERO
        } else if rate.0 <= 0.0 {
            Seconds::NEVER
        } else {
            Seconds(self.0 / rate.0)
        }
    }
}

impl BytesPerSecond {
    /// `n` × 10^9 bytes per second, one way.
    pub const fn gb_s(n: f64) -> Self {
        Self(n * 1e9)
    }

    pub const fn as_gb_s(self) -> f64 {
        self.0 / 1e9
    }
}

impl BitsPerSecond {
    /// `n` × 10^9 bits per second, one way.
    pub const fn gbps(n: f64) -> Self {
        Self(n * 1e9)
    }

    pub const fn as_gbps(self) -> f64 {
        self.0 / 1e9
    }

    /// The same speed in bytes.
    pub const fn bytes(self) -> BytesPerSecond {
        BytesPerSecond(self.0 / 8.0)
    }
}

impl Seconds {
    /// The duration of what cannot happen: a transfer at rate 0.
    pub const NEVER: Self = Self(f64::INFINITY);

    pub const fn new(seconds: f64) -> Self {
        Self(seconds)
    }

    pub const fn micros(n: f64) -> Self {
        Self(n * 1e-6)
    }

    pub const fn millis(n: f64) -> Self {
        Self(n * 1e-3)
    }

    pub const fn hours(n: f64) -> Self {
        Self(n * 3600.0)
    }

    pub const fn days(n: f64) -> Self {
        Self(n * 86400.0)
    }

    pub const fn as_seconds(self) -> f64 {
        self.0
    }

    pub const fn as_millis(self) -> f64 {
        self.0 * 1e3
    }

    pub const fn as_hours(self) -> f64 {
        self.0 / 3600.0
    }

    pub const fn as_days(self) -> f64 {
        self.0 / 86400.0
    }
}

impl Flop {
    pub const fn new(flop: f64) -> Self {
        Self(flop)
    }

    /// Time to do this much at `rate`; [`Seconds::NEVER`] at rate 0.
    pub fn over(self, rate: FlopPerSecond) -> Seconds {
        if self.0 == 0.0 {
            Seconds::ZERO
        } else if rate.0 <= 0.0 {
            Seconds::NEVER
        } else {
            Seconds(self.0 / rate.0)
        }
    }
}

impl FlopPerSecond {
    /// `n` × 10^12 per second.
    pub const fn tflops(n: f64) -> Self {
        Self(n * 1e12)
    }

    pub const fn as_tflops(self) -> f64 {
        self.0 / 1e12
    }
}

impl Watts {
    pub const fn new(watts: f64) -> Self {
        Self(watts)
    }

    pub const fn kilowatts(n: f64) -> Self {
        Self(n * 1e3)
    }
}

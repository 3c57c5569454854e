//! Time of one matmul on one GPU (STUDY_TIME.md 2.1).

use super::constants::{GEMM_DEPTH, GEMM_REFERENCE, GEMM_SIZE, GROUPED, TILE_EXPONENT};

/// What matmuls of one precision run at.
#[derive(Clone, Copy, Debug)]
pub(super) struct Engine {
    /// FLOP/s of a matmul without losses.
    pub(super) rate: f64,
    /// Elements at which a side costs twice, scaled to this GPU.
    size: f64,
    depth: f64,
    /// B/s.
    hbm: f64,
    processors: f64,
    /// Every tile is full: a bound, not an estimate.
    perfect: bool,
}

/// Work and time of matmuls.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Work {
    pub(super) flop: f64,
    pub(super) seconds: f64,
}

impl Work {
    pub(super) fn scaled(self, factor: f64) -> Self {
        Self { flop: self.flop * factor, seconds: self.seconds * factor }
    }

    pub(super) fn plus(self, other: Self) -> Self {
        Self { flop: self.flop + other.flop, seconds: self.seconds + other.seconds }
    }
}

/// How often each of the three matmuls of a linear layer runs in one micro-batch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Passes {
    pub(super) forward: f64,
    pub(super) input_gradient: f64,
    pub(super) weight_gradient: f64,
}

impl Engine {
    pub(super) fn new(ceiling: f64, efficiency: f64, hbm: f64, processors: f64) -> Self {
        let scale = (ceiling / GEMM_REFERENCE.value).sqrt();
        Self {
            rate: ceiling * efficiency,
            size: GEMM_SIZE.value * scale,
            depth: GEMM_DEPTH.value * scale,
            hbm,
            processors,
            perfect: false,
        }
    }

    /// The same without losses to half-filled tiles and waves.
    pub(super) const fn perfect(self, perfect: bool) -> Self {
        Self { perfect, ..self }
    }

    /// A linear layer from `k` to `n` features over `m` tokens, all its passes.
    pub(super) fn linear(&self, m: f64, n: f64, k: f64, passes: Passes) -> Work {
        let mut work = self.one(m, n, k).scaled(passes.forward);
        work = work.plus(self.one(m, k, n).scaled(passes.input_gradient));
        if passes.weight_gradient > 0.0 {
            work = work.plus(self.one(n, k, m).scaled(passes.weight_gradient));
        }
        work
    }

    /// The same for the experts of one GPU as a grouped kernel.
    pub(super) fn grouped(&self, m: f64, n: f64, k: f64, passes: Passes) -> Work {
        let flop = 2.0 * m * n * k * (passes.forward + passes.input_gradient);
        let backward = 2.0 * m * n * k * passes.weight_gradient;
        let factor = self.losses(m, n, k);
        let seconds = |flop: f64| flop * factor / (self.rate * GROUPED.value);
        let bytes = 2.0 * (m * k + k * n + m * n) / self.hbm;
        let count = passes.forward + passes.input_gradient + passes.weight_gradient;
        Work { flop: flop + backward, seconds: norm4(seconds(flop + backward), bytes * count) }
    }

    /// Work and time of C(m, n) = A(m, k) B(k, n).
    fn one(&self, m: f64, n: f64, k: f64) -> Work {
        let flop = 2.0 * m * n * k;
        if flop <= 0.0 || self.rate <= 0.0 {
            return Work { flop, seconds: if flop > 0.0 { f64::INFINITY } else { 0.0 } };
        }
        let fill =
            if self.perfect { 1.0 } else { libm::pow(self.fill(m, n), -TILE_EXPONENT.value) };
        let compute = flop / self.rate * self.losses(m, n, k) * fill;
        let bytes = 2.0 * (m * k + k * n + m * n) / self.hbm;
        Work { flop, seconds: norm4(compute, bytes) }
    }

    /// Factor by which small sides slow a matmul.
    fn losses(&self, m: f64, n: f64, k: f64) -> f64 {
        (1.0 + self.size / m) * (1.0 + self.size / n) * (1.0 + self.depth / k)
    }

    /// Useful share of the best tiling: waves of tiles over the processors, each tile size with
    /// its own weight.
    fn fill(&self, m: f64, n: f64) -> f64 {
        const TILES: [(f64, f64, f64); 4] =
            [(128.0, 256.0, 1.0), (128.0, 128.0, 0.93), (128.0, 64.0, 0.80), (64.0, 64.0, 0.62)];
        TILES.iter().fold(1e-3, |best: f64, &(rows, columns, weight)| {
            let tiles = (m / rows).ceil() * (n / columns).ceil();
            let waves = (tiles / self.processors).ceil();
            best.max(weight * m * n / (waves * self.processors * rows * columns))
        })
    }
}

fn norm4(a: f64, b: f64) -> f64 {
    let (a2, b2) = (a * a, b * b);
    (a2 * a2 + b2 * b2).sqrt().sqrt()
}

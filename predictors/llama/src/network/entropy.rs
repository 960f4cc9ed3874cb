//! The cross-entropy of what should come next, and its gradient.

use candle_core::Result;

use super::kernels::{add, exp, highest, sum, wide};
use super::product::{Numbers, product};

/// Logits that are held at once.
const LOGITS_MAX: usize = 1 << 20;

/// The sum of the losses in nats, and where asked for its gradients: that of the rows and that of the table.
#[derive(Debug)]
pub(crate) struct Entropy {
    pub(crate) loss: f64,
    pub(crate) gradients: Option<(Vec<f32>, Numbers)>,
}

/// The cross-entropy of each target after its row, rows being `[n_targets, width]` and the table `[vocabulary, width]`.
/// Gradients are those of the sum of the losses times `scale`; without one there are none.
pub(crate) fn entropy(
    rows: &Numbers,
    width: usize,
    table: &Numbers,
    targets: &[u32],
    scale: Option<f32>,
) -> Result<Entropy> {
    let n_tokens = table.as_slice().len() / width.max(1);
    let n_rows = (LOGITS_MAX / n_tokens.max(1)).max(1);
    let mut loss = 0.0;
    let mut rows_gradient = Vec::with_capacity(if scale.is_some() { targets.len() * width } else { 0 });
    let mut table_gradient = Numbers::zeros(if scale.is_some() { table.as_slice().len() } else { 0 });
    for (idx, targets) in targets.chunks(n_rows).enumerate() {
        let part = rows.part(idx * n_rows * width, (targets.len(), width), width);
        let mut logits = product(part, table.rows(width).t())?;
        for (row, &target) in logits.as_mut_slice().chunks_exact_mut(n_tokens).zip(targets) {
            loss += row_entropy(row, target, scale)?;
        }
        if scale.is_some() {
            let slopes = logits.rows(n_tokens);
            rows_gradient.extend_from_slice(product(slopes, table.rows(width))?.as_slice());
            add(table_gradient.as_mut_slice(), product(slopes.t(), part)?.as_slice());
        }
    }
    Ok(Entropy {
        loss,
        gradients: scale.map(|_| (rows_gradient, table_gradient)),
    })
}

/// The loss of one row; where asked for, turns the logits into its gradient.
fn row_entropy(row: &mut [f32], target: u32, scale: Option<f32>) -> Result<f64> {
    let target = target as usize;
    let Some(&logit) = row.get(target) else {
        candle_core::bail!("token {target} is none of the {} of the vocabulary", row.len());
    };
    let top = wide(|| highest(row));
    let total = wide(|| {
        for number in &mut *row {
            *number = exp(*number - top);
        }
        sum(row)
    });
    if let Some(scale) = scale {
        let factor = scale / total;
        wide(|| {
            for number in &mut *row {
                *number *= factor;
            }
        });
        if let Some(number) = row.get_mut(target) {
            *number -= scale;
        }
    }
    Ok(f64::from(total.ln()) - f64::from(logit - top))
}

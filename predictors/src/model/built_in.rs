//! The models that come with the program; `predictors/models/make.sh` makes them.

use std::path::Path;

use super::{LoadError, Model, ModelKind};

/// The bytes of the model that comes with the program.
fn bytes(kind: ModelKind) -> &'static [u8] {
    match kind {
        ModelKind::Ngram => include_bytes!("../../models/ngram.model"),
        ModelKind::Xgboost => include_bytes!("../../models/xgboost.model"),
        ModelKind::Lstm => include_bytes!("../../models/lstm.model"),
    }
}

impl Model {
    /// The model of a kind that comes with the program.
    ///
    /// # Errors
    /// As those of [`load`](Self::load), which would be a mistake of whoever made the program.
    pub fn built_in(kind: ModelKind) -> Result<Self, LoadError> {
        let named = |reason| LoadError::new(Path::new(kind.name()), reason);
        Self::read(bytes(kind)).map_err(named)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_models_that_come_along_are_sound_and_small() {
        let mut n_bytes = 0;
        for kind in ModelKind::ALL {
            let model = Model::built_in(kind).unwrap();
            assert_eq!(model.card().kind, kind);
            n_bytes += bytes(kind).len();
        }
        assert!(n_bytes < 8_000_000, "{n_bytes} bytes");
    }
}

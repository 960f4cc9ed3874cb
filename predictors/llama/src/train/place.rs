//! Where a model is trained.

use candle_core::Device;

use super::TrainError;

/// Where a model is trained: on the processor or on another device.
///
/// Only on the processor do the same settings give the same bytes everywhere; other devices add numbers up in an order
/// that changes.
#[derive(Clone, Debug, Default)]
pub struct Place(pub(crate) Option<Device>);

impl Place {
    /// The processor.
    pub fn processor() -> Self {
        Self::default()
    }

    /// The first CUDA device.
    ///
    /// # Errors
    /// [`TrainError::Device`] where there is none, and where the program was built without the feature `cuda`.
    pub fn cuda() -> Result<Self, TrainError> {
        if !candle_core::utils::cuda_is_available() {
            let reason = "this program was built without the feature `cuda`";
            return Err(TrainError::Device(reason.to_owned()));
        }
        let device = Device::new_cuda(0).map_err(|error| TrainError::Device(error.to_string()))?;
        Ok(Self(Some(device)))
    }

    /// The first CUDA device where there is one that can be used, else the processor.
    pub fn best() -> Self {
        Self::cuda().unwrap_or_default()
    }

    /// `cpu` or `cuda`.
    pub fn name(&self) -> &'static str {
        match &self.0 {
            Some(device) if device.is_cuda() => "cuda",
            _ => "cpu",
        }
    }
}

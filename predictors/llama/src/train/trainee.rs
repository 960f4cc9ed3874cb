//! What is trained, wherever it lies.

use std::borrow::Cow;

use candle_core::Device;

use super::TrainError;
use super::device::OnDevice;
use super::host::{Host, Stop, Taken};
use super::optimizer::Moments;
use super::settings::Settings;
use super::windows::Windows;
use super::{Halt, Place};
use crate::network::{Leaf, LlamaNetwork};

/// A model under training.
#[derive(Debug)]
pub(crate) enum Trainee {
    Host(Box<Host>),
    Device(Box<OnDevice>),
}

impl Trainee {
    /// Puts a model to the place where it is trained.
    pub(crate) fn new(host: Host, place: &Place) -> Result<Self, TrainError> {
        match place.device() {
            None => Ok(Self::Host(Box::new(host))),
            Some(device) => Ok(Self::Device(Box::new(OnDevice::new(host, device)?))),
        }
    }

    fn host(&self) -> &Host {
        match self {
            Self::Host(host) => host,
            Self::Device(on_device) => &on_device.host,
        }
    }

    /// The names and shapes of what is trained, in the order of the values.
    pub(crate) fn leaves(&self) -> &[Leaf] {
        &self.host().trained
    }

    /// The values of what is trained.
    pub(crate) fn values(&self) -> Result<Vec<Cow<'_, [f32]>>, TrainError> {
        match self {
            Self::Host(host) => Ok(host.values().into_iter().map(Cow::Borrowed).collect()),
            Self::Device(on_device) => Ok(on_device.values()?.into_iter().map(Cow::Owned).collect()),
        }
    }

    /// The moments.
    pub(crate) fn moments(&self) -> Result<Cow<'_, Moments>, TrainError> {
        match self {
            Self::Host(host) => Ok(Cow::Borrowed(&host.moments)),
            Self::Device(on_device) => Ok(Cow::Owned(on_device.moments()?)),
        }
    }

    /// Learns from the windows of a step, counted from 0, that come in batches. The gradient is that of the mean loss.
    pub(crate) fn learn(
        &mut self,
        settings: &Settings,
        windows: &Windows,
        batches: &[Vec<usize>],
        at: (usize, f64),
        halt: &(dyn Fn() -> Option<Halt> + Sync),
    ) -> Result<Taken, Stop> {
        match self {
            Self::Host(host) => host.learn(settings, windows, batches, at, halt),
            Self::Device(on_device) => on_device.learn(settings, windows, batches, at, halt),
        }
    }

    /// The losses of windows that come in batches.
    pub(crate) fn measure(
        &self,
        windows: &Windows,
        batches: &[Vec<usize>],
        halt: &(dyn Fn() -> Option<Halt> + Sync),
    ) -> Result<Taken, Stop> {
        match self {
            Self::Host(host) => host.measure(windows, batches, halt),
            Self::Device(on_device) => on_device.measure(windows, batches, halt),
        }
    }

    /// The network with these values, adapters merged.
    pub(crate) fn into_network(self, values: &[Vec<f32>]) -> Result<LlamaNetwork, TrainError> {
        let mut host = match self {
            Self::Host(host) => *host,
            Self::Device(on_device) => on_device.host,
        };
        host.set_values(values);
        host.into_network()
    }
}

impl Place {
    /// The device of the tensor library; none for the processor, on which passes are written out by hand.
    pub(crate) fn device(&self) -> Option<&Device> {
        self.0.as_ref()
    }
}

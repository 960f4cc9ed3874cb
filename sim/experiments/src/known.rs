//! What settings there are.

/// What is known of the options of `napsim run`.
#[derive(Clone, Debug, Default)]
pub struct KnownSettings {
    /// The options that a variant may set.
    pub settings: Vec<Setting>,
    /// Names of options, with `-`, that exist but say how a command is carried out and not what is measured.
    pub command_line_only: Vec<String>,
}

/// One option that a variant may set.
#[derive(Clone, Debug)]
pub struct Setting {
    /// Its name on the command line without the leading dashes: `max-actions`.
    pub name: String,
    /// Whether it is given or not given and takes no value; a file says `true` or `false`.
    pub is_flag: bool,
    /// Whether it may be given several times; a file then gives a list.
    pub is_list: bool,
}

impl KnownSettings {
    /// The setting of that name, which is written with `-`.
    pub fn setting(&self, name: &str) -> Option<&Setting> {
        self.settings.iter().find(|setting| setting.name == name)
    }

    /// Whether an option of that name, which is written with `-`, belongs to the command line.
    pub(crate) fn is_command_line_only(&self, name: &str) -> bool {
        self.command_line_only.iter().any(|known| known == name)
    }
}

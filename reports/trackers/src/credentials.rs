//! How a server is told who exports.

use napsim_remote::Secret;

/// What a server wants to see before it takes anything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Credentials {
    /// A token, sent as `Bearer`.
    Token(Secret),
    /// A name and a password.
    Password {
        /// The name.
        user: String,
        /// The password.
        password: Secret,
    },
}

impl Credentials {
    /// What no message may repeat.
    pub(crate) fn secret(&self) -> &Secret {
        match self {
            Self::Token(token) => token,
            Self::Password { password, .. } => password,
        }
    }

    /// Name and password as they are sent, which in base64 look otherwise than the password alone.
    pub(crate) fn pair(&self) -> Option<Secret> {
        match self {
            Self::Token(_) => None,
            Self::Password { user, password } => Secret::new(&format!("{user}:{}", password.expose())),
        }
    }
}

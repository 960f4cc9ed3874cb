//! Words of the command line that stand for the choices of a library.

/// An enumeration for the command line with the same variants as one of a library.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident => $target:ident { $($(#[$word_doc:meta])* $word:ident,)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, clap::ValueEnum)]
        enum $name {
            $($(#[$word_doc])* $word,)+
        }

        impl From<$name> for $target {
            fn from(word: $name) -> Self {
                match word {
                    $($name::$word => Self::$word,)+
                }
            }
        }
    };
}

pub(super) use words;

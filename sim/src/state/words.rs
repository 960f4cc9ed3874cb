//! Texts that states hold over and over, allocated once, so that equal ones share their memory.

use std::sync::{Arc, LazyLock};

macro_rules! words {
    ($($name:ident $text:literal;)*) => {
        $(pub(crate) static $name: LazyLock<Arc<str>> = LazyLock::new(|| Arc::from($text));)*
    };
}

words! {
    LINE_STYLE "lineStyle";
    COLOR "color";
    PATTERN_TYPE "patternType";
    FG_COLOR "fgColor";
    SOLID "solid";
    THIN "thin";
    DASHED "dashed";
    DASHDOT "dashdot";
    DASHDOTDOT "dashdotdot";
    DOTTED "dotted";
    DOUBLE "double";
    SLANTDASHDOT "slantdashdot";
}

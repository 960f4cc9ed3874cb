//! The faults that a toy can have.

/// What is wrong with a toy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    None,
    Silent,
    Mute,
    PanicsWhenMade,
    PanicsWhenDropped,
    /// Numbers of instances instead of the seed.
    RandomByInstance,
    /// Counts its calls and never begins anew.
    CountsForEver,
    /// Remembers answers by history and forgets that seeds differ.
    CachesAcrossSeeds,
    RefusesLargeSeeds,
    PanicsOnEmptyHistory,
    /// Answers by the size of the last piece told.
    CountsPieces,
    LearnsFromQuestions,
    KnowsNotEveryAction,
    PanicsOnEmoji,
    PanicsOnApostrophesInSheets,
    RowsInSixteenBits,
    NanConfidence,
    PercentConfidence,
    Unreadable,
    HalfUnreadable,
    Unprintable,
    AlwaysThree,
    TooManyIfFree,
    /// Takes a trajectory of the same name for the same one, once it was left.
    GoesOnAfterRewind,
    /// Remembers a long trajectory.
    RemembersLong,
    RemembersRefusals,
    SharesItsHistory,
    PanicsWhenNothingIsRefused,
    WithdrawsAtRandom,
    ContextTooLong,
    Quadratic,
    GivesUpAfterManyCalls,
    AccumulatesInRollouts,
    FingerprintByInstance,
    FingerprintByUse,
    NoFingerprint,
    /// Fails on emoji, and on everything after it.
    NeverRecovers,
}

//! Language models that others serve, and their options, which all providers share.

use super::{COUNT, FLAG, OptionInfo, PredictorInfo};
use crate::registry::remote_model;

/// Options of language models that others serve.
static REMOTE_OPTIONS: &[OptionInfo] = &[
    option(
        "context",
        "32",
        "`all` or a whole number from 1",
        "how many of the last actions it sees",
    ),
    option(
        "context_block",
        "1",
        COUNT,
        "how many of the oldest actions it forgets at once; more lets providers reuse what they have read",
    ),
    option(
        "max_actions",
        "none",
        "`none` or a whole number from 1 to 1000",
        "most actions it is asked for at once",
    ),
    option(
        "max_tokens",
        "auto",
        "`auto` or a whole number from 1 to 1000000",
        "most tokens of one answer, reasoning included; auto: 4096, and 256 for api=completion",
    ),
    option(
        "api",
        "auto",
        "`auto`, `chat`, `responses`, `completion` or `messages`",
        "how it is asked: by messages, or with a text that it continues; auto: the provider's usual one",
    ),
    option(
        "effort",
        "default",
        "a word such as `low`",
        "how much a reasoning model thinks, in the provider's words",
    ),
    option(
        "temperature",
        "0",
        "`default` or a number from 0 to 2",
        "0 takes the likeliest token; not sent to models that refuse it; default: the server's",
    ),
    option(
        "top_p",
        "default",
        "`default` or a number from 0 to 2",
        "tokens are drawn from the likeliest ones that have this probability together",
    ),
    option(
        "sheet_view",
        "none",
        "`none`, `markdown` or `cells`",
        "whether it sees the sheet around the last action, and how",
    ),
    option(
        "structured",
        "false",
        FLAG,
        "whether it must answer with a JSON object of a schema",
    ),
    option("intent", "false", FLAG, "whether it first says what the user is after"),
    option(
        "stop_sentence",
        "false",
        FLAG,
        "whether it is told to write STOP when it is unsure",
    ),
    option(
        "shorten",
        "true",
        FLAG,
        "whether long values of the history are shortened, as published",
    ),
    option(
        "reading",
        "corrected",
        "`corrected` or `published`",
        "how answers are read; published: with the quirks of the published system",
    ),
    option(
        "confidence",
        "0",
        "a number from 0 to 1",
        "least mean probability of the tokens of an action with which it is proposed, where the server tells it",
    ),
    option(
        remote_model::BASE_URL,
        "",
        "the address of a server",
        "where the server is; also --base-url",
    ),
    option(
        "system_prompt",
        "",
        "the path of a file",
        "template of the system message; also --system-prompt",
    ),
    option(
        "user_prompt",
        "",
        "the path of a file",
        "template of the user's message; also --user-prompt",
    ),
    option(
        "completion_prompt",
        "",
        "the path of a file",
        "template for api=completion; also --completion-prompt",
    ),
];

const fn option(
    name: &'static str,
    default: &'static str,
    expected: &'static str,
    summary: &'static str,
) -> OptionInfo {
    OptionInfo {
        name,
        default,
        expected,
        summary,
    }
}

pub(super) const fn provider(name: &'static str, summary: &'static str) -> PredictorInfo {
    PredictorInfo {
        name,
        summary,
        options: REMOTE_OPTIONS,
        read: remote_model::read,
    }
}

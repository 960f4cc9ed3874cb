//! `kill -9` at any instant costs at most the units that were being measured.

use std::process::Stdio;
use std::thread;
use std::time::Duration;

use super::units;
use crate::command::Folder;

const EXPERIMENT: &str = "\
name = \"killed\"
first = 16

[grid]
stride = [1, 2, 3, 4]
";

/// The longest that a sweep is left alone, which is about as long as it takes.
const DELAY_MS_MAX: u64 = 400;

/// How often a sweep is killed, unless `NAPSIM_KILLS` says otherwise.
const KILLS: u32 = 50;

#[test]
fn killed_sweeps_go_on_to_the_same_bytes() {
    let folder = Folder::new();
    folder.write("killed.toml", EXPERIMENT);
    let report = folder.napsim("sweep killed.toml --store whole --quiet").output(0);
    let expected = units(&folder, "whole");
    assert_eq!(expected.len(), 4 * 16);
    let n_kills = std::env::var("NAPSIM_KILLS")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(KILLS);
    let (mut n_killed, mut n_stores, mut random) = (0, 0, 0x2545_f491_4f6c_dd1d_u64);
    while n_killed < n_kills {
        let store = format!("store-{n_stores}");
        let line = format!("sweep killed.toml --store {store} --quiet");
        let mut child = folder
            .command(line.split(' '))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        thread::sleep(Duration::from_millis(random % DELAY_MS_MAX));
        let is_over = child.try_wait().unwrap().is_some();
        child.kill().unwrap();
        child.wait().unwrap();
        n_killed += u32::from(!is_over);
        // Every record that is there is whole, at every instant.
        if folder.path(&store).join("store.json").exists() {
            folder.napsim(&format!("verify --store {store} --seals-only")).output(0);
        }
        if is_over || n_killed == n_kills {
            assert_eq!(folder.napsim(&line).output(0), report);
            assert!(units(&folder, &store) == expected, "after {n_killed} kills");
            let left = folder
                .files(&store)
                .into_iter()
                .filter(|(name, _)| name.ends_with(".tmp"))
                .count();
            assert_eq!(left, 0, "what was half written is gone");
            n_stores += 1;
        }
    }
}

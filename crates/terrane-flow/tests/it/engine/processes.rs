//! Several processes that share a cache folder.

use std::path::PathBuf;
use std::process::Command;

use terrane_flow::cache::DiskCache;
use terrane_flow::testing::{Toys, number};

use super::support::{chain, on_disk, run};

const FOLDER: &str = "TERRANE_FLOW_TEST_FOLDER";

fn sums(toys: &Toys) -> std::sync::Arc<terrane_flow::Loaded> {
    toys.graph(&chain(60))
}

#[test]
fn processes_sharing_a_folder_agree_and_leave_it_undamaged() {
    let folder = tempfile::tempdir().unwrap();
    let children: Vec<_> = (0..3)
        .map(|_| {
            Command::new(std::env::current_exe().unwrap())
                .args(["--exact", "engine::processes::one_of_the_processes", "--ignored"])
                .env(FOLDER, folder.path())
                .spawn()
                .unwrap()
        })
        .collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    let disk = DiskCache::new(folder.path(), 1 << 20);
    assert!(disk.verify().is_empty());
    assert_eq!(disk.usage().temporaries, 0);
    let toys = Toys::default();
    assert!(run(&on_disk(folder.path()), &sums(&toys), &["n59"]).ran().is_empty());
}

#[test]
#[ignore = "run by the test above, in separate processes"]
fn one_of_the_processes() {
    let Some(folder) = std::env::var_os(FOLDER).map(PathBuf::from) else { return };
    let toys = Toys::default();
    for _ in 0..20 {
        let evaluation = run(&on_disk(&folder), &sums(&toys), &["n59", "n30"]);
        assert_eq!((number(&evaluation, 0), number(&evaluation, 1)), (Some(60.0), Some(31.0)));
    }
}

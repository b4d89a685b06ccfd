//! Reading the file itself: what is said where there is none, or no text in it.

use std::fs;
use std::path::Path;

use experiments::sweep_file::load;
use tempfile::TempDir;

const RULE: &str = "[[rule]]\nkind = \"none\"\n";

/// What is said about a path, with the folder's name taken out.
fn said(folder: &TempDir, path: &Path) -> String {
    let error = load(path, &[], None).expect_err("it cannot be read");
    error.to_string().replace(&folder.path().display().to_string(), "DIR")
}

fn folder(files: &[(&str, &[u8])]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in files {
        fs::write(folder.path().join(name), bytes).unwrap();
    }
    folder
}

#[test]
fn a_sweep_is_called_by_its_file() {
    let folder = folder(&[("night-shift.toml", RULE.as_bytes())]);
    assert_eq!(load(&folder.path().join("night-shift.toml"), &[], None).unwrap().name, "night-shift");
}

#[test]
fn a_file_name_that_cannot_name_a_folder_is_refused() {
    let folder = folder(&[("my sweep.toml", RULE.as_bytes())]);
    assert_eq!(
        said(&folder, &folder.path().join("my sweep.toml")),
        "DIR/my sweep.toml:1:1: key `name`: the file's own name cannot name the results: the name \"my sweep\" contains ' '; \
         add a line such as name = \"tuning\" (letters, digits, - and _)"
    );
    load(&folder.path().join("my sweep.toml"), &["name=mine".to_owned()], None).unwrap();
}

#[test]
fn a_missing_file_is_looked_for() {
    let folder = folder(&[("tuning.toml", b""), ("small.toml", b""), ("notes.md", b"")]);
    let about = |name: &str| said(&folder, &folder.path().join(name));
    assert_eq!(about("tunning.toml"), "DIR/tunning.toml: there is no such file; did you mean DIR/tuning.toml?");
    assert_eq!(about("x"), "DIR/x: there is no such file; the folder has small.toml, tuning.toml");
    assert_eq!(
        about("a/b.toml"),
        "DIR/a/b.toml: there is no such file, nor a folder DIR/a; check the path; it is taken from the folder in which the \
         command runs"
    );
}

#[test]
fn an_empty_folder_has_nothing_to_offer() {
    let folder = folder(&[]);
    assert_eq!(
        said(&folder, &folder.path().join("x.toml")),
        "DIR/x.toml: there is no such file; check the path; it is taken from the folder in which the command runs"
    );
    assert_eq!(
        said(&folder, folder.path()),
        "DIR: this is a folder, not a sweep file; name a sweep file, such as sweep.toml"
    );
}

#[test]
fn a_folder_is_no_file() {
    let folder = folder(&[("b.toml", b""), ("a.toml", b"")]);
    assert_eq!(
        said(&folder, folder.path()),
        "DIR: this is a folder, not a sweep file; name a file in it, such as DIR/a.toml"
    );
}

#[test]
fn an_empty_file_is_no_sweep() {
    let folder = folder(&[("a.toml", b" \n\n"), ("b.toml", b"")]);
    for name in ["a.toml", "b.toml"] {
        assert_eq!(
            said(&folder, &folder.path().join(name)),
            format!(
                "DIR/{name}: the file is empty; start from sweep.toml, or from the smallest sweep: a line [[rule]] and a line \
                 kind = \"none\""
            )
        );
    }
}

#[test]
fn bytes_that_are_no_text_are_found() {
    let folder =
        folder(&[("a.toml", b"name = \"a\"\n# \xc3\xbc and \xff\n"), ("b.toml", &[0x50, 0x41, 0x52, 0x31, 0x80])]);
    assert_eq!(
        said(&folder, &folder.path().join("a.toml")),
        "DIR/a.toml:2:9: the byte 0xff is no UTF-8 text; save the file as UTF-8; a sweep file is plain TOML text"
    );
    assert!(said(&folder, &folder.path().join("b.toml")).starts_with("DIR/b.toml:1:5: the byte 0x80 is no UTF-8 text"));
}

#[test]
fn windows_line_ends_and_byte_order_marks_are_read() {
    let text = format!("\u{feff}name = \"w\"\r\n{}slots = 3\r\n", RULE.replace('\n', "\r\n"));
    let folder = folder(&[("a.toml", text.as_bytes())]);
    assert!(
        said(&folder, &folder.path().join("a.toml")).starts_with("DIR/a.toml:4:1: key `rule.0.slots`: unknown key")
    );
}

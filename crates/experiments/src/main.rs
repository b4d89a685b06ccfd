//! The command `experiments`.

use std::process::ExitCode;

fn main() -> ExitCode {
    experiments::cli::main()
}

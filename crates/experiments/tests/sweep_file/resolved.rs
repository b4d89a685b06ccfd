//! The resolved sweep: canonical, complete, and a sweep file itself.

use experiments::sweep_file::{Sweep, load, parse};

use crate::{read, repository_file};

fn as_toml(sweep: &Sweep) -> String {
    toml::to_string(&sweep.resolved()).expect("a sweep can be written")
}

fn as_json(sweep: &Sweep) -> String {
    serde_json::to_string(&sweep.resolved()).expect("a sweep can be written")
}

#[test]
fn it_reads_as_the_sweep_that_it_came_from() {
    for file in [
        "sweep.toml",
        "sweeps/tuning.toml",
        "sweeps/reference.toml",
        "sweeps/small.toml",
        "sweeps/careful.toml",
        "sweeps/brownout.toml",
        "sweeps/dense.toml",
        "sweeps/service.toml",
    ] {
        let sweep = load(&repository_file(file), &[], None).unwrap();
        let text = as_toml(&sweep);
        let mut again =
            parse("resolved.toml", &text, &[], None).unwrap_or_else(|error| panic!("{file}: {error}\n{text}"));
        assert_eq!(as_json(&again), as_json(&sweep), "{file}");
        again.notes.clone_from(&sweep.notes);
        assert_eq!(again, sweep, "{file}");
    }
}

#[test]
fn a_precision_is_written_as_it_is_meant() {
    let sweep = read(
        "[replications]\nmax = 500\nblock = 25\nprecision = [\n\
         { metric = \"false_open_rejections\", relative = 0.1, floor = 0.5 },\n\
         { metric = \"detected\", absolute = 0.02, rule = \"anytime\", designs = \"front\" },\n\
         { metric = \"false_open_rejections\", estimator = \"probability_of_any\", absolute = 0.02, modes = [\"down\"] },\n\
         { metric = \"requests\", absolute = 3 },\n]\n[[rule]]\nkind = \"none\"\n",
    );
    let text = as_toml(&sweep);
    let again = parse("my.toml", &text, &[], None).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!((&again, as_toml(&again)), (&sweep, text));
    let stopping = sweep.stopping.as_ref().expect("a table");
    assert_eq!((stopping.looks.min(), stopping.looks.max(), sweep.replications), (100, 500, 500));
    // A false alarm matters where opening is false, a detection where it is right, and the rest everywhere.
    let modes: Vec<_> = stopping.demands.iter().map(|demand| demand.modes.clone()).collect();
    assert_eq!(modes, [vec![0, 1], vec![2, 3], vec![3], vec![0, 1, 2, 3]]);
    assert_eq!(stopping.demands[0].estimator, "mean");
    // A number of replications replaces it, on the command line and by --set.
    let text =
        "[replications]\nmax = 500\nprecision = { metric = \"calls\", absolute = 1 }\n[[rule]]\nkind = \"none\"\n";
    let by_argument = parse("my.toml", text, &[], Some(7)).expect("valid");
    let by_set = parse("my.toml", text, &["replications=7".to_owned()], None).expect("valid");
    assert_eq!((by_argument.replications, &by_argument.stopping), (7, &None));
    assert_eq!(by_set, by_argument);
    let longer = parse("my.toml", text, &["replications.max=900".to_owned()], None).expect("valid");
    assert_eq!(longer.replications, 900);
}

#[test]
fn every_law_and_process_survives() {
    let laws = [
        "\"1.000000007s\"",
        "{ kind = \"uniform\", from = \"0s\", to = \"7ns\" }",
        "{ kind = \"exponential\", mean = \"1h\" }",
        "{ kind = \"lognormal\", median = \"60ms\", sigma = 0.1 }",
        "{ kind = \"weibull\", scale = \"60ms\", shape = 1e-3 }",
        "{ kind = \"empirical\", values = [\"9ms\", \"3ms\"] }",
    ];
    let processes = [
        "\"1e-7/s\"",
        "{ kind = \"even\", rate = \"1/h\" }",
        "{ kind = \"bursty\", quiet_rate = \"0/s\", burst_rate = \"7/min\", mean_quiet = \"2s\", mean_burst = \"1ns\" }",
    ];
    for (index, law) in laws.iter().enumerate() {
        let process = processes[index % processes.len()];
        let sweep = read(&format!(
            "root_seed = 18446744073709551615\n[scenario]\noutcome = \"at_admission\"\n[scenario.neighbour]\nhold = {law}\n\
             arrivals = {process}\n[scenario.regimes.down]\nfailure_hold = {law}\n[[rule]]\nkind = \"none\"\n"
        ));
        // TOML itself has no integers beyond i64; a JSON manifest has.
        let mut small = sweep.clone();
        small.root_seed = 0;
        let text = as_toml(&small);
        let again = parse("my.toml", &text, &["root_seed=18446744073709551615".to_owned()], None).unwrap();
        assert_eq!(again, sweep, "{text}");
    }
}

#[test]
fn comments_order_and_ways_of_writing_do_not_show() {
    let one = "root_seed = 3\nlevel = 0.95\n[scenario]\nslots = 32\nhorizon = \"12s\"\n[[rule]]\nkind = \"ratio\"\n\
               window = 10\nthreshold = { from = 0.1, to = 0.3, step = 0.1 }\nopen_for = \"1s\"\n";
    let other = "# the same\nscenario.horizon = \"0.2min\" # twelve seconds\nroot_seed = 0x3\n[[rule]]\n\
                 open_for = [\"1000ms\"]\nthreshold = [0.1, 2e-1, 0.30]\nwindow = [10]\nhalf_open_permits = 1\n\
                 kind = \"ratio\"\n";
    assert_eq!(as_json(&read(one)), as_json(&read(other)));
}

#[test]
fn it_differs_where_the_sweep_does() {
    let base =
        "root_seed = 3\n[scenario]\nslots = 32\n[[rule]]\nkind = \"consecutive\"\nthreshold = 5\nopen_for = \"1s\"\n";
    let changes = [
        ("root_seed = 3", "root_seed = 4"),
        ("root_seed = 3", "replications = 3"),
        ("root_seed = 3", "root_seed = 3\nlevel = 0.9"),
        ("root_seed = 3", "root_seed = 3\nname = \"other\""),
        ("root_seed = 3", "root_seed = 3\nmodes = [\"down\"]"),
        ("slots = 32", "slots = 33"),
        ("slots = 32", "outcome = \"at_admission\""),
        ("slots = 32", "heal_after = \"1s\""),
        ("slots = 32", "rejection_hold = \"11ms\""),
        ("slots = 32", "regimes.down.opening = \"false\""),
        ("threshold = 5", "threshold = 6"),
        ("\"1s\"", "\"1s\"\nhalf_open_successes = 2"),
        ("\"1s\"", "[\"1s\", \"2s\"]"),
    ];
    for (old, new) in changes {
        assert_ne!(as_json(&read(base)), as_json(&read(&base.replace(old, new))), "{new}");
    }
}

#[test]
fn what_a_manifest_holds() {
    let sweep = read(
        "name = \"tiny\"\nmodes = [\"down\"]\n[[rule]]\nkind = \"none\"\n[[rule]]\nkind = \"ratio\"\nwindow = [5, 10]\n\
         threshold = [0.5, 0.2]\nopen_for = \"1s\"\nzip = [\"threshold\", \"window\"]\n",
    );
    let expected = concat!(
        r#"{"name":"tiny","root_seed":1,"replications":200,"level":0.95,"modes":["down"],"#,
        r#""scenario":{"slots":32,"horizon":"12s","warm_up":"0s","fault_at":"2s","outcome":"at_completion","#,
        r#""rejection_hold":"10ms","dependency":{"arrivals":{"kind":"poisson","rate":"97.22/s"}},"#,
        r#""neighbour":{"arrivals":{"kind":"poisson","rate":"416.67/s"},"hold":{"kind":"deterministic","value":"40ms"}}},"#,
        r#""mode":[{"name":"down","regime":[{"at":"0s","name":"healthy","failure_probability":0.025,"opening":"false","#,
        r#""success_hold":{"kind":"deterministic","value":"60ms"},"failure_hold":{"kind":"deterministic","value":"220ms"}},"#,
        r#"{"at":"fault","name":"down","failure_probability":1.0,"opening":"right","#,
        r#""success_hold":{"kind":"deterministic","value":"60ms"},"failure_hold":{"kind":"deterministic","value":"30ms"}}]}],"#,
        r#""rule":[{"kind":"none"},{"kind":"ratio","window":[5,10],"threshold":[0.5,0.2],"open_for":["1s"],"#,
        r#""half_open_permits":[1],"half_open_successes":[1],"zip":[["window","threshold"]]}]}"#,
    );
    assert_eq!(as_json(&sweep), expected);
}

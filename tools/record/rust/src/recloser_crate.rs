//! recloser: <https://crates.io/crates/recloser>, of which a patched copy is built (`prepare.py`).

use std::time::Duration;

use crossbeam_epoch as epoch;
use recloser::{Recloser, clock};
use serde_json::Value;

use crate::script::{Breaker, count, milliseconds, replay, setting, share};

impl Breaker for Recloser {
    fn advance(&mut self, now: Duration) {
        clock::set(now);
    }

    fn ask(&mut self) -> bool {
        self.call_permitted(&epoch::pin())
    }

    fn tell(&mut self, ok: bool) {
        let guard = &epoch::pin();
        if ok { self.on_success(guard) } else { self.on_error(guard) }
    }

    fn state(&self) -> String {
        self.state_in_words(&epoch::pin()).to_owned()
    }
}

/// What the library does with a script.
pub fn record(script: &Value) -> Vec<Value> {
    let settings = &script["settings"];
    clock::set(Duration::ZERO);
    let mut builder = Recloser::custom();
    for (key, value) in settings.as_object().expect("an object") {
        builder = match key.as_str() {
            "error_rate" => builder.error_rate(share(settings, key) as f32),
            "error_rate_closed" => builder.error_rate_closed(share(settings, key) as f32),
            "error_rate_half_open" => builder.error_rate_half_open(share(settings, key) as f32),
            "closed_len" => builder.closed_len(count(settings, key) as usize),
            "half_open_len" => builder.half_open_len(count(settings, key) as usize),
            "open_wait_ms" => builder.open_wait(milliseconds(setting(settings, key))),
            "open_wait_strategy" if value == "open_wait_times_fail_count" => {
                builder.open_wait_strategy(|fails: u32, wait: Duration| wait * fails)
            }
            _ => panic!("unknown setting {key} = {value}"),
        };
    }
    replay(script, builder.build())
}

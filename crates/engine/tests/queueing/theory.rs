//! The formulas of queueing theory that the checks compare with.

use engine::Distribution;

/// Erlang B: the fraction of arrivals turned away by `servers` servers without a waiting line, at an offered load of
/// `load` (arrival rate times mean service), whatever the service law. By the stable recursion over the servers.
pub(crate) fn erlang_b(servers: u32, load: f64) -> f64 {
    (1..=servers).fold(1.0, |blocked, servers| load * blocked / (f64::from(servers) + load * blocked))
}

/// Erlang C: the fraction of arrivals that must wait for one of `servers` exponential servers.
pub(crate) fn erlang_c(servers: u32, load: f64) -> f64 {
    let blocked = erlang_b(servers, load);
    let utilisation = load / f64::from(servers);
    blocked / (1.0 - utilisation * (1.0 - blocked))
}

/// Pollaczek and Khinchine: the mean number waiting for one server, at an arrival rate of `rate` per second.
pub(crate) fn pollaczek_khinchine(rate: f64, service: &Distribution) -> f64 {
    rate * rate * second_moment(service) / (2.0 * (1.0 - rate * service.mean_secs()))
}

/// The mean of the square of a duration, in seconds squared.
fn second_moment(law: &Distribution) -> f64 {
    let mean = law.mean_secs();
    match law {
        Distribution::Deterministic(_) => mean * mean,
        Distribution::Uniform { from, to } => {
            let (from, to) = (from.as_secs_f64(), to.as_secs_f64());
            (from * from + from * to + to * to) / 3.0
        }
        Distribution::Exponential { .. } => 2.0 * mean * mean,
        Distribution::LogNormal { sigma, .. } => mean * mean * libm::exp(sigma * sigma),
        Distribution::Weibull { scale, shape } => {
            let scale = scale.as_secs_f64();
            scale * scale * libm::tgamma(1.0 + 2.0 / shape)
        }
        Distribution::Empirical(values) => {
            let squares = values.iter().map(|value| value.as_secs_f64() * value.as_secs_f64());
            squares.sum::<f64>() / values.len() as f64
        }
    }
}

#[test]
fn formulas_give_the_values_of_the_tables() {
    // Two servers at a load of one: B = (1/2)/(1 + 1 + 1/2), C = 1/3. Ten at five: the classic tables.
    assert!((erlang_b(2, 1.0) - 0.2).abs() < 1e-15);
    assert!((erlang_c(2, 1.0) - 1.0 / 3.0).abs() < 1e-15);
    assert!((erlang_b(10, 5.0) - 0.018_384_570).abs() < 1e-9);
    // M/M/1 at one half: ρ²/(1 − ρ) = 1/2 waiting; M/D/1: half of that.
    let second = engine::Duration::from_secs(1);
    assert!((pollaczek_khinchine(0.5, &Distribution::Exponential { mean: second }) - 0.5).abs() < 1e-15);
    assert!((pollaczek_khinchine(0.5, &Distribution::Deterministic(second)) - 0.25).abs() < 1e-15);
}

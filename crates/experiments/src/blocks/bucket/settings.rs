//! How a bucket is reached, and with what credentials: what the environment says, as AWS' own programs read it.

use std::fmt;
use std::fs::File;
use std::io::Read;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey};
use object_store::{BackoffConfig, ClientOptions, RetryConfig};

use super::profile::Profile;

/// A request that is not answered for so long has failed.
const REQUEST: Duration = Duration::from_secs(20);
const CONNECTION: Duration = Duration::from_secs(5);
/// A connection that is idle for longer is not used again: nobody looks after it between two blocks, and the store may have
/// closed it.
const IDLE: Duration = Duration::from_secs(3);
/// No request is repeated for longer: with the last one's own time, it has failed after 45 s.
const REPEATED: Duration = Duration::from_secs(20);
/// Requests are repeated until their time is up, not their number.
const ATTEMPTS: usize = 1000;
/// Names and addresses of either version of IP.
const EVERY_HOST: &str = "*,0.0.0.0/0,::/0";
/// Addresses at which containers get credentials by plain http: ECS, and EKS by either version of IP.
const CONTAINER_HOSTS: [&str; 3] = ["169.254.170.2", "169.254.170.23", "fd00:ec2::23"];

/// How to reach any bucket.
pub(super) struct Settings {
    /// All but the name of the bucket.
    pub(super) builder: AmazonS3Builder,
    /// Where its credentials come from.
    pub(super) source: Source,
}

/// Where credentials come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// `AWS_ACCESS_KEY_ID` and its like.
    Variables,
    /// A profile of the shared files.
    Profile(String),
    /// The token of a Kubernetes service account or the like, which is exchanged for credentials.
    WebIdentity,
    /// The container's engine.
    Container,
    /// The metadata service of EC2, which is asked when nothing else is there.
    Machine,
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Variables => f.write_str("the variable AWS_ACCESS_KEY_ID"),
            Self::Profile(name) => write!(f, "the profile `{name}`"),
            Self::WebIdentity => f.write_str("the token of AWS_WEB_IDENTITY_TOKEN_FILE"),
            Self::Container => f.write_str("the container's engine (AWS_CONTAINER_CREDENTIALS_*_URI)"),
            Self::Machine => f.write_str("the machine's metadata service"),
        }
    }
}

impl Source {
    /// What to say when this source gives no credentials, for a reason.
    pub(super) fn refusal(&self, why: &str) -> String {
        match self {
            Self::Machine => format!("{NONE}. The machine's metadata service, asked last, gives none either ({why})"),
            source => format!("{source} gives no credentials ({why})"),
        }
    }
}

/// What to say when nothing gives credentials.
const NONE: &str = "there are no credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (and AWS_SESSION_TOKEN where \
                    there is one), or AWS_PROFILE for a profile of ~/.aws/credentials, or give the container or machine a role";

/// The settings of this process's environment.
///
/// # Errors
///
/// What is wrong with them, and what helps.
pub(super) fn of_environment() -> Result<Settings, String> {
    // What is set to nothing is not set.
    let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    settings(&variable, &read)
}

/// A shared file's text; nothing if it is not there.
fn read(path: &Path) -> String {
    const MOST: u64 = 1 << 20;
    let mut text = String::new();
    // Whether it is unreadable or not there: its credentials are not, and that is said.
    if File::open(path).and_then(|file| file.take(MOST).read_to_string(&mut text)).is_err() {
        text.clear();
    }
    text
}

type Lookup<'a> = &'a dyn Fn(&str) -> Option<String>;

fn settings(variable: Lookup<'_>, read: &dyn Fn(&Path) -> String) -> Result<Settings, String> {
    let profile = profile(variable, read)?;
    let of_profile = |key: &str| profile.as_ref().and_then(|(_, profile)| profile.value(key)).map(str::to_owned);
    let endpoint =
        [("AWS_ENDPOINT_URL_S3", variable("AWS_ENDPOINT_URL_S3")), ("AWS_ENDPOINT_URL", variable("AWS_ENDPOINT_URL"))]
            .into_iter()
            .chain([("endpoint_url", of_profile("endpoint_url"))])
            .find_map(|(name, value)| value.map(|value| (name, value)));
    let client = ClientOptions::new().with_timeout(REQUEST).with_connect_timeout(CONNECTION);
    let mut client = client.with_pool_idle_timeout(IDLE);
    let mut builder = AmazonS3Builder::new();
    if let Some((name, endpoint)) = endpoint {
        if is_loopback(name, &endpoint)? {
            // Not even a proxy of the environment sees what is not encrypted: this one is for no host at all.
            client = client.with_allow_http(true).with_proxy_url("http://localhost").with_proxy_excludes(EVERY_HOST);
        }
        builder = builder.with_endpoint(endpoint);
    }
    let region = variable("AWS_REGION").or_else(|| variable("AWS_DEFAULT_REGION")).or_else(|| of_profile("region"));
    if let Some(region) = region {
        builder = builder.with_region(region);
    }
    let backoff = BackoffConfig { max_backoff: Duration::from_secs(5), ..BackoffConfig::default() };
    let retry = RetryConfig { backoff, max_retries: ATTEMPTS, retry_timeout: REPEATED };
    let builder = builder.with_retry(retry).with_client_options(client);
    let (builder, source) = with_credentials(builder, variable, profile)?;
    Ok(Settings { builder, source })
}

/// The profile that `AWS_PROFILE` names, else that called `default` if there is one.
fn profile(variable: Lookup<'_>, read: &dyn Fn(&Path) -> String) -> Result<Option<(String, Profile)>, String> {
    let home = variable("HOME").or_else(|| variable("USERPROFILE")).map(PathBuf::from);
    let shared = |name: &str, file: &str| {
        let path = variable(name).map(PathBuf::from).or_else(|| home.as_ref().map(|home| home.join(".aws").join(file)));
        path.map(|path| read(&path)).unwrap_or_default()
    };
    let credentials = shared("AWS_SHARED_CREDENTIALS_FILE", "credentials");
    let config = shared("AWS_CONFIG_FILE", "config");
    let named = variable("AWS_PROFILE");
    let name = named.clone().unwrap_or_else(|| "default".to_owned());
    match (Profile::find(&name, &credentials, &config), named) {
        (Some(profile), _) => Ok(Some((name, profile))),
        (None, None) => Ok(None),
        (None, Some(_)) => Err(format!(
            "AWS_PROFILE names the profile `{name}`, which neither ~/.aws/credentials nor ~/.aws/config has: correct or unset it"
        )),
    }
}

/// In the order of AWS' own programs; the first that is there counts.
fn with_credentials(
    builder: AmazonS3Builder,
    variable: Lookup<'_>,
    profile: Option<(String, Profile)>,
) -> Result<(AmazonS3Builder, Source), String> {
    let with = |mut builder: AmazonS3Builder, values: [(AmazonS3ConfigKey, Option<String>); 3]| {
        for (key, value) in values {
            if let Some(value) = value {
                builder = builder.with_config(key, value);
            }
        }
        builder
    };
    let keys = |id, secret, token| {
        [
            (AmazonS3ConfigKey::AccessKeyId, id),
            (AmazonS3ConfigKey::SecretAccessKey, secret),
            (AmazonS3ConfigKey::Token, token),
        ]
    };
    let (id, secret) = (variable("AWS_ACCESS_KEY_ID"), variable("AWS_SECRET_ACCESS_KEY"));
    if id.is_some() != secret.is_some() {
        return Err("of AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY only one is set: set or unset both".to_owned());
    }
    if id.is_some() {
        return Ok((with(builder, keys(id, secret, variable("AWS_SESSION_TOKEN"))), Source::Variables));
    }
    let (token, role) = (variable("AWS_WEB_IDENTITY_TOKEN_FILE"), variable("AWS_ROLE_ARN"));
    if token.is_some() && role.is_some() {
        let values = [
            (AmazonS3ConfigKey::WebIdentityTokenFile, token),
            (AmazonS3ConfigKey::RoleArn, role),
            (AmazonS3ConfigKey::RoleSessionName, variable("AWS_ROLE_SESSION_NAME")),
        ];
        return Ok((with(builder, values), Source::WebIdentity));
    }
    if let Some((name, profile)) = profile {
        let value = |key: &str| profile.value(key).map(str::to_owned);
        let (id, secret) = (value("aws_access_key_id"), value("aws_secret_access_key"));
        if id.is_some() && secret.is_some() {
            return Ok((with(builder, keys(id, secret, value("aws_session_token"))), Source::Profile(name)));
        }
        if let Some(way) = profile.indirect() {
            return Err(format!(
                "the profile `{name}` gets its credentials by `{way}`, which this program does not do. Put them into the \
                 environment first: eval \"$(aws configure export-credentials --profile {name} --format env)\""
            ));
        }
    }
    let relative = variable("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI");
    let full = variable("AWS_CONTAINER_CREDENTIALS_FULL_URI");
    let authorization = variable("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE");
    if let Some(uri) = &full
        && relative.is_none()
        && !host(uri).is_some_and(|host| CONTAINER_HOSTS.contains(&host))
    {
        is_loopback("AWS_CONTAINER_CREDENTIALS_FULL_URI", uri)?;
    }
    if relative.is_some() || (full.is_some() && authorization.is_some()) {
        let values = [
            (AmazonS3ConfigKey::ContainerCredentialsRelativeUri, relative),
            (AmazonS3ConfigKey::ContainerCredentialsFullUri, full),
            (AmazonS3ConfigKey::ContainerAuthorizationTokenFile, authorization),
        ];
        return Ok((with(builder, values), Source::Container));
    }
    if variable("AWS_EC2_METADATA_DISABLED").is_some_and(|value| value.eq_ignore_ascii_case("true")) {
        return Err(NONE.to_owned());
    }
    Ok((builder, Source::Machine))
}

/// Whether an endpoint is plain http on the loopback interface; else it has to be https.
fn is_loopback(name: &str, endpoint: &str) -> Result<bool, String> {
    let here = host(endpoint)
        .is_some_and(|host| host == "localhost" || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback()));
    match (endpoint.starts_with("http://"), here) {
        (true, true) => Ok(true),
        (true, false) => Err(format!(
            "{name} is plain http to another machine, where anybody in between could read and change what is sent: set it to an \
             address that begins with https:// (http is allowed for 127.0.0.1, ::1 and localhost alone)"
        )),
        (false, _) if endpoint.starts_with("https://") && host(endpoint).is_some() => Ok(false),
        (false, _) => {
            Err(format!("{name} is no address: set it to https://HOST or https://HOST:PORT, without a user's name"))
        }
    }
}

/// The host of an address, if that is written in the plainest way.
fn host(address: &str) -> Option<&str> {
    let (_, rest) = address.split_once("://")?;
    let authority = rest.split_once('/').map_or(rest, |(authority, _)| authority);
    let plain = |c: char| c.is_ascii_alphanumeric() || "-._".contains(c);
    let (host, port) = match authority.strip_prefix('[') {
        Some(rest) => {
            rest.split_once(']').filter(|(host, _)| host.chars().all(|c| c.is_ascii_hexdigit() || c == ':'))?
        }
        None => {
            let at = authority.find(':').unwrap_or(authority.len());
            Some(authority.split_at(at)).filter(|(host, _)| host.chars().all(plain))?
        }
    };
    let port = port.is_empty() || port.strip_prefix(':').is_some_and(|port| port.parse::<u16>().is_ok());
    (port && !host.is_empty()).then_some(host)
}

#[cfg(test)]
mod tests {
    use super::*;

    type Variables<'a> = &'a [(&'a str, &'a str)];

    /// Shared files with a profile of each kind.
    fn files(path: &Path) -> String {
        match path.to_str().expect("UTF-8") {
            "/home/x/.aws/credentials" => "[keys]\naws_access_key_id = P\naws_secret_access_key = s\n",
            "/home/x/.aws/config" => {
                "[profile keys]\nregion = eu-west-1\nendpoint_url = https://profile\n[profile sso]\nsso_session = x\n\
                 [default]\nregion = eu-west-2\n"
            }
            _ => "",
        }
        .to_owned()
    }

    fn of(variables: Variables<'_>) -> Result<Settings, String> {
        let variable =
            |name: &str| variables.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned());
        settings(&variable, &files)
    }

    /// The source, key, region and endpoint that come of an environment.
    fn chosen(variables: Variables<'_>) -> (Source, Option<String>, Option<String>, Option<String>) {
        let settings = of(variables).unwrap_or_else(|error| panic!("{variables:?}: {error}"));
        let value = |key| settings.builder.get_config_value(&key);
        (
            settings.source.clone(),
            value(AmazonS3ConfigKey::AccessKeyId),
            value(AmazonS3ConfigKey::Region),
            value(AmazonS3ConfigKey::Endpoint),
        )
    }

    const KEYS: [(&str, &str); 2] = [("AWS_ACCESS_KEY_ID", "V"), ("AWS_SECRET_ACCESS_KEY", "s")];
    const HOME: (&str, &str) = ("HOME", "/home/x");
    const IDENTITY: [(&str, &str); 2] = [("AWS_WEB_IDENTITY_TOKEN_FILE", "/token"), ("AWS_ROLE_ARN", "arn")];
    const CONTAINER: (&str, &str) = ("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", "/v2/x");

    #[test]
    fn the_first_source_of_the_usual_chain_counts() {
        let profile = ("AWS_PROFILE", "keys");
        let source = |variables: &[&[(&str, &str)]]| {
            let (source, key, ..) = chosen(&variables.concat());
            (source, key)
        };
        let found = |source, key: Option<&str>| (source, key.map(str::to_owned));
        assert_eq!(source(&[&KEYS, &IDENTITY, &[HOME, profile, CONTAINER]]), found(Source::Variables, Some("V")));
        assert_eq!(source(&[&IDENTITY, &[HOME, profile, CONTAINER]]), found(Source::WebIdentity, None));
        assert_eq!(source(&[&[HOME, profile, CONTAINER]]), found(Source::Profile("keys".to_owned()), Some("P")));
        assert_eq!(source(&[&[HOME, CONTAINER]]), found(Source::Container, None));
        assert_eq!(source(&[&[HOME]]), found(Source::Machine, None));
        assert_eq!(source(&[]), found(Source::Machine, None));
    }

    #[test]
    fn region_and_endpoint_come_from_variables_before_profiles() {
        let profile = [HOME, ("AWS_PROFILE", "keys")];
        let place = |variables: &[&[(&str, &str)]]| {
            let (.., region, endpoint) = chosen(&variables.concat());
            (region.unwrap_or_default(), endpoint.unwrap_or_default())
        };
        let at = |region: &str, endpoint: &str| (region.to_owned(), endpoint.to_owned());
        assert_eq!(place(&[&profile]), at("eu-west-1", "https://profile"));
        let general = [("AWS_DEFAULT_REGION", "b"), ("AWS_ENDPOINT_URL", "https://general")];
        assert_eq!(place(&[&profile, &general]), at("b", "https://general"));
        let special = [("AWS_REGION", "a"), ("AWS_ENDPOINT_URL_S3", "https://special:9000/base")];
        assert_eq!(place(&[&profile, &general, &special]), at("a", "https://special:9000/base"));
        assert_eq!(place(&[&KEYS, &[HOME]]), at("eu-west-2", ""));
    }

    #[test]
    fn plain_http_is_for_the_loopback_interface_alone() {
        let allowed = |endpoint| {
            let settings = of(&[&KEYS[..], &[("AWS_ENDPOINT_URL", endpoint)]].concat())?;
            let http =
                settings.builder.get_config_value(&AmazonS3ConfigKey::Client(object_store::ClientConfigKey::AllowHttp));
            Ok::<_, String>(http.as_deref() == Some("true"))
        };
        for here in ["http://127.0.0.1:5000", "http://localhost:5000/", "http://[::1]:5000", "http://127.9.9.9"] {
            assert_eq!(allowed(here), Ok(true), "{here}");
        }
        assert_eq!(allowed("https://minio.example:9000"), Ok(false));
        assert_eq!(allowed("https://127.0.0.1:9000"), Ok(false));
        for elsewhere in [
            "http://minio.example:9000",
            "http://10.0.0.1",
            "http://0.0.0.0:5000",
            "http://localhost.example",
            "http://127.0.0.1.example",
            "http://127.0.0.1@example",
            "http://example#@127.0.0.1",
            "http://[::2]",
            "http://",
        ] {
            assert!(allowed(elsewhere).is_err_and(|said| said.contains("https://")), "{elsewhere}");
        }
        for nonsense in ["127.0.0.1:5000", "ftp://127.0.0.1", "https://", "https://me@host", "https://host:port"] {
            assert!(allowed(nonsense).is_err_and(|said| said.contains("https://HOST")), "{nonsense}");
        }
    }

    #[test]
    fn what_cannot_give_credentials_is_refused_with_a_remedy() {
        let token = ("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE", "/token");
        for (variables, expected) in [
            (vec![KEYS[0]], "set or unset both"),
            (vec![KEYS[1], HOME], "set or unset both"),
            (vec![HOME, ("AWS_PROFILE", "nobody")], "correct or unset it"),
            (vec![HOME, ("AWS_PROFILE", "sso")], "aws configure export-credentials --profile sso"),
            (vec![HOME, ("AWS_EC2_METADATA_DISABLED", "true")], "set AWS_ACCESS_KEY_ID"),
            (vec![("AWS_CONTAINER_CREDENTIALS_FULL_URI", "http://example/x"), token], "https://"),
        ] {
            let said = of(&variables).err().unwrap_or_default();
            assert!(said.contains(expected), "{variables:?}: {said}");
        }
        let pod = [("AWS_CONTAINER_CREDENTIALS_FULL_URI", "http://169.254.170.23/v1/credentials"), token];
        assert_eq!(chosen(&pod).0, Source::Container);
    }
}

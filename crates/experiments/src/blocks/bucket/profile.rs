//! Profiles in the shared files of AWS: `~/.aws/credentials` and `~/.aws/config`.

use std::collections::BTreeMap;

/// Keys that get credentials in ways which take another program or a person.
const INDIRECT: [&str; 5] = ["sso_session", "sso_start_url", "credential_process", "login_session", "role_arn"];

/// What both files say of a profile.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Profile {
    values: BTreeMap<String, String>,
}

impl Profile {
    /// The profile of this name; `None` if neither file has it. What the credentials file says counts more.
    pub(super) fn find(name: &str, credentials: &str, config: &str) -> Option<Self> {
        let in_config = if name == "default" { name.to_owned() } else { format!("profile {name}") };
        let config = section(config, &in_config);
        let credentials = section(credentials, name);
        if config.is_none() && credentials.is_none() {
            return None;
        }
        let mut values = config.unwrap_or_default();
        values.extend(credentials.unwrap_or_default());
        Some(Self { values })
    }

    /// The value of a key.
    pub(super) fn value(&self, key: &str) -> Option<&str> {
        self.values.get(key).map(String::as_str)
    }

    /// The key by which the profile gets credentials in a way that is not known here.
    pub(super) fn indirect(&self) -> Option<&'static str> {
        INDIRECT.into_iter().find(|key| self.values.contains_key(*key))
    }
}

/// The keys, in lower case, and values of a section (<https://docs.aws.amazon.com/sdkref/latest/guide/file-format.html>).
/// Indented lines belong to nested settings, none of which are used.
fn section(text: &str, wanted: &str) -> Option<BTreeMap<String, String>> {
    let mut found: Option<BTreeMap<String, String>> = None;
    let mut within = false;
    for line in text.lines() {
        if line.starts_with(['#', ';', ' ', '\t']) {
            continue;
        }
        if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.split_once(']')).map(|(name, _)| name) {
            within = name.split_whitespace().eq(wanted.split_whitespace());
            if within {
                found.get_or_insert_default();
            }
        } else if let (true, Some((key, value))) = (within, line.split_once('=')) {
            let comment = value.find(" #").or_else(|| value.find(" ;"));
            let value = value[..comment.unwrap_or(value.len())].trim();
            found.get_or_insert_default().insert(key.trim().to_ascii_lowercase(), value.to_owned());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const CREDENTIALS: &str = "# a comment\n[default]\naws_access_key_id=A\naws_secret_access_key = s=/+ # not this\n\n\
                               [ work ]\nAWS_ACCESS_KEY_ID = W\n";
    const CONFIG: &str = "[default]\nregion = eu-west-1\ns3 =\n  max_concurrent_requests = 20\n  region = nowhere\n\
                          [profile work]\nregion = eu-central-1\naws_access_key_id = other\n[profile sso]\nsso_session = x\n\
                          [work]\nregion = not-a-profile\n";

    #[test]
    fn both_files_are_read_and_the_credentials_file_counts_more() {
        let default = Profile::find("default", CREDENTIALS, CONFIG).expect("there");
        assert_eq!(default.value("aws_access_key_id"), Some("A"));
        assert_eq!(default.value("aws_secret_access_key"), Some("s=/+"));
        assert_eq!(default.value("region"), Some("eu-west-1"));
        let work = Profile::find("work", CREDENTIALS, CONFIG).expect("there");
        assert_eq!((work.value("aws_access_key_id"), work.value("region")), (Some("W"), Some("eu-central-1")));
        assert_eq!(work.indirect(), None);
        assert_eq!(Profile::find("sso", CREDENTIALS, CONFIG).expect("there").indirect(), Some("sso_session"));
        assert_eq!(Profile::find("none", CREDENTIALS, CONFIG), None);
        assert_eq!(Profile::find("default", "", ""), None);
    }
}

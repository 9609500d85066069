//! What a process shows to be let into a job.

use std::fmt;

/// Bytes of a token at most.
pub(super) const MOST: usize = 256;

/// The token of a job. It is not printed.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct JobToken(String);

impl fmt::Debug for JobToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

impl JobToken {
    /// A token that the user has given.
    pub fn given(text: &str) -> Result<JobToken, String> {
        match text.len() {
            0 => Err("is empty".to_owned()),
            1..=MOST => Ok(JobToken(text.to_owned())),
            len => Err(format!("has {len} bytes, and at most {MOST} are allowed")),
        }
    }

    /// The token that follows from the launcher's name of the job: it keeps jobs apart, and is no secret.
    pub fn of_job(job: &str) -> JobToken {
        JobToken(format!("job {:016x}", fnv(job.as_bytes())))
    }

    pub fn text(&self) -> &str {
        &self.0
    }

    /// Whether `shown` is the token, in a time that does not tell how much of it is right.
    pub fn is(&self, shown: &[u8]) -> bool {
        let differs = self.0.bytes().zip(shown).fold(0, |differs, (a, b)| differs | (a ^ b));
        self.0.len() == shown.len() && std::hint::black_box(differs) == 0
    }
}

/// FNV-1a: the same on every host, of any version.
pub(super) fn fnv(bytes: &[u8]) -> u64 {
    let step = |hash: u64, &byte: &u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_token_itself_is_right() {
        let token = JobToken::given("secret").unwrap();
        assert!(token.is(b"secret"));
        for wrong in [&b""[..], b"secre", b"secret ", b"Secret"] {
            assert!(!token.is(wrong));
        }
        assert_eq!(format!("{token:?}"), "Token(…)");
        assert_eq!(JobToken::given(&"x".repeat(MOST)).unwrap().text().len(), MOST);
        assert!(JobToken::given(&"x".repeat(MOST + 1)).is_err());
    }
}

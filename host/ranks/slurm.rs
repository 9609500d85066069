//! Slurm's lists of hosts: `gpu[007-010,12],login`.

/// The first host of a list; `None` where it is none.
pub(super) fn first_host(list: &str) -> Option<String> {
    let mut host = String::new();
    let mut rest = list.trim();
    loop {
        let end = rest.find(['[', ',']).unwrap_or(rest.len());
        host.push_str(&rest[..end]);
        if !rest[end..].starts_with('[') {
            break;
        }
        let inside = &rest[end + 1..];
        let close = inside.find(']')?;
        let first = inside[..close].split(['-', ',']).next()?;
        if first.is_empty() || !first.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        host.push_str(first);
        rest = &inside[close + 1..];
    }
    let is_host = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_');
    (!host.is_empty() && host.bytes().all(is_host)).then_some(host)
}

#[cfg(test)]
mod tests {
    use super::first_host;

    #[test]
    fn the_first_host_of_a_list() {
        for (list, host) in [
            ("node1", Some("node1")),
            ("node1,node2", Some("node1")),
            ("gpu[007-010,12],login", Some("gpu007")),
            ("gpu[3,5]", Some("gpu3")),
            ("r[1-2]n[05-06]", Some("r1n05")),
            ("r[1-2]-ib.cluster,x", Some("r1-ib.cluster")),
            ("", None),
            (",a", None),
            ("a[", None),
            ("a[]", None),
            ("a[x-y]", None),
            ("a b", None),
            ("a]", None),
        ] {
            assert_eq!(first_host(list).as_deref(), host, "{list}");
        }
    }
}

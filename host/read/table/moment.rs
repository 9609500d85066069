//! Dates and times of day, as programs write them.

/// Whether a text is a date, a time of day or both: `2024-01-01`, `01/02/2024`, `1.2.2024`, `01-Jan-2024`, `10:05`,
/// `2024-01-01T10:05:00.5+01:00`.
pub(crate) fn is_moment(text: &str) -> bool {
    let text = text.trim();
    if is_date(text) || is_time(text) {
        return true;
    }
    // What stands between a date and a time is no part of a number.
    let parts = text.split_once(['T', 't', ' ', '_']);
    parts.is_some_and(|(date, time)| is_date(date) && is_time(time.trim_start()))
}

fn is_date(text: &str) -> bool {
    ['-', '/', '.'].into_iter().any(|between| {
        let parts: Vec<&str> = text.split(between).collect();
        let [one, two, three] = parts[..] else { return false };
        // Two digits of a year are told by the slashes alone: ids have hyphens and points as well.
        let is_short_year = |text: &str| between == '/' && text.len() == 2 && digits(text, 99);
        let is_year = |text: &str| text.len() == 4 && digits(text, 9999);
        let is_day =
            |text: &str| text.len() <= 2 && digits(text, 31) && text != "0" && text != "00";
        let is_month = |text: &str| is_day(text) && digits(text, 12);
        let is_named_month = |text: &str| {
            let is = |name: &&str| {
                text.eq_ignore_ascii_case(name) || text.eq_ignore_ascii_case(&name[..3])
            };
            MONTHS.iter().any(is)
        };
        let from_year = is_year(one) && (is_month(two) || is_named_month(two)) && is_day(three);
        let from_day = is_day(one) && (is_month(two) || is_named_month(two));
        let from_month = is_month(one) && is_day(two);
        from_year || ((from_day || from_month) && (is_year(three) || is_short_year(three)))
    })
}

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// Whether a text is a time of day, perhaps with a fraction of a second, the half of the day and a zone.
fn is_time(text: &str) -> bool {
    let (text, zone) = match text.find(['Z', 'z', '+', '-']) {
        Some(at) => text.split_at(at),
        None => (text, ""),
    };
    let is_zone = match zone.as_bytes() {
        [] | [b'Z' | b'z'] => true,
        [b'+' | b'-', ..] => {
            let offset = zone[1..].replace(':', "");
            matches!(offset.len(), 2 | 4) && digits(&offset, 2359)
        }
        _ => false,
    };
    let upper = text.trim_end().to_ascii_uppercase();
    let half = upper.strip_suffix("AM").or_else(|| upper.strip_suffix("PM"));
    let clock = half.unwrap_or(&upper).trim_end();
    let parts: Vec<&str> = clock.split(':').collect();
    let [hour, minute, ref second @ ..] = parts[..] else { return false };
    let is_second = match *second {
        [] => true,
        [second] => {
            let (whole, part) = second.split_once(['.', ',']).unwrap_or((second, "0"));
            whole.len() == 2 && digits(whole, 60) && part.len() <= 9 && digits(part, u32::MAX)
        }
        _ => false,
    };
    is_zone
        && is_second
        && hour.len() <= 2
        && digits(hour, 24)
        && minute.len() == 2
        && digits(minute, 59)
}

/// Whether a text is digits, and no more than `most`.
fn digits(text: &str, most: u32) -> bool {
    let are_digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    are_digits && text.parse::<u32>().is_ok_and(|number| number <= most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_and_times_are_told() {
        for text in [
            "2024-01-01",
            "2024/1/31",
            "2024.12.31",
            "01/02/2024",
            "31/12/2024",
            "12/31/24",
            "1.2.2024",
            "01-Jan-2024",
            "2024-january-05",
            "10:05",
            "9:05:59",
            "10:05:59.123456789",
            "10:05:59,5",
            "10:05 pm",
            "10:05:00AM",
            "10:05Z",
            "10:05:00+01:00",
            "10:05:00-0130",
            "2024-01-01T10:05:00Z",
            "2024-01-01 10:05:00.5",
            "2024-01-01T10:05+01",
            " 01/01/2024  10:05 ",
        ] {
            assert!(is_moment(text), "{text:?}");
        }
        for text in [
            "",
            "-",
            ":",
            "1",
            "20240101",
            "1704067200",
            "1.5",
            "1.2.3",
            "10.0.0.1",
            "01-02-24",
            "2024-13-01",
            "2024-00-01",
            "32/01/2024",
            "13/13/2024",
            "10:5",
            "25:00",
            "10:60",
            "10:05:61",
            "1:2:3",
            "a:05",
            "10:05x",
            "10:05:00+1:00:00",
            "2024-01-01T",
            "2024-01-01 ann",
            "x-Jan-2024",
            "00:1a:2b",
            "doi:10",
            "Z",
            "é:05",
            "01-é-2024",
            "4294967296:05",
        ] {
            assert!(!is_moment(text), "{text:?}");
        }
    }
}

//! Formats of C, made of Rust's when a kernel is compiled.

/// Most values in a line.
pub const MOST_VALUES: usize = 14;

/// What stands before each line, for two numbers.
const PLACE: &[u8] = b"block %llu thread %llu: ";

/// What a value is for C, where all have 64 bits.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum TracedKind {
    Unsigned,
    Signed,
    Single,
    Double,
    Bool,
}

/// A line as C's `printf` takes it.
pub struct CFormat<const CAPACITY: usize> {
    /// The format with its end of line, and zeros.
    pub text: [u8; CAPACITY],
    len: usize,
    /// Which value each conversion prints.
    pub order: [usize; MOST_VALUES],
    /// The conversions.
    pub conversions: usize,
}

/// Bytes that are enough for the format of C: `{}` becomes `%.17g` at the longest, and `%` becomes `%%`.
pub const fn c_format_capacity(text: &str) -> usize {
    3 * text.len() + PLACE.len() + 2
}

/// The format of C for a text of Rust, whose values have these names and are of the first of these kinds.
///
/// # Panics
/// If C has no such format, or the values are not those of the text.
pub const fn c_format<const CAPACITY: usize>(
    text: &str,
    names: &[&str],
    kinds: &[TracedKind; MOST_VALUES],
) -> CFormat<CAPACITY> {
    let order = [0; MOST_VALUES];
    let mut format = CFormat { text: [0; CAPACITY], len: 0, order, conversions: 0 };
    format.push_all(PLACE);
    let text = text.as_bytes();
    let (mut is_used, mut next) = ([false; MOST_VALUES], 0);
    let mut at = 0;
    while at < text.len() {
        let (byte, is_double) = (text[at], at + 1 < text.len() && text[at + 1] == text[at]);
        match byte {
            b'{' if !is_double => {
                let (value, spec) = chosen(text, at + 1, names, &mut next);
                is_used[value] = true;
                at = format.convert(text, spec, value, kinds[value]);
            }
            b'%' => {
                format.push_all(b"%%");
                at += 1;
            }
            _ => {
                format.push(byte);
                at += if matches!(byte, b'{' | b'}') { 2 } else { 1 };
            }
        }
    }
    let mut value = 0;
    while value < names.len() {
        assert!(is_used[value], "trace!: a value is not in the text");
        value += 1;
    }
    format.push(b'\n');
    format
}

/// The value that the argument from a place of the text on names, and where its colon or its end stands.
const fn chosen(text: &[u8], from: usize, names: &[&str], next: &mut usize) -> (usize, usize) {
    let mut end = from;
    while text[end] != b':' && text[end] != b'}' {
        end += 1;
    }
    if end == from {
        *next += 1;
        assert!(*next <= names.len(), "trace!: the text has more `{{}}` than there are values");
        return (*next - 1, end);
    }
    if text[from].is_ascii_digit() {
        let mut at = from;
        let value = number(text, &mut at);
        assert!(at == end && value < names.len(), "trace!: the text has a number of no value");
        return (value, end);
    }
    let mut value = 0;
    while value < names.len() {
        if is_name(names[value].as_bytes(), text, from, end) {
            return (value, end);
        }
        value += 1;
    }
    panic!(
        "trace! on a GPU cannot see a variable whose name stands within the text: write `{{}}` and the value behind the text, or \
         `name = value`"
    )
}

const fn is_name(name: &[u8], text: &[u8], from: usize, end: usize) -> bool {
    let mut i = 0;
    while i < name.len() && from + i < end && name[i] == text[from + i] {
        i += 1;
    }
    i == name.len() && from + i == end
}

/// The number whose digits begin at a place, 0 where none does. The place moves behind it.
const fn number(text: &[u8], at: &mut usize) -> usize {
    let mut number = 0;
    while text[*at].is_ascii_digit() {
        number = 10 * number + (text[*at] - b'0') as usize;
        *at += 1;
    }
    number
}

impl<const CAPACITY: usize> CFormat<CAPACITY> {
    const fn push(&mut self, byte: u8) {
        self.text[self.len] = byte;
        self.len += 1;
    }

    const fn push_all(&mut self, bytes: &[u8]) {
        let mut i = 0;
        while i < bytes.len() {
            self.push(bytes[i]);
            i += 1;
        }
    }

    /// Copies digits.
    const fn digits(&mut self, text: &[u8], at: &mut usize) {
        while text[*at].is_ascii_digit() {
            self.push(text[*at]);
            *at += 1;
        }
    }

    /// Appends the conversion of a value whose argument has its colon or its end at a place. Returns where the text goes on.
    const fn convert(&mut self, text: &[u8], spec: usize, value: usize, kind: TracedKind) -> usize {
        use TracedKind::{Bool, Double, Signed, Single, Unsigned};
        assert!(self.conversions < MOST_VALUES, "trace! on a GPU prints at most 14 values");
        self.order[self.conversions] = value;
        self.conversions += 1;
        self.push(b'%');
        let mut at = spec;
        if text[at] == b':' {
            at += 1;
        }
        let is_left = text[at] == b'<';
        let is_aligned = is_left || text[at] == b'>';
        if is_aligned {
            at += 1;
        }
        let is_zeroed = text[at] == b'0';
        assert!(!is_zeroed || !matches!(kind, Bool), "trace! on a GPU: zeros before a `bool`");
        // As in Rust: zeros go before numbers wherever they stand, and a `bool` stands on the left.
        if !is_zeroed && (is_left || matches!(kind, Bool) && !is_aligned) {
            self.push(b'-');
        }
        self.digits(text, &mut at);
        let has_digits = text[at] == b'.';
        if has_digits {
            assert!(
                matches!(kind, Single | Double) && text[at + 1].is_ascii_digit(),
                "trace! on a GPU: `{{:.3}}` is of `f32` and `f64`, with the number of digits in the text"
            );
            self.push(b'.');
            at += 1;
            self.digits(text, &mut at);
        }
        self.push_all(match (text[at], kind) {
            (b'x', Unsigned) => b"llx",
            (b'X', Unsigned) => b"llX",
            (b'x' | b'X', _) => {
                panic!("trace! on a GPU: `{{:x}}` is of unsigned integers, such as `number as u32`")
            }
            (_, Unsigned) => b"llu",
            (_, Signed) => b"lld",
            (_, Single | Double) if has_digits => b"f",
            (_, Single) => b".9g",
            (_, Double) => b".17g",
            (_, Bool) => b"s",
        });
        if matches!(text[at], b'x' | b'X') {
            at += 1;
        }
        assert!(
            text[at] == b'}',
            "trace! on a GPU takes a width, `<`, `>`, `0`, `x`, `X` and `.digits` between `{{:` and `}}`, and no more"
        );
        at + 1
    }
}

#[cfg(test)]
mod tests {
    use super::TracedKind::{self, Bool, Double, Signed, Single, Unsigned};
    use super::{CFormat, MOST_VALUES, c_format, c_format_capacity};

    fn formatted(text: &str, names: &[&str], kinds: &[TracedKind]) -> (String, Vec<usize>) {
        let mut all = [Unsigned; MOST_VALUES];
        all[..kinds.len()].copy_from_slice(kinds);
        let format: CFormat<256> = c_format(text, names, &all);
        let end = format.text.iter().position(|&byte| byte == 0).unwrap();
        assert!(end < c_format_capacity(text));
        let text = String::from_utf8(format.text[..end].to_vec()).unwrap();
        let text = text.strip_prefix("block %llu thread %llu: ").unwrap().to_owned();
        (text, format.order[..format.conversions].to_vec())
    }

    #[test]
    fn texts_become_formats_of_c() {
        let of = |text, kinds: &[_]| formatted(text, &vec![""; kinds.len()], kinds).0;
        assert_eq!(of("all: 100% of {{}} é", &[]), "all: 100%% of {} é\n");
        assert_eq!(of("{} and {}", &[Unsigned, Signed]), "%llu and %lld\n");
        assert_eq!(of("{}{}{}", &[Single, Double, Bool]), "%.9g%.17g%-s\n");
        assert_eq!(of("{:x} {:08X}", &[Unsigned, Unsigned]), "%llx %08llX\n");
        assert_eq!(of("{:5} {:<5} {:>5}", &[Signed; 3]), "%5lld %-5lld %5lld\n");
        assert_eq!(of("{:8} {:>8}", &[Bool; 2]), "%-8s %8s\n");
        assert_eq!(of("{:.3} {:<10.0} {:08.2}", &[Double; 3]), "%.3f %-10.0f %08.2f\n");
    }

    #[test]
    fn values_are_chosen_by_place_number_and_name() {
        let text = "{} {x:x} {0} {} {1}";
        let kinds = [Unsigned, Signed, Unsigned];
        let (format, order) = formatted(text, &["", "", "x"], &kinds);
        assert_eq!(format, "%llu %llx %llu %lld %lld\n");
        assert_eq!(order, [0, 2, 0, 1, 1]);
    }

    #[test]
    fn what_c_does_not_have_is_refused() {
        let refused = |text: &'static str, kind| {
            let panicked = std::panic::catch_unwind(|| formatted(text, &[""], &[kind]));
            *panicked.unwrap_err().downcast::<&str>().unwrap()
        };
        assert!(refused("{i}", Unsigned).contains("write `{}` and the value behind the text"));
        assert!(refused("{:x}", Signed).contains("unsigned integers"));
    }
}

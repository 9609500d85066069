//! The CPU, for reports.

/// The processor's name where the system tells it (Linux: the first `model name` of /proc/cpuinfo),
/// else its architecture.
pub fn name() -> String {
    let cpuinfo = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    model_name(&cpuinfo).unwrap_or(std::env::consts::ARCH).to_owned()
}

fn model_name(cpuinfo: &str) -> Option<&str> {
    let (_, value) = cpuinfo
        .lines()
        .filter_map(|line| line.split_once(':'))
        .find(|(key, _)| matches!(key.trim(), "model name" | "Model"))?;
    Some(value.trim()).filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_model_name_counts() {
        let text = "processor\t: 0\nmodel name\t: AMD EPYC 9R14\n\nmodel name\t: other\n";
        assert_eq!(model_name(text), Some("AMD EPYC 9R14"));
        assert_eq!(model_name("processor\t: 0\n"), None);
        assert_eq!(model_name("model name\t:\n"), None);
    }
}

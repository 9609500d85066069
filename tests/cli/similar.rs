//! `tribin similar`.

use std::fs;

use super::{KARATE, only_line, run, stdout, text, write};

/// The values that NetworkX has for some pairs of the karate club, by `jaccard_coefficient`, `adamic_adar_index`,
/// `resource_allocation_index` and `common_neighbors`; the others follow from degrees 16, 9 and 17, 12, 2 and 4.
#[test]
fn given_pairs_have_the_values_of_networkx() {
    let folder = tempfile::tempdir().unwrap();
    let pairs = &write(folder.path(), "pairs.csv", "source,target\n1,2\n34,33\n1,34\n10,4\n");
    for (by, scores) in [
        ("jaccard", [7.0 / 18.0, 10.0 / 19.0, 4.0 / 29.0, 1.0 / 7.0]),
        ("overlap", [7.0 / 9.0, 10.0 / 12.0, 4.0 / 16.0, 1.0 / 2.0]),
        ("cosine", [7.0 / 12.0, 10.0 / 204_f64.sqrt(), 4.0 / 272_f64.sqrt(), 1.0 / 12_f64.sqrt()]),
        ("sorensen", [14.0 / 25.0, 20.0 / 29.0, 8.0 / 33.0, 2.0 / 8.0]),
        ("common", [7.0, 10.0, 4.0, 1.0]),
    ] {
        let found = stdout(&["similar", "--by", by, "--among", pairs, KARATE]);
        let lines: Vec<Vec<&str>> = found.lines().map(|line| line.split('\t').collect()).collect();
        assert_eq!(lines[0], ["u", "v", by]);
        let ends: Vec<&[&str]> = lines[1..].iter().map(|line| &line[..2]).collect();
        assert_eq!(ends, [["1", "2"], ["34", "33"], ["1", "34"], ["10", "4"]]);
        for (line, score) in lines[1..].iter().zip(scores) {
            let expected = if by == "common" { score.to_string() } else { format!("{score:?}") };
            assert_eq!(line[2], expected, "{by}");
        }
    }
    for (by, scores) in [
        (
            "adamic-adar",
            [
                6.130_716_871_863_356,
                10.456_950_741_004_253,
                2.711_019_722_297_308_5,
                0.434_294_481_903_251_76,
            ],
        ),
        ("resource_allocation", [2.05, 3.566_666_666_666_667, 0.9, 0.1]),
    ] {
        let found = stdout(&["similar", "--by", by, "--among", pairs, KARATE]);
        for (line, score) in found.lines().skip(1).zip(scores) {
            let value: f64 = line.split('\t').nth(2).unwrap().parse().unwrap();
            assert!((value - score).abs() < 1e-9 * score, "{by}: {line}, {score}");
        }
    }
}

#[test]
fn pairs_are_chosen_and_written_as_asked() {
    let folder = tempfile::tempdir().unwrap();
    let names = &write(folder.path(), "names.csv", "source,target\nAnn,Bo\nBo,Cy\nCy,Ann\nCy,Di\n");
    // Numbers are names where the graph has names.
    let [mixed, numbers] = ["mixed.csv", "numbers.csv"].map(|name| folder.path().join(name));
    fs::write(&mixed, "1,Ann\nAnn,2\n2,1\n").unwrap();
    fs::write(&numbers, "2,1\n").unwrap();
    let among = [numbers.to_str().unwrap(), mixed.to_str().unwrap()];
    assert_eq!(
        stdout(&["similar", "--ids", "names", "--by", "common", "--among", among[0], among[1]]),
        "u\tv\tcommon\n2\t1\t1\n"
    );
    assert_eq!(
        stdout(&["similar", "--top", "1", names]),
        "u\tv\tjaccard\nAnn\tDi\t0.5\nBo\tDi\t0.5\nCy\tAnn\t0.25\nDi\tAnn\t0.5\n"
    );
    assert_eq!(
        stdout(&["similar", "--all", "--by", "common", names]),
        "u\tv\tcommon\nAnn\tBo\t1\nAnn\tCy\t1\nAnn\tDi\t1\nBo\tCy\t1\nBo\tDi\t1\n"
    );
    assert_eq!(
        stdout(&["similar", "--all", "--min", "0.5", "--non-edges", names]),
        "u\tv\tjaccard\nAnn\tDi\t0.5\nBo\tDi\t0.5\n"
    );
    assert_eq!(
        stdout(&["similar", "--vertex", "Di", names]),
        "u\tv\tjaccard\nDi\tAnn\t0.5\nDi\tBo\t0.5\n"
    );
    // An array says how many rows it has.
    let array = folder.path().join("pairs.npy");
    let array = array.to_str().unwrap();
    stdout(&["similar", "--top", "3", "-q", "-o", array, KARATE]);
    let text = stdout(&["similar", "--top", "3", KARATE]);
    let rows = text.lines().count() - 1;
    let header = String::from_utf8_lossy(&fs::read(array).unwrap()[..128]).into_owned();
    assert!(header.contains(&format!("'shape': ({rows},)")), "{header}");
    // Any number of threads finds the same.
    assert_eq!(stdout(&["similar", "--top", "3", "--threads", "3", KARATE]), text);
}

#[test]
fn what_cannot_be_compared_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let pairs = &write(folder.path(), "pairs.txt", "1 2\n1 99\n");
    for (args, code, said) in [
        (&["--by", "likeness"][..], 2, "`likeness` is no similarity: there are jaccard, overlap"),
        (&["--min", "many"], 2, "it is no number"),
        (&["--top", "3", "--all"], 2, "cannot be used with"),
        (&["--among", pairs, "--top", "3"], 2, "cannot be used with"),
        (&["--among", pairs], 1, "pairs.txt: there is no vertex `99` in "),
        (&["--vertex", "35"], 1, "there is no vertex `35`"),
    ] {
        let output = run([&["similar", KARATE], args].concat());
        assert_eq!(output.status.code(), Some(code), "{args:?}");
        assert!(text(&output.stderr).contains(said), "{args:?}: {}", text(&output.stderr));
        if code == 1 {
            assert!(only_line(&output.stderr).starts_with("error: "));
        }
    }
}

//! What columns of edges are called: names of the two ends, and names that no end has.

/// Names of columns that are no ends of edges: attributes of edges, numbers of rows, and what tables of vertices have. A column
/// without a name numbers the rows, as pandas and R write it.
const ATTRIBUTES: &str = "|index|rownames|row_names|rowid|..1|...1|unnamed: 0|weight|weights|w|value|val|count|n|score|sign|rating|\
     distance|dist|cost|length|capacity|amount|support|prob|key|time|timestamp|ts|date|datetime|created_at|year|since|\
     type|edge_type|label|kind|relation|relationship|predicate|interaction|directed|timeset|degree|core|triangles|\
     clustering|trussness|community|component|centrality|modularity_class|pagerank";

/// Whether a column of this name is no end of an edge.
pub(super) fn is_attribute(name: &str) -> bool {
    let name = name.trim().trim_start_matches(':').to_ascii_lowercase();
    ATTRIBUTES.split('|').any(|attribute| attribute == name)
}

/// What the two ends of an edge are called: one of these words, and one of those, where the names of the columns agree otherwise.
const ENDS: [(&[&str], &[&str]); 24] = [
    (&["source", "src"], &["target", "destination", "dest", "dst", "tgt", "trg", "sink"]),
    (&["from", "origin", "orig"], &["to", "destination", "dest"]),
    (&["start"], &["end"]),
    (&["head", "tail"], &["tail", "head"]),
    (&["u"], &["v"]),
    (&["i"], &["j"]),
    (&["a"], &["b"]),
    (&["s"], &["t"]),
    (&["0"], &["1"]),
    (&["1", "one", "first"], &["2", "two", "second"]),
    (&["x1"], &["x2"]),
    (&["left", "lhs"], &["right", "rhs"]),
    (&["row", "rows"], &["col", "cols", "column"]),
    (&["follower", "followee", "following"], &["followee", "followed", "following", "follower"]),
    (&["sender"], &["receiver", "recipient"]),
    (&["caller"], &["callee"]),
    (&["citing"], &["cited"]),
    (&["truster", "trustor", "rater"], &["trustee", "ratee"]),
    (&["buyer"], &["seller"]),
    (&["payer"], &["payee"]),
    (&["parent"], &["child"]),
    (&["subject"], &["object"]),
    (&["ego"], &["alter"]),
    (&["outgoing", "out"], &["incoming", "in"]),
];

/// The first two columns whose names are those of the ends of an edge.
pub(super) fn ends(header: &[String]) -> Option<[usize; 2]> {
    pairs(header).first().map(|pair| pair.places)
}

/// Two columns that are the ends of an edge by their names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pair {
    pub(super) places: [usize; 2],
    /// The words of the first name: one in `source`, two in `source_id`.
    words: Vec<String>,
}

/// Every such pair of a header; those of fewer words first, then from the left.
pub(super) fn pairs(header: &[String]) -> Vec<Pair> {
    let words: Vec<Vec<String>> = header.iter().map(|name| words(name)).collect();
    let mut found = Vec::new();
    // Pairs of a wide table are looked for among the first columns: each with each is a square.
    let words = &words[..words.len().min(256)];
    for (first, one) in words.iter().enumerate() {
        for (second, other) in words.iter().enumerate().skip(first + 1) {
            if let Some(order) = are_ends(one, other) {
                let places = if order { [first, second] } else { [second, first] };
                found.push(Pair { places, words: words[places[0]].clone() });
            }
        }
    }
    found.sort_by_key(|pair| pair.words.len());
    found
}

/// Whether a pair may be times: `start` and `end`.
pub(super) fn may_be_times(pair: &Pair) -> bool {
    pair.words == ["start"]
}

/// The one of several pairs that alone has the fewest words, as `source` beside `source_type` has, unless it may be times, or has
/// words of its own, as `Src Pt` beside `Src IP Addr` has.
pub(super) fn plainest(pairs: &[Pair]) -> Option<&Pair> {
    let (first, others) = pairs.split_first()?;
    let says_something = |word: &str| !["id", "ids", "node", "vertex"].contains(&word);
    let mut own = first.words.clone();
    own.retain(|word| says_something(word) && !is_end_word(word));
    let is_plainer = |other: &Pair| {
        first.words.len() < other.words.len() && own.iter().all(|word| other.words.contains(word))
    };
    let is_plainest = others.iter().all(is_plainer) && !may_be_times(first);
    (is_plainest || others.is_empty()).then_some(first)
}

/// Whether two names differ in one word, and there as the two ends of an edge do: `Some(true)` in this order,
/// `Some(false)` in the other.
fn are_ends(one: &[String], other: &[String]) -> Option<bool> {
    // `1` and `2` are the ends of `person1` and `person2`; alone they are numbers.
    let is_number =
        |words: &[String]| words.iter().all(|word| word.bytes().all(|b| b.is_ascii_digit()));
    if one.len() != other.len() || is_number(one) {
        return None;
    }
    let mut differing = one.iter().zip(other).filter(|(a, b)| a != b);
    let (Some((a, b)), None) = (differing.next(), differing.next()) else { return None };
    let is = |first: &str, second: &str| {
        ENDS.iter().any(|(firsts, seconds)| firsts.contains(&first) && seconds.contains(&second))
    };
    if is(a, b) {
        Some(true)
    } else if is(b, a) {
        Some(false)
    } else {
        None
    }
}

/// Whether an end may be called so.
fn is_end_word(word: &str) -> bool {
    ENDS.iter().any(|(firsts, seconds)| firsts.contains(&word) || seconds.contains(&word))
}

/// The words of a name, in lower case: `FromNodeId`, `from_node_id` and `from node id` have three, `:START_ID(Person)`
/// two, `person1` two.
fn words(name: &str) -> Vec<String> {
    // Neo4j's types and groups say nothing of the ends.
    let name = name.trim();
    let name = name.split_once('(').map_or(name, |(before, _)| before);
    let mut words: Vec<String> = Vec::new();
    // Whether the character before is a digit, and whether it is a capital.
    let mut before = None;
    for c in name.chars() {
        let kind = c.is_alphanumeric().then(|| (c.is_ascii_digit(), c.is_uppercase()));
        let goes_on =
            before == kind || (before, kind) == (Some((false, true)), Some((false, false)));
        if kind.is_some() && !goes_on {
            words.push(String::new());
        }
        if let (Some(word), true) = (words.last_mut(), kind.is_some()) {
            word.extend(c.to_lowercase());
        }
        before = kind;
    }
    words
}

/// Names of one side of a graph with two kinds of vertices, where the other side is people.
const THINGS: &str = "album app article artist author book business category club company course doc document event film game \
     group hashtag hotel item movie page paper product project repo repository restaurant song store tag team track word";

/// Whether two columns have vertices of different kinds by their names: `userId` and `movieId`, `customer` and `product`.
pub(super) fn are_of_two_kinds(one: &str, other: &str) -> bool {
    let kind = |name: &str| -> Vec<String> {
        let mut words = words(name);
        words.retain(|word| !["id", "ids", "no", "key", "name"].contains(&word.as_str()));
        words
    };
    let (one, other) = (kind(one), kind(other));
    let is_thing = |words: &[String]| {
        words.iter().any(|word| {
            let one = word.trim_end_matches('s');
            THINGS.split(' ').any(|thing| thing == one || thing == word)
        })
    };
    // `author` and `coauthor`, `product1` and `product2` are of one kind.
    let share = one
        .iter()
        .any(|a| other.iter().any(|b| a.ends_with(b.as_str()) || b.ends_with(a.as_str())));
    !share && (is_thing(&one) || is_thing(&other)) && !one.is_empty() && !other.is_empty()
}

/// The folder of a file that is called as one end of an edge and has a value, as Hive and Spark partition a table by a column:
/// `source=0`.
pub(super) fn end_folder(file: &str) -> Option<&str> {
    let mut parts: Vec<&str> = file.split(['/', '\\', ':']).collect();
    parts.pop();
    let is_end = |key: &str| {
        let mut words = words(key);
        words.retain(|word| !["id", "node", "vertex"].contains(&word.as_str()));
        matches!(&words[..], [word] if !word.starts_with(['0', '1', '2']) && is_end_word(word))
    };
    parts.into_iter().find(|part| part.split_once('=').is_some_and(|(key, _)| is_end(key)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_ends_are_told() {
        for (header, places) in [
            ("source,target", [0, 1]),
            ("Source,Target,Type,Id,Label,timeset,Weight", [0, 1]),
            ("weight,src,dst", [1, 2]),
            ("to,from", [1, 0]),
            ("FromNodeId,ToNodeId", [0, 1]),
            (":START_ID(Person),since:int,:END_ID(Person),:TYPE", [0, 2]),
            ("person1_id,person2_id", [0, 1]),
            ("creationDate,Person1Id,Person2Id", [1, 2]),
            ("numeric_id_1,numeric_id_2", [0, 1]),
            ("followee,follower", [0, 1]),
            ("userA,userB,rating", [0, 1]),
            ("source,target,source_name,target_name", [0, 1]),
            ("SENDER,RECEIVER,AMOUNT", [0, 1]),
            ("_start,_end,_type", [0, 1]),
        ] {
            let names: Vec<String> = header.split(',').map(String::from).collect();
            assert_eq!(ends(&names), Some(places), "{header}");
        }
        for header in ["person,friend,met", "1,2", "a,c", "source"] {
            let names: Vec<String> = header.split(',').map(String::from).collect();
            assert_eq!(ends(&names), None, "{header}");
        }
    }

    #[test]
    fn kinds_of_vertices_are_told() {
        for (one, other) in [
            ("userId", "movieId"),
            ("customer", "product"),
            ("user_id", "business_id"),
            ("word", "doc"),
        ] {
            assert!(are_of_two_kinds(one, other), "{one} {other}");
        }
        for (one, other) in [
            ("user", "friend"),
            ("author", "coauthor"),
            ("ProductID1", "ProductID2"),
            ("product", "also_bought_product"),
            ("lender", "borrower"),
            ("id", "movie"),
        ] {
            assert!(!are_of_two_kinds(one, other), "{one} {other}");
        }
    }

    #[test]
    fn folders_that_hold_an_end_are_told() {
        assert_eq!(end_folder("d/source=0/part-0.csv"), Some("source=0"));
        assert_eq!(end_folder("d/target_id=7/part-0.csv"), Some("target_id=7"));
        assert_eq!(end_folder("d/year=2020/part-0.csv"), None);
        assert_eq!(end_folder("source=0"), None);
    }
}

//! Formats that tell vertices and edges by what they are called: GraphML, GML, Pajek and JSON.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use proptest::prelude::*;
use tribin::Graph;
use tribin::graph::VertexId;
use tribin::read::{self, IdKind, Options};

use crate::samples::gzip;

fn read(name: &str, text: &str) -> Graph {
    read::from_bytes(name, text.as_bytes(), &Options::default()).unwrap()
}

fn refused(name: &str, text: &str) -> String {
    read::from_bytes(name, text.as_bytes(), &Options::default()).unwrap_err().to_string()
}

fn weighted(name: &str, text: &str, weight: &str) -> Result<Graph, String> {
    let mut options = Options::default();
    options.weight = Some(weight.into());
    read::from_bytes(name, text.as_bytes(), &options).map_err(|error| error.to_string())
}

/// The entries by what the file calls their ends.
fn entries(graph: &Graph) -> Vec<[String; 2]> {
    let called = |v: u32| graph.ids().id(v).to_string();
    graph.edges().iter().map(|ends| ends.map(called)).collect()
}

fn pairs(expected: &[[&str; 2]]) -> Vec<[String; 2]> {
    expected.iter().map(|ends| ends.map(String::from)).collect()
}

/// Vertices of a small graph, and its edges.
fn graphs() -> impl Strategy<Value = (u32, Vec<[u32; 2]>)> {
    (1u32..9).prop_flat_map(|n| (Just(n), prop::collection::vec([0..n, 0..n], 0..20)))
}

/// What a vertex is called: with all that has to be escaped somewhere.
fn called(v: u32) -> String {
    format!("v{v} <\"&'é\\]")
}

fn xml(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

fn graphml(n: u32, edges: &[[u32; 2]]) -> String {
    let mut text = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml>\n<key id=\"d0\" for=\"edge\" attr.name=\"w\" attr.type=\"double\"/>\n\
         <graph id=\"G\" edgedefault=\"undirected\">\n",
    );
    for v in 0..n {
        writeln!(text, "<node id=\"{}\"/>", xml(&called(v))).unwrap();
    }
    for (at, ends) in edges.iter().enumerate() {
        let [u, v] = ends.map(|v| xml(&called(v)));
        writeln!(text, "<edge source=\"{u}\" target=\"{v}\"><data key=\"d0\">{at}.5</data></edge>")
            .unwrap();
    }
    text + "</graph>\n</graphml>\n"
}

fn gml(n: u32, edges: &[[u32; 2]]) -> String {
    let mut text = String::from("Creator \"me [ ]\"\ngraph\n[\n  directed 0\n");
    for v in 0..n {
        let label = xml(&called(v));
        writeln!(text, "  node [ graphics [ x 1.0 ] id {} label \"{label}\" ]", 3 * v).unwrap();
    }
    for (at, [u, v]) in edges.iter().enumerate() {
        writeln!(text, "  edge\n  [\n    source {}\n    target {}\n    w {at}.5 ]", 3 * u, 3 * v)
            .unwrap();
    }
    text + "]\n"
}

fn node_link(n: u32, edges: &[[u32; 2]]) -> String {
    let quoted = |v: u32| serde_json::to_string(&called(v)).unwrap();
    let nodes: Vec<String> = (0..n).map(|v| format!("{{\"id\": {}}}", quoted(v))).collect();
    let link = |(at, [u, v]): (usize, &[u32; 2])| {
        format!("{{\"target\": {}, \"w\": {at}.5, \"source\": {}}}", quoted(*v), quoted(*u))
    };
    let links: Vec<String> = edges.iter().enumerate().map(link).collect();
    let (links, nodes) = (links.join(",\n"), nodes.join(", "));
    format!("{{\"directed\": false, \"links\": [{links}], \"graph\": {{}}, \"nodes\": [{nodes}]}}")
}

/// How an edge is written.
type Line<'a> = &'a dyn Fn(&[u32; 2]) -> String;

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    /// What is written by hand is read: names, order, isolated vertices and weights.
    #[test]
    fn written_by_hand((n, edges) in graphs()) {
        for (name, text) in [
            ("a.graphml", graphml(n, &edges)),
            ("a.gml", gml(n, &edges)),
            ("a.json", node_link(n, &edges)),
        ] {
            let graph = weighted(name, &text, "w").unwrap();
            let expected: Vec<_> = edges.iter().map(|ends| ends.map(called)).collect();
            prop_assert_eq!(entries(&graph), expected, "{}", name);
            prop_assert_eq!(graph.declared_vertices(), Some(n.into()));
            prop_assert_eq!(graph.vertex_bound(), n as usize);
            let weights: Vec<f64> = (0..edges.len()).map(|at| at as f64 + 0.5).collect();
            prop_assert_eq!(graph.weights(), Some(&weights[..]));
            prop_assert_eq!(graph.has_both_directions(), !edges.is_empty(), "{}", name);
            // The first bytes tell the format under any name, and compressed.
            let packed = gzip(text.as_bytes());
            let again = read::from_bytes("a.txt.gz", &packed, &Options::default()).unwrap();
            prop_assert_eq!(again.edges(), graph.edges());
        }
    }

    /// Pajek's sections, each with the same edges.
    #[test]
    fn pajek_sections((n, edges) in graphs()) {
        let distinct: BTreeSet<[u32; 2]> = edges.iter().copied().collect();
        let mut rows: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        distinct.iter().for_each(|[u, v]| rows.entry(*u).or_default().push(*v));
        let one = |v: &u32| (v + 1).to_string();
        let lines: String = distinct.iter().map(|[u, v]| format!(" {}  {} 2\r\n", u + 1, v + 1)).collect();
        let lists: String = rows
            .iter()
            .map(|(u, row)| format!("{} {}\r\n", u + 1, row.iter().map(one).collect::<Vec<_>>().join(" ")))
            .collect();
        let matrix: String = (0..n)
            .map(|u| {
                let row = (0..n).map(|v| if distinct.contains(&[u, v]) { "2" } else { "0" });
                row.collect::<Vec<_>>().join(" ") + "\r\n"
            })
            .collect();
        let expected: Vec<[String; 2]> =
            distinct.iter().map(|ends| ends.map(|v| (v + 1).to_string())).collect();
        for (section, body, both) in [
            ("*Edges", &lines, true),
            ("*ARCS", &lines, false),
            ("*edgeslist", &lists, true),
            ("*Arcslist", &lists, false),
            ("*Matrix", &matrix, false),
        ] {
            let text = format!("% made by hand\r\n*Vertices {n}\r\n{section}\r\n{body}");
            let graph = read("a.net", &text);
            prop_assert_eq!(&entries(&graph), &expected, "{}", section);
            prop_assert_eq!(graph.has_both_directions(), both && !expected.is_empty());
            prop_assert_eq!(graph.declared_vertices(), Some(n.into()));
        }
    }

    /// The kinds of JSON that have no names of their own.
    #[test]
    fn kinds_of_json((n, edges) in graphs()) {
        let lines = |line: Line, between: &str| {
            edges.iter().map(line).collect::<Vec<_>>().join(between)
        };
        let pair: Line = &|[u, v]| format!("[{u}, {v}]");
        let record: Line = &|[u, v]| format!("{{\"id\": 7, \"from\": {u}, \"to\": {v}.0}}");
        let arango: Line = &|[u, v]| format!("{{\"_key\": \"7\", \"_from\": {u}, \"_to\": {v}}}");
        let neo4j: Line =
            &|[u, v]| format!("{{\"id\": \"7\", \"start\": {{\"id\": \"{u}\"}}, \"end\": {{\"id\": \"{v}\"}}}}");
        let data: Line =
            &|[u, v]| format!("{{\"data\": {{\"id\": \"e\", \"source\": \"{u}\", \"target\": \"{v}\"}}}}");
        let expected: Vec<[String; 2]> =
            edges.iter().map(|ends| ends.map(|v| v.to_string())).collect();
        let mut rows = vec![Vec::new(); n as usize];
        edges.iter().for_each(|[u, v]| rows[*u as usize].push(v.to_string()));
        let mut sorted = edges.clone();
        sorted.sort_by_key(|[u, _]| *u);
        let in_rows: Vec<[String; 2]> =
            sorted.iter().map(|ends| ends.map(|v| v.to_string())).collect();
        let row = |(u, row): (usize, &Vec<String>)| format!("\"{u}\": [{}]", row.join(","));
        let dictionary: Vec<String> = rows.iter().enumerate().map(row).collect();
        let row = |row: &Vec<String>| {
            let ids: Vec<String> = row.iter().map(|v| format!("{{\"id\": {v}}}")).collect();
            format!("[{}]", ids.join(", "))
        };
        let nodes: Vec<String> = (0..n).map(|v| format!("{{\"id\": {v}}}")).collect();
        let adjacency: Vec<String> = rows.iter().map(row).collect();
        let row = |(u, row): (usize, &Vec<String>)| {
            format!("{{\"id\": {u}, \"neighbors\": [{}]}}", row.join(","))
        };
        let neighbours: Vec<String> = rows.iter().enumerate().map(row).collect();
        for (text, expected) in [
            (format!("[{}]", lines(pair, ",\n")), &expected),
            (format!("[{}]", lines(record, ",")), &expected),
            (lines(pair, "\n"), &expected),
            (lines(record, "\n"), &expected),
            (lines(arango, "\n"), &expected),
            (format!("{{\"type\": \"node\", \"id\": \"0\"}}\n{}", lines(neo4j, "\n")), &expected),
            (format!("{{\"graph\": {{\"nodes\": [], \"edges\": [{}]}}}}", lines(record, ",")), &expected),
            (format!("{{\"data\": {{}}, \"elements\": {{\"nodes\": [], \"edges\": [{}]}}}}", lines(data, ",")), &expected),
            (format!("{{\"elements\": [{}]}}", lines(data, ",")), &expected),
            (format!("{{{}}}", dictionary.join(", ")), &in_rows),
            (format!("{{\"nodes\": [{}], \"graph\": [], \"adjacency\": [{}]}}", nodes.join(","), adjacency.join(",")), &in_rows),
            (neighbours.join("\n"), &in_rows),
        ] {
            if edges.is_empty() {
                continue;
            }
            let graph = read("a.json", &text);
            prop_assert_eq!(&entries(&graph), expected, "{}", &text);
            let is_number = |v: u32| matches!(graph.ids().id(v), VertexId::Number(_));
            prop_assert!((0..graph.vertex_bound() as u32).all(is_number), "{}", text);
        }
    }
}

#[test]
fn directions_are_kept() {
    let mixed = "<graphml><graph edgedefault=\"directed\"><node id=\"a\"/><edge source=\"a\" target=\"b\"/>\
                 <edge source=\"b\" target=\"c\" directed=\"false\"/></graph></graphml>";
    let graph = read("a", mixed);
    assert!(!graph.has_both_directions());
    assert_eq!(entries(&graph), pairs(&[["a", "b"], ["b", "c"], ["c", "b"]]));
    let prefixed = "<?xml version=\"1.0\"?><g:graphml xmlns:g=\"http://graphml.graphdrawing.org/xmlns\">\
                    <g:graph edgedefault=\"directed\"><g:edge source=\"a\" target=\"b\"/></g:graph></g:graphml>";
    assert_eq!(entries(&read("a", prefixed)), pairs(&[["a", "b"]]));
    let pajek =
        "*Network n\n*vertices 3\n1 Ann\n2 \"Bo B\" 0.1 0.2\n3 \"Cy\"\n*arcs\n1 2 4\n*edges\n2 3\n";
    let values = "*Partition x\n*Vertices 3\n1\n2\n2\n*Vector y\n*Vertices 3\n0.5\n1\n2\n";
    let graph = weighted("a.paj", &format!("{pajek}{values}"), "weight").unwrap();
    assert_eq!(entries(&graph), pairs(&[["Ann", "Bo B"], ["Bo B", "Cy"], ["Cy", "Bo B"]]));
    assert_eq!(graph.weights(), Some(&[4.0, 1.0, 1.0][..]));
    let twice = weighted("a.paj", &format!("{pajek}{values}{pajek}"), "weight").unwrap_err();
    let told = "a.paj:21: a second network begins here: write each to a file of its own";
    assert_eq!(twice.to_string(), told);
    let directed = |text: &str| read("a.gml", text).has_both_directions();
    assert!(!directed("graph [ edge [ source 1 target 2 ] directed 1 ]"));
    assert!(directed("# a comment\ngraph [ edge [ source 1 target 2 ] ]"));
    let json = |kind: &str| read("a", &format!("{{{kind}\"links\": [{{\"u\": 1, \"v\": 2}}]}}"));
    assert!(json("\"directed\": false, ").has_both_directions());
    assert!(!json("\"directed\": true, ").has_both_directions());
    assert!(!json("").has_both_directions());
    // graphology, and the JSON Graph Format.
    assert!(json("\"options\": {\"type\": \"undirected\"}, ").has_both_directions());
    for one in ["\"undirected\": true", "\"directed\": false"] {
        let text = format!("{{\"edges\": [{{\"source\": 1, \"target\": 2, {one}}}, [2, 3]]}}");
        let graph = read("a.json", &text);
        assert_eq!(entries(&graph), pairs(&[["1", "2"], ["2", "3"], ["2", "1"]]));
    }
}

/// Edges have the names of ends that tables have, ids may be those of MongoDB, and attributes in an object of their own.
#[test]
fn objects_of_many_programs() {
    for text in [
        r#"[{"Source": "1", "Target": "2", "Type": "Undirected"}]"#,
        r#"{"source_id": 1, "target_id": 2}"#,
        r#"[{"id": 9, "sourceNodeId": 1, "targetNodeId": 2}]"#,
        r#"{"subject": "1", "predicate": "knows", "object": "2"}"#,
        r#"{"src": 1, "dst": 2}"#,
        r#"{"nodes": [{"id": 1}, {"id": 2}], "links": [{"src": 1, "dst": 2}]}"#,
        r#"{"_id": {"$oid": "9"}, "source": {"$oid": "1"}, "target": {"$oid": "2"}}"#,
        r#"{"source": {"$numberLong": "1"}, "target": {"$numberLong": "2"}}"#,
        r#"[{"data": {"id": "1"}}, {"data": {"id": "2"}}, {"data": {"id": "e", "source": "1", "target": "2"}}]"#,
        r#"{"elements": [{"group": "nodes", "data": {"id": 1}}, {"data": {"source": 1, "target": 2}}]}"#,
    ] {
        let graph = read("a.json", text);
        assert_eq!(entries(&graph), pairs(&[["1", "2"]]), "{text}");
    }
    for (text, expected) in [
        (r#"[{"node1": 1, "node2": [2]}]"#, "is no graph, no edge"),
        (r#"[{"from_id": 1, "to_id": null}]"#, "is no graph, no edge"),
        (
            r#"[{"src_ip": "a", "src_port": 1, "dst_ip": "b", "dst_port": 2}]"#,
            "is no graph, no edge",
        ),
        (r#"{"data": {"id": "1"}}"#, "is no graph, no edge"),
        (
            r#"{"elements": [{"type": "node", "id": 1}, {"type": "way", "id": 2, "nodes": [3, 4]}]}"#,
            "no list of edges",
        ),
        (r#"{"elements": [{"type": "way", "id": 2}]}"#, "is no graph, no edge"),
    ] {
        let message = refused("a.json", text);
        assert!(message.contains(expected), "{text}: {message}");
    }
    // Edges that call vertices by something else than their ids.
    let warned = |nodes: &str, edges: &str| {
        let graph = read("a.json", &format!(r#"{{"nodes": [{nodes}], "edges": [{edges}]}}"#));
        let notes = &graph.reading().unwrap().warnings;
        (graph.declared_vertices(), notes.first().cloned())
    };
    let told = Some("some ends of edges are not among the nodes".to_owned());
    let node = r#"{"id": 1, "label": "Ann"}"#;
    assert_eq!(warned(node, r#"["Ann", "Ann"]"#), (Some(2), told));
    assert_eq!(warned(node, "[1, 1]"), (Some(1), None));
    assert_eq!(warned("", "[1, 2]"), (Some(2), None));
    for inside in ["attributes", "properties"] {
        let text = format!(r#"[{{"source": 1, "target": 2, "{inside}": {{"w": 5}}}}]"#);
        assert_eq!(weighted("a.json", &text, "w").unwrap().weights(), Some(&[5.0][..]));
        assert!(weighted("a.json", &text, "x").unwrap_err().contains("has no weight `x`"));
    }
}

/// Labels are names where all vertices have one and no two the same; numbers are integers.
#[test]
fn what_vertices_are_called() {
    let gml = |labels: [&str; 2]| {
        let [one, two] = labels;
        read(
            "a.gml",
            &format!(
                "graph [ node [ id 5 {one} ] node [ id 9 {two} ] edge [ source 9 target 5 ] ]"
            ),
        )
    };
    let names = |graph: &Graph| entries(graph).concat();
    assert_eq!(names(&gml(["label \"a\"", "label \"b\""])), ["b", "a"]);
    assert_eq!(names(&gml(["label \"a\"", "label \"a\""])), ["9", "5"]);
    assert_eq!(names(&gml(["label \"a\"", ""])), ["9", "5"]);
    let notes = |graph: &Graph| graph.reading().unwrap().warnings.clone();
    let told = ["some vertices have no label of their own: vertices are called by their ids"];
    assert_eq!(notes(&gml(["label \"a\"", "label \"a\""])), told);
    assert_eq!(notes(&gml(["label \"a\"", ""])), told);
    assert!(notes(&gml(["", ""])).is_empty());
    let graph = gml(["", ""]);
    assert_eq!(graph.reading().unwrap().ids, "integers");
    let mut options = Options::default();
    options.ids = IdKind::Names;
    let graph = read::from_bytes("a.json", b"[[1, 2]]", &options).unwrap();
    assert_eq!(graph.ids().id(0), VertexId::Name("1"));
    options.ids = IdKind::Integers;
    let error = read::from_bytes("a.json", b"[[\"a\", 2]]", &options).unwrap_err();
    assert_eq!(error.to_string(), "a.json: some ids are no integers from 0 to 2^64-1");
}

/// Isolated vertices count, and those of nested graphs; ports and data of nodes say nothing.
#[test]
fn nested_graphs_and_isolated_vertices() {
    let text = "<graphml><key id=\"w\" for=\"edge\" attr.name=\"weight\"><default> 2 </default></key><graph edgedefault=\"undirected\">\
                <node id=\"a\"><port name=\"p\"/><data key=\"w\">9</data><graph edgedefault=\"directed\"><node id=\"b\"/>\
                <edge source=\"a\" target=\"b\"><data key=\"w\"><![CDATA[3]]></data></edge></graph></node><node id=\"c\"/>\
                <edge source=\"c\" target=\"a\" sourceport=\"p\"/></graph></graphml>";
    let graph = weighted("a.graphml", text, "weight").unwrap();
    assert_eq!(entries(&graph), pairs(&[["a", "b"], ["c", "a"], ["a", "c"]]));
    assert_eq!(graph.weights(), Some(&[3.0, 2.0, 2.0][..]));
    assert_eq!(graph.declared_vertices(), Some(3));
    let graph = read("a.net", "*Vertices 1000000\n*Arcs\n1 2\n");
    assert_eq!((graph.declared_vertices(), graph.edges().len()), (Some(1_000_000), 1));
}

/// NetworkX writes a key for each type of number, so that whole and fractional weights have two keys of one name.
#[test]
fn two_keys_of_one_name_in_graphml() {
    let text = "<graphml><key id=\"d1\" for=\"edge\" attr.name=\"weight\" attr.type=\"double\"/>\
                <key id=\"d0\" for=\"edge\" attr.name=\"weight\" attr.type=\"long\"/><graph edgedefault=\"undirected\">\
                <edge source=\"a\" target=\"b\"><data key=\"d0\">3</data></edge>\
                <edge source=\"b\" target=\"c\"><data key=\"d1\">0.5</data></edge></graph></graphml>";
    let graph = weighted("a.graphml", text, "weight").unwrap();
    assert_eq!(graph.weights(), Some(&[3.0, 0.5][..]));
}

/// The links of D3's older versions are places in the list of nodes.
#[test]
fn places_in_the_list_of_nodes() {
    let text = |nodes: &str| {
        format!(
            "{{\"nodes\": [{nodes}], \"links\": [{{\"source\": 1, \"target\": 0, \"value\": 4}}]}}"
        )
    };
    let graph = weighted("a.json", &text("{\"name\": \"x\"}, {\"name\": \"y\"}"), "value").unwrap();
    assert_eq!(entries(&graph), pairs(&[["y", "x"]]));
    assert_eq!(graph.weights(), Some(&[4.0][..]));
    assert_eq!(
        entries(&read("a.json", &text("{\"group\": 1}, {\"group\": 2}, {}"))),
        pairs(&[["1", "0"]])
    );
    assert_eq!(entries(&read("a.json", &text("{\"id\": 1}, {\"id\": 0}"))), pairs(&[["1", "0"]]));
    let error = refused("a.json", &text("{\"id\": \"1\"}, {\"id\": \"0\"}"));
    assert!(error.contains("whether they are ids or places"), "{error}");
    let error = refused("a.json", &text("{\"id\": \"x\"}"));
    assert_eq!(error, "a.json:1: 1 is no place in the list of 1 nodes");
}

#[test]
fn faults_have_their_place() {
    for (name, text, expected) in [
        (
            "a.json",
            "{\"source\":{\"0\":1,\"1\":2},\"target\":{\"0\":2,\"1\":3}}",
            "a.json:1: these are columns of a table, or lists of objects that are no edges: write an object",
        ),
        (
            "a.json",
            "[\n{\"source\": 1, \"target\": 2},\n{\"source\": null, \"target\": 2}]",
            "a.json:3: `null` stands where an id is expected",
        ),
        (
            "a.json",
            "{\"users\":[{\"id\":1,\"follows\":[2]},{\"id\":2,\"follows\":[1]}]}",
            "a.json:1: these are columns of a table, or lists of objects that are no edges: write an object",
        ),
        ("a.jsonl", "[1, 2]\n[1, -2]\n", "a.jsonl:2: `-2` stands where an id is expected"),
        (
            "a.jsonl",
            "{\"u\": 1, \"v\": 2}\n{\"u\": 1, \"v\": 2.5}\n",
            "a.jsonl:2: `2.5` stands where an id is expected",
        ),
        ("a.jsonl", "[1, 2]\n[1, ", "a.jsonl:2: this is no whole JSON"),
        ("a.json", "[[1, 2], [1, 2, 3, 4]]", "a.json:1: `[1, 2, 3, 4]` is no edge"),
        ("a.json", "[1, 2, 3]", "a.json:1: `1` is no graph, no edge"),
        (
            "a.json",
            "{\"name\": \"x\", \"version\": 1}",
            "a.json:1: `{\"name\": \"x\", \"version\": 1}` is no graph, no edge",
        ),
        ("a.json", "{\"a\": {\"b\": {}}}", "a.json:1: `{\"a\": {\"b\": {}}}` is no graph, no edge"),
        (
            "a.json",
            "[{\"edges\": [{\"s\": 1, \"t\": 2}]}]",
            "a.json:1: `{\"s\": 1, \"t\": 2}` is no graph, no edge",
        ),
        (
            "a.json",
            "{\"nodes\": [\"a\", \"a\"]}",
            "a.json:1: a second vertex has the id of one before it",
        ),
        ("a.json", "[[\"\", \"a\"]]", "a.json:1: a vertex has an empty id"),
        (
            "a.gml",
            "graph [\n node [ id 1 ]\n edge [ source 1 ]\n]",
            "a.gml:3: the edge has no `source` or no `target`",
        ),
        ("a.gml", "graph [\n node [ id 1 ]\n", "a.gml:3: the file ends within brackets"),
        (
            "a.gml",
            "graph [ node [ id 1 label \"a\" ]\n node [ id 1 label \"b\" ] ]",
            "a.gml:2: a second vertex has the id of one before it",
        ),
        ("a.gml", "graph [ ] graph [ ]", "a.gml:1: a second graph begins here"),
        ("a.gml", "graph [ 1 2 ]", "a.gml:1: `1` stands where a key is expected"),
        ("a.gml", "Creator \"x\n", "a.gml:1: a quote is opened here and not closed"),
        (
            "a.net",
            "*Vertices 3\n*Edges\n1 4\n",
            "a.net:3: `4` is no vertex: `*Vertices` allows the numbers 1 to 3",
        ),
        (
            "a.net",
            "*Vertices 3\n*Edges\n1\n",
            "a.net:3: `` is no vertex: `*Vertices` allows the numbers 1 to 3",
        ),
        ("a.net", "*Edges\n1 2\n", "a.net:1: there is no line `*Vertices n`"),
        (
            "a.net",
            "*Vertices 10 4\n*Edges\n1 5\n",
            "a.net:1: the network is bipartite (two-mode): 4 of its 10 vertices",
        ),
        ("a.net", "*Vertices 2\n*Matrix\n0 1\n1\n", "a.net:4: the row of vertex 2 has 1 values"),
        ("a.net", "*Vertices 2\n*Vertices 2\n", "a.net:2: a second network begins here"),
        (
            "a.net",
            "*Vertices 2\n*Links 1\n1 2\n",
            "a.net:3: the section that ends here is left aside, and no other has edges",
        ),
        ("a.net", "*Vertices x\n", "a.net:1: `*Vertices x` says no number of vertices"),
        (
            "a.graphml",
            "<graphml>\n<graph>\n<hyperedge/></graph></graphml>",
            "a.graphml:3: a hyperedge joins any number of vertices",
        ),
        (
            "a.graphml",
            "<graphml>\n<graph>\n<node/></graph></graphml>",
            "a.graphml:3: the element `node` has no attribute `id`",
        ),
        (
            "a.graphml",
            "<graphml><graph>\n<node id=\"a\"></graph>",
            "a.graphml:2: this is no whole XML",
        ),
        (
            "a.graphml",
            "<graphml><graph>\n<node id=\"a\"/>",
            "a.graphml:2: the file ends without a whole element `graph`",
        ),
        (
            "a.graphml",
            "<graphml>\n</graphml>",
            "a.graphml:2: the file ends without a whole element `graph`",
        ),
        (
            "a.graphml",
            "<graphml><graph/>\n<graph/></graphml>",
            "a.graphml:2: a second graph begins here",
        ),
    ] {
        let error = refused(name, text);
        assert!(error.starts_with(expected), "{error}\n{expected}");
    }
    let weight = |name: &str, text: &str| weighted(name, text, "w").unwrap_err();
    assert_eq!(
        weight("a.gml", "graph [ edge [ source 1 target 2 ] ]"),
        "a.gml:1: the edge has no weight `w`"
    );
    assert_eq!(weight("a.json", "[[1, 2]]"), "a.json:1: the edge has no weight `w`");
    assert_eq!(
        weight("a.json", "[[1, 2, {\"w\": \"x\"}]]"),
        "a.json:1: `x` is no weight: weights are finite numbers"
    );
    assert!(weight("a.net", "*Vertices 2\n*Arcs\n1 2\n").contains("they are called `weight`"));
}

/// Lists of edges under the extensions of these formats are lists of edges.
#[test]
fn a_list_of_edges_is_one_under_any_name() {
    for name in ["a.net", "a.gml", "a.json", "a.graphml"] {
        assert_eq!(entries(&read(name, "# a list\n0 1\n1 2\n")), pairs(&[["0", "1"], ["1", "2"]]));
    }
}

#[test]
fn columns_and_graphs_without_edges_are_told() {
    let columns = "columns of a table";
    let no_edges = "no list of edges";
    for (text, expected) in [
        (r#"{"row": [1, 2, 3], "col": [2, 3, 1]}"#, columns),
        (r#"{"a": ["x", "y", "z"], "b": ["y", "z", "x"]}"#, columns),
        (
            r#"{"nodes": [{"id": 1}, {"id": 2}], "relationships": [{"startNode": 1, "endNode": 2}]}"#,
            no_edges,
        ),
        (r#"{"nodes": [{"id": 1, "neighbors": [2]}]}"#, no_edges),
        (
            r#"{"nodes": [{"id": 1}], "edges": {"0": {"source": 1, "target": 2}}}"#,
            "a list of edges is expected",
        ),
        (r#"{"nodes": [{"id": 1}], "edges": null}"#, "a list of edges is expected"),
        (r#"{"adjacency": {"a": ["b", "c"], "b": ["c"]}}"#, "a list of the neighbours"),
    ] {
        let message = refused("a.json", text);
        assert!(message.contains(expected), "{text}: {message}");
    }
    let star = read("a.json", r#"{"hub": ["a", "b", "c", "d"]}"#);
    assert_eq!(star.edges(), [[0, 1], [0, 2], [0, 3], [0, 4]]);
    let neighbours = r#"{"a": ["b", "c"], "b": ["c", "a"], "c": ["a", "b"]}"#;
    assert_eq!(read("a.json", neighbours).edges().len(), 6);
    assert_eq!(read("a.json", r#"{"nodes": [{"id": 1}], "links": []}"#).edges().len(), 0);
}

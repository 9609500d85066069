//! Files on servers: those here listen on this machine alone.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Command, Output};
use std::sync::{Arc, Mutex};

use super::{KARATE, gzip, only_line, text, tribin};

/// What a server does besides sending objects.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Manner {
    Plain,
    /// It sends whole objects, whatever range is asked for.
    NoRanges,
    /// Half of every third answer comes.
    Breaks,
    /// Half of every answer comes that is longer than the first range.
    IsBroken,
    /// The object is another one from the third request on.
    Changes,
    /// The object has neither tag nor time.
    SaysNoVersion,
    Answers(u16),
    /// As a store of Amazon's, which wants a signature.
    Store,
}

/// The first line of a request, and its headers in lower case.
type Request = (String, BTreeMap<String, String>);

/// A server of objects by their names.
struct Server {
    address: String,
    objects: BTreeMap<String, Vec<u8>>,
    manner: Manner,
    requests: Mutex<Vec<Request>>,
    sent: Mutex<u64>,
}

impl Server {
    fn start(manner: Manner, objects: &[(&str, &[u8])]) -> Arc<Server> {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let objects = objects.iter().map(|(name, bytes)| ((*name).into(), bytes.to_vec()));
        let server = Arc::new(Server {
            address: listener.local_addr().unwrap().to_string(),
            objects: objects.collect(),
            manner,
            requests: Mutex::default(),
            sent: Mutex::default(),
        });
        let theirs = server.clone();
        std::thread::spawn(move || {
            for connection in listener.incoming() {
                let server = theirs.clone();
                std::thread::spawn(move || server.talk(connection.unwrap()));
            }
        });
        server
    }

    fn url(&self, name: &str) -> String {
        format!("http://{}/{name}", self.address)
    }

    /// Answers requests until the connection is closed, or is to be.
    fn talk(&self, connection: TcpStream) -> Option<()> {
        let mut lines = BufReader::new(connection.try_clone().unwrap()).lines();
        loop {
            let first = lines.next()?.ok()?;
            let headers = lines.by_ref().map_while(Result::ok).take_while(|line| !line.is_empty());
            let headers = headers.filter_map(|line| {
                let (name, value) = line.split_once(": ")?;
                Some((name.to_lowercase(), value.to_owned()))
            });
            let headers: BTreeMap<String, String> = headers.collect();
            let number = {
                let mut requests = self.requests.lock().unwrap();
                requests.push((first.clone(), headers.clone()));
                requests.len()
            };
            let path = first.split(' ').nth(1)?.trim_start_matches('/');
            let (status, extra, body) = self.answer(path, &headers, number);
            let is_cut = match self.manner {
                Manner::Breaks => number % 3 == 0,
                Manner::IsBroken => body.len() > 1 << 16,
                _ => false,
            };
            let head =
                format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\n{extra}\r\n", body.len());
            let body = if first.starts_with("HEAD") { &[][..] } else { &body };
            let body = if is_cut { &body[..body.len() / 2] } else { body };
            (&connection).write_all(&[head.as_bytes(), body].concat()).ok()?;
            *self.sent.lock().unwrap() += body.len() as u64;
            if is_cut {
                return None;
            }
        }
    }

    fn answer(
        &self,
        path: &str,
        headers: &BTreeMap<String, String>,
        number: usize,
    ) -> (String, String, Vec<u8>) {
        let refuse = |status: &str, body: &str| (status.into(), String::new(), body.into());
        let (path, query) = path.split_once('?').unwrap_or((path, ""));
        if let Manner::Answers(status) = self.manner {
            return refuse(&format!("{status} Said So"), "<!DOCTYPE html><html>no</html>");
        }
        let path = match self.manner {
            Manner::Store => match headers.get("authorization") {
                Some(signed) if signed.starts_with("AWS4-HMAC-SHA256 Credential=somebody/") => {
                    path.strip_prefix("bucket").unwrap().trim_start_matches('/')
                }
                _ => return refuse("403 Forbidden", "<Error><Code>AccessDenied</Code></Error>"),
            },
            _ => path,
        };
        if path.is_empty() && query.contains("list-type=2") {
            let prefix = query.split('&').find_map(|part| part.strip_prefix("prefix="));
            let prefix = prefix.unwrap_or("").replace("%2F", "/");
            let entries = self.objects.iter().filter(|(name, _)| name.starts_with(&prefix));
            let entries = entries.map(|(name, bytes)| {
                format!(
                    "<Contents><Key>{name}</Key><Size>{}</Size><LastModified>2024-01-01T00:00:00.000Z</LastModified>\
                     <ETag>\"one\"</ETag></Contents>",
                    bytes.len()
                )
            });
            let entries: String = entries.collect();
            let body = format!(
                "<ListBucketResult><IsTruncated>false</IsTruncated>{entries}</ListBucketResult>"
            );
            return ("200 OK".into(), String::new(), body.into());
        }
        let Some(object) = self.objects.get(path) else { return refuse("404 Not Found", "") };
        let tag = if self.manner == Manner::Changes && number >= 3 { "two" } else { "one" };
        let version = match self.manner {
            Manner::SaysNoVersion => String::new(),
            _ => format!("ETag: \"{tag}\"\r\nLast-Modified: Mon, 01 Jan 2024 00:00:00 GMT\r\n"),
        };
        let range = headers.get("range").filter(|_| self.manner != Manner::NoRanges);
        let Some(range) = range.and_then(|range| range.strip_prefix("bytes=")) else {
            return ("200 OK".into(), version, object.clone());
        };
        let (first, last) = range.split_once('-').unwrap();
        let (first, last): (usize, usize) = (first.parse().unwrap(), last.parse().unwrap());
        if first >= object.len() {
            return refuse("416 Range Not Satisfiable", "");
        }
        let last = last.min(object.len() - 1);
        let range = format!("{version}Content-Range: bytes {first}-{last}/{}\r\n", object.len());
        ("206 Partial Content".into(), range, object[first..=last].to_vec())
    }
}

/// The command, which takes nothing from the environment that says how stores are reached.
fn far() -> Command {
    let mut command = tribin();
    for (name, _) in std::env::vars() {
        let lower = name.to_lowercase();
        if name.starts_with("AWS_") || lower.ends_with("_proxy") {
            command.env_remove(name);
        }
    }
    command
}

fn count(command: &mut Command, args: &[&str]) -> Output {
    command.args(["count", "--device", "cpu", "--json", "--quiet"]).args(args).output().unwrap()
}

fn found(output: &Output) -> [u64; 2] {
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    ["edges", "triangles"].map(|key| report[key].as_u64().unwrap())
}

/// The one message of a command that fails.
fn message(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stdout));
    only_line(&output.stderr).to_owned()
}

/// Lines of a ring of `vertices` with a chord over each second vertex: as many triangles as vertices, and twice as many edges.
fn ring(vertices: u64, between: &str) -> String {
    let lines = (0..vertices).map(|v| {
        let [next, after] = [1, 2].map(|step| (v + step) % vertices);
        format!("{v}{between}{next}\n{v}{between}{after}\n")
    });
    lines.collect()
}

#[test]
fn far_files_count_as_those_here() {
    const VERTICES: u64 = 60_000;
    const MANY: u64 = 350_000;
    let karate = std::fs::read(KARATE).unwrap();
    let (text, table) = (ring(VERTICES, " "), gzip(ring(VERTICES, ",").as_bytes()));
    let matrix = format!(
        "%%MatrixMarket matrix coordinate pattern general\n{VERTICES} {VERTICES} {}\n{}",
        2 * VERTICES,
        // Ids are from 1 here, so 0 is another name of the last.
        ring(VERTICES, " ")
            .lines()
            .map(|line| {
                let (u, v) = line.split_once(' ').unwrap();
                let one = |id: &str| if id == "0" { VERTICES.to_string() } else { id.into() };
                format!("{} {}\n", one(u), one(v))
            })
            .collect::<String>()
    );
    let pairs: Vec<u8> = ring(VERTICES, " ")
        .split_whitespace()
        .flat_map(|id| id.parse::<u32>().unwrap().to_le_bytes())
        .collect();
    let long = ring(MANY, " ");
    let objects: [(&str, &[u8]); 7] = [
        ("long.txt", long.as_bytes()),
        ("karate.mtx", &karate),
        ("ring.txt", text.as_bytes()),
        ("ring.csv.gz", &table),
        ("ring.mtx", matrix.as_bytes()),
        ("ring.bin", &pairs),
        ("empty.txt", b""),
    ];
    assert!(long.len() > 2 * (4 << 20) && text.len() > 1 << 20, "several ranges");
    for manner in [Manner::Plain, Manner::NoRanges, Manner::Breaks, Manner::SaysNoVersion] {
        let server = Server::start(manner, &objects);
        let found = |name: &str| found(&count(&mut far(), &[&server.url(name)]));
        assert_eq!(found("karate.mtx"), [78, 45]);
        assert_eq!(found("karate.mtx?key=secret#part"), [78, 45]);
        for name in ["ring.txt", "ring.csv.gz", "ring.mtx", "ring.bin"] {
            assert_eq!(found(name), [2 * VERTICES, VERTICES], "{name}");
        }
        if manner == Manner::Plain {
            assert_eq!(found("long.txt"), [2 * MANY, MANY]);
            let small = count(&mut far(), &["--memory", "16M", &server.url("long.txt")]);
            assert_eq!(self::found(&small), [2 * MANY, MANY], "out of core");
        }
        let secret = server.url("ring.txt?key=secret");
        for args in [
            &["--dry-run", &secret][..],
            &["--memory", "16M", &secret],
            &["--explain", "--merge", &secret, &secret],
        ] {
            let output = count(&mut far(), args);
            let said = [self::text(&output.stdout), self::text(&output.stderr)].concat();
            assert_eq!(output.status.code(), Some(0), "{said}");
            assert!(said.contains("ring.txt") && !said.contains("secret"), "{said}");
        }
        let merged = count(&mut far(), &["--merge", &server.url("karate.mtx"), KARATE]);
        assert_eq!(self::found(&merged), [78, 45]);
        let empty = message(&count(&mut far(), &[&server.url("empty.txt")]));
        assert!(empty.contains("empty.txt: "), "{empty}");
    }
}

#[test]
fn what_a_server_refuses_is_one_message() {
    let karate = std::fs::read(KARATE).unwrap();
    let long = ring(100_000, " ");
    let objects: [(&str, &[u8]); 2] = [("karate.mtx", &karate), ("ring.txt", long.as_bytes())];
    let said = |manner: Manner, name: &str| {
        let server = Server::start(manner, &objects);
        let url = server.url(name);
        let shown = url.split('?').next().unwrap();
        let message = message(&count(&mut far(), &[&url]));
        message.strip_prefix(&format!("error: {shown}: ")).unwrap_or(&message).to_owned()
    };
    assert_eq!(
        said(Manner::Plain, "none.mtx?key=secret"),
        "the server has no such object (404 Not Found): check the address"
    );
    let login = "check the address, and that it can be read without a login";
    for (status, name) in [(403, "Forbidden"), (401, "Unauthorized"), (501, "Not Implemented")] {
        assert_eq!(
            said(Manner::Answers(status), "karate.mtx"),
            format!("it cannot be fetched ({status} {name}): {login}")
        );
    }
    assert_eq!(
        said(Manner::Changes, "ring.txt"),
        "the file was changed while it was read: wait until it is written, or read a copy"
    );
    let broken = said(Manner::IsBroken, "ring.txt");
    assert!(broken.starts_with("it cannot be fetched ("), "{broken}");
    // A port on which nobody listens.
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let nobody = message(&count(&mut far(), &[&format!("http://{free}/a.txt")]));
    assert!(nobody.contains("it cannot be fetched (Connection refused"), "{nobody}");
}

#[test]
fn objects_in_a_store_are_signed_for() {
    let karate = std::fs::read(KARATE).unwrap();
    let [one, two] = [b"1,2\n2,3\n", b"3,1\n3,4\n"];
    let objects: [(&str, &[u8]); 7] = [
        ("a/karate.mtx", &karate),
        ("parts/0.csv", one),
        ("parts/deep/1.csv", two),
        ("parts/_SUCCESS", b"x"),
        ("parts/_logs/0.csv", b"7,8\n"),
        ("delta/0.csv", one),
        ("delta/_delta_log/0.json", b"{}"),
    ];
    let server = Server::start(Manner::Store, &objects);
    let store = |args: &[&str]| {
        let mut command = far();
        command.env("AWS_ENDPOINT", format!("http://{}", server.address));
        command.env("AWS_ALLOW_HTTP", "true").env("AWS_REGION", "us-east-1");
        command.env("AWS_ACCESS_KEY_ID", "somebody").env("AWS_SECRET_ACCESS_KEY", "secret");
        count(&mut command, args)
    };
    assert_eq!(found(&store(&["s3://bucket/a/karate.mtx"])), [78, 45]);
    assert_eq!(found(&store(&["s3://bucket/parts/"])), [4, 1]);
    assert!(server.requests.lock().unwrap().iter().all(|(_, headers)| {
        headers.get("authorization").is_some_and(|signed| signed.contains("Signature="))
    }));
    let none = message(&store(&["s3://bucket/none.mtx"]));
    assert!(none.contains("s3://bucket/none.mtx: the server has no such object (404"), "{none}");
    let none = message(&store(&["s3://bucket/none/"]));
    assert!(none.contains("the folder holds no graph"), "{none}");
    let log = message(&store(&["s3://bucket/delta/"]));
    assert!(log.contains("this is a table of Delta"), "{log}");
    let pattern = message(&store(&["s3://bucket/parts/*.csv"]));
    assert!(pattern.contains("name a folder, which ends with `/`"), "{pattern}");
    let mut other = far();
    other.env("AWS_ENDPOINT", format!("http://{}", server.address)).env("AWS_ALLOW_HTTP", "true");
    other.env("AWS_ACCESS_KEY_ID", "nobody").env("AWS_SECRET_ACCESS_KEY", "secret");
    let refused = message(&count(&mut other, &["s3://bucket/a/karate.mtx"]));
    let said = "it cannot be fetched (403 Forbidden: <Error><Code>AccessDenied</Code></Error>): credentials are taken from variables such as AWS_ACCESS_KEY_ID";
    assert!(refused.contains(said), "{refused}");
}

/// Of a table of columns the footer and the ends of edges are fetched, and not the column beside them.
#[cfg(all(feature = "arrow", feature = "parquet"))]
#[test]
fn of_a_table_the_ends_alone_are_fetched() {
    use arrow_array::{ArrayRef, RecordBatch, StringArray, UInt64Array};
    const VERTICES: u64 = 50_000;
    let ids: Vec<u64> =
        ring(VERTICES, " ").split_whitespace().map(|id| id.parse().unwrap()).collect();
    let end = |first: usize| -> ArrayRef {
        Arc::new(UInt64Array::from_iter_values(ids.iter().skip(first).step_by(2).copied()))
    };
    let notes = (0..2 * VERTICES)
        .map(|row| format!("{:064x}", u128::from(row).wrapping_mul(u128::MAX / 7919)));
    let notes: ArrayRef = Arc::new(StringArray::from_iter_values(notes));
    let columns = [("source", end(0)), ("note", notes), ("target", end(1))];
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let mut table = Vec::new();
    let mut writer =
        parquet::arrow::ArrowWriter::try_new(&mut table, batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    let mut file = Vec::new();
    let mut writer = arrow_ipc::writer::FileWriter::try_new(&mut file, &batch.schema()).unwrap();
    writer.write(&batch).unwrap();
    writer.finish().unwrap();
    for (name, content) in [("ring.parquet", table), ("ring.arrow", file)] {
        for manner in [Manner::Plain, Manner::NoRanges] {
            let server = Server::start(manner, &[(name, &content)]);
            let output = count(&mut far(), &[&server.url(name)]);
            assert_eq!(found(&output), [2 * VERTICES, VERTICES], "{name}");
            let sent = *server.sent.lock().unwrap();
            // Record batches are fetched as a whole.
            if manner == Manner::Plain && name == "ring.parquet" {
                assert!(sent < content.len() as u64 / 2, "{name}: {sent} of {}", content.len());
            }
        }
    }
}

#[test]
fn reading_is_counted_as_it_comes_and_stops_when_it_is_told_to() {
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
    use std::time::{Duration, Instant};
    use tribin::read::{self, Options, Progress};
    let text = ring(700_000, " ");
    let table = gzip(ring(700_000, ",").as_bytes());
    let objects: [(&str, &[u8]); 2] = [("ring.txt", text.as_bytes()), ("ring.csv.gz", &table)];
    for manner in [Manner::Plain, Manner::NoRanges] {
        for (name, content) in objects {
            let server = Server::start(manner, &objects);
            let (counted, sum) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0)));
            let theirs = (counted.clone(), sum.clone());
            let progress = Progress::new(move |bytes| {
                theirs.0.fetch_add(1, Relaxed);
                theirs.1.fetch_add(bytes, Relaxed);
            });
            let options = Options { progress: Some(progress), ..Options::default() };
            let graph = read::open(server.url(name), &options).unwrap();
            assert_eq!(graph.edges().len(), 1_400_000, "{name}");
            assert_eq!(sum.load(Relaxed), content.len() as u64, "{name}");
            assert!(counted.load(Relaxed) > u64::from(name == "ring.txt"), "{name}");
            // The beginning comes several times, and so do samples of the text.
            let sent = *server.sent.lock().unwrap();
            if manner == Manner::Plain {
                let most = content.len() as u64 + 40 * (1 << 16);
                assert!(sent <= most, "{name}: {sent} bytes of {}", content.len());
            }
        }
    }

    // A server that never answers.
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/ring.txt", silent.local_addr().unwrap());
    let options = Options::default();
    let cancel = options.cancel.clone();
    std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(200));
        cancel.cancel();
    });
    let begun = Instant::now();
    let stopped = read::open(&url, &options).unwrap_err();
    assert!(matches!(stopped, tribin::Error::Cancelled), "{stopped}");
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
}

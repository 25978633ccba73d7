//! Pieces of a file, computed on all threads and written in order.

use std::io;

use rayon::prelude::*;

/// How many pieces each thread computes before they are written. The number is small because pieces stay in
/// memory until then.
const PIECES_PER_THREAD: usize = 2;

/// The state of a thread.
struct Worker<S, R> {
    tools: S,
    /// The bytes of each piece, and the result of computing it.
    pieces: [(Vec<u8>, Option<io::Result<R>>); PIECES_PER_THREAD],
}

/// Computes `count` pieces, each from its number and in an empty buffer, and passes them to `take` in order.
///
/// Tools and buffers are reused, so memory grows only with the number of threads.
pub(crate) fn in_order<S: Send, R: Send>(
    count: usize,
    tools: impl Fn() -> S,
    make: impl Fn(usize, &mut S, &mut Vec<u8>) -> io::Result<R> + Sync,
    mut take: impl FnMut(usize, &mut Vec<u8>, R) -> io::Result<()>,
) -> io::Result<()> {
    let threads = rayon::current_num_threads().min(count.div_ceil(PIECES_PER_THREAD));
    let mut workers: Vec<Worker<S, R>> = (0..threads)
        .map(|_| Worker { tools: tools(), pieces: std::array::from_fn(|_| (Vec::new(), None)) })
        .collect();
    let mut begin = 0;
    while begin < count {
        // Share out the last pieces evenly, too.
        let each = (count - begin).div_ceil(threads).min(PIECES_PER_THREAD);
        workers.par_iter_mut().enumerate().for_each(|(worker, Worker { tools, pieces })| {
            let first = begin + worker * each;
            for (number, (bytes, made)) in (first..count.min(first + each)).zip(pieces) {
                bytes.clear();
                *made = Some(make(number, tools, bytes));
            }
        });
        let pieces = workers.iter_mut().flat_map(|worker| &mut worker.pieces);
        let made = pieces.filter_map(|(bytes, made)| Some((bytes, made.take()?)));
        for (number, (bytes, made)) in (begin..).zip(made) {
            take(number, bytes, made?)?;
        }
        begin += threads * each;
    }
    Ok(())
}

/// Writes pieces that consist only of their bytes.
pub(crate) fn write(
    w: &mut (impl io::Write + ?Sized),
    count: usize,
    make: impl Fn(usize, &mut Vec<u8>) + Sync,
) -> io::Result<()> {
    in_order(
        count,
        || (),
        |number, (), bytes| {
            make(number, bytes);
            Ok(())
        },
        |_, bytes, ()| w.write_all(bytes),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn on<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
    }

    #[test]
    fn pieces_come_in_order_on_any_number_of_threads() {
        for threads in [1, 2, 3, 7] {
            for count in [0, 1, 2, 3, 5, 13, 14, 15, 100] {
                let mut bytes = Vec::new();
                on(threads, || write(&mut bytes, count, |number, out| out.extend([number as u8; 3])))
                    .unwrap();
                let wanted: Vec<u8> = (0..count).flat_map(|number| [number as u8; 3]).collect();
                assert_eq!(bytes, wanted, "{count} on {threads}");
            }
        }
    }

    #[test]
    fn a_failed_piece_ends_the_run() {
        let mut taken = Vec::new();
        let make = |number, _: &mut (), _: &mut Vec<u8>| {
            if number == 5 { Err(io::Error::other("five")) } else { Ok(number) }
        };
        let failed = on(2, || {
            in_order(
                50,
                || (),
                make,
                |number, _, made| {
                    taken.push((number, made));
                    Ok(())
                },
            )
        });
        assert_eq!(failed.unwrap_err().to_string(), "five");
        assert_eq!(taken, (0..5).map(|number| (number, number)).collect::<Vec<_>>());
    }
}

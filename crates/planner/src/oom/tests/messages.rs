//! Messages as tools print them.

use proptest::prelude::*;

use crate::oom::{LIMIT, Message, MessageError, Place, parse};
use crate::units::Bytes;

#[track_caller]
fn read(text: &str) -> Message {
    parse(text).unwrap()
}

#[track_caller]
fn is(bytes: Option<Bytes>, gib: f64) {
    let bytes = bytes.unwrap().as_gib();
    assert!((bytes - gib).abs() < 1e-6 * gib.max(1.0), "{bytes} GiB instead of {gib}");
}

const NEW: &str = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 12.94 GiB. GPU 3 \
    has a total capacity of 79.15 GiB of which 1.20 GiB is free. Process 123 has 77.90 GiB memory \
    in use. Of the allocated memory 77.65 GiB is allocated by PyTorch, and 256.00 MiB is reserved \
    by PyTorch but unallocated. If reserved but unallocated memory is large try setting \
    PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True to avoid fragmentation.";

#[test]
fn pytorch_since_2023() {
    let message = read(NEW);
    assert_eq!((message.place, message.gpu, message.copies), (Place::Device, Some(3), 1));
    is(message.tried, 12.94);
    is(message.capacity, 79.15);
    is(message.free, 1.2);
    is(message.in_process, 77.9);
    is(message.allocated, 77.65);
    is(message.reserved_unallocated, 0.25);
    assert!((message.rounding.as_gib() - 0.005).abs() < 1e-9);
}

#[test]
fn pytorch_of_2020() {
    let message = read(
        "RuntimeError: CUDA out of memory. Tried to allocate 12.94 GiB (GPU 0; 79.20 GiB total \
         capacity; 77.65 GiB already allocated; 8.10 MiB free; 77.90 GiB reserved in total by \
         PyTorch) If reserved memory is >> allocated memory try setting max_split_size_mb",
    );
    assert_eq!(message.gpu, Some(0));
    is(message.tried, 12.94);
    is(message.capacity, 79.2);
    is(message.allocated, 77.65);
    is(message.free, 8.1 / 1024.0);
    is(message.reserved_unallocated, 0.25);
}

#[test]
fn pytorch_of_2019_says_cached() {
    let message = read(
        "CUDA out of memory. Tried to allocate 20.00 MiB (GPU 1; 11.17 GiB total capacity; 10.62 \
         GiB already allocated; 9.81 MiB free; 54.36 MiB cached)",
    );
    is(message.tried, 20.0 / 1024.0);
    is(message.reserved_unallocated, 54.36 / 1024.0);
}

#[test]
fn hip_async_allocator_and_xla() {
    let hip =
        read("HIP out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 64 GiB");
    is(hip.tried, 2.0);
    is(hip.capacity, 64.0);
    let other = read(
        "torch.cuda.OutOfMemoryError: Allocation on device 2 would exceed allowed memory. (out of \
         memory)\nCurrently allocated     : 70.00 GiB\nRequested               : 512.00 MiB\n\
         Device limit            : 79.15 GiB\nFree (according to CUDA): 16.00 MiB",
    );
    is(other.tried, 0.5);
    is(other.allocated, 70.0);
    is(other.capacity, 79.15);
    assert_eq!(other.gpu, Some(2));
    let xla = read("RESOURCE_EXHAUSTED: Out of memory while trying to allocate 34359738368 bytes.");
    is(xla.tried, 32.0);
    assert_eq!(xla.place, Place::Device);
}

#[test]
fn copies_of_several_ranks_in_a_log() {
    let log = format!("[rank0]: Traceback\n  File \"a.py\"\n[rank0]: {NEW}\n[rank1]: {NEW}\n");
    let message = read(&log);
    assert_eq!(message.copies, 2);
    is(message.tried, 12.94);
    let wrapped = NEW.replace("Tried to allocate 12.94 GiB", "Tried to\nallocate\n12.94 GiB");
    is(read(&wrapped).tried, 12.94);
}

#[test]
fn the_host_and_the_communicators() {
    for text in [
        "train.sh: line 3: 4123 Killed   python train.py",
        "torch.distributed.elastic: Signal 9 (SIGKILL) received by PID 77",
        "  exitcode  : -9 (pid: 4121)",
        "container exited with code 137 (OOMKilled)",
        "RuntimeError: [enforce fail at alloc_cpu.cpp:114] DefaultCPUAllocator: can't allocate \
         memory: you tried to allocate 26843545600 bytes. Error code 12 (Cannot allocate memory)",
    ] {
        assert_eq!(read(text).place, Place::Host, "{text}");
    }
    let nccl = "ncclUnhandledCudaError: Call to CUDA function failed. Last error: Cuda failure 2 \
                'out of memory' NCCL WARN";
    assert_eq!(read(nccl).place, Place::Communicator);
    assert_eq!(read("RuntimeError: CUDA error: out of memory").tried, None);
}

#[test]
fn other_text_is_refused() {
    for text in ["", "all good", "loss 2.3, skilled worker", "GPU 0 has 12 GiB free"] {
        assert_eq!(parse(text), Err(MessageError::Nothing), "{text}");
    }
    assert_eq!(parse(&"x".repeat(LIMIT + 1)), Err(MessageError::TooLong));
}

#[test]
fn long_text_is_read_at_once() {
    for unit in ["tried to allocate ", "free", "1.2 GiB is free ", "9", "nccl ", "gpu 1", "🙂"] {
        let text = unit.repeat(LIMIT / unit.len());
        let result = parse(&text);
        assert!(result.is_err() || result.is_ok_and(|message| message.copies > 0));
    }
}

proptest! {
    #[test]
    fn no_text_is_fatal(text in "\\PC*", cut in 0usize..400) {
        drop(parse(&text));
        let end = NEW.char_indices().nth(cut).map_or(NEW.len(), |(at, _)| at);
        drop(parse(&format!("{}{text}", &NEW[..end])));
    }

    #[test]
    fn every_amount_is_read_back(mib in 1u32..4_000_000) {
        let text = format!("CUDA out of memory. Tried to allocate {mib}.00 MiB (GPU 0; 8 GiB total capacity)");
        let tried = parse(&text).unwrap().tried.unwrap();
        prop_assert_eq!(tried, Bytes::new(f64::from(mib) * 1_048_576.0));
    }
}

"""How much memory and time a command takes, measured from outside."""

import subprocess

from frame import Ran, demand


def ran_within(at, *arguments, megabytes, seconds=10):
    """Runs the command and demands that it stays below an amount of memory and of processor time.

    `time` starts the command, since a child of this process would count this process's memory as its own. Limits of
    twice the memory and of thrice the time keep a case that fails from taking the machine along.
    """
    limits = f"ulimit -t {3 * seconds}; ulimit -v {(2 * megabytes + 2000) * 1000}"
    script = f"{limits}; exec /usr/bin/time -f '%M %U %S' -o peak \"$@\""
    around = {"TERRANE_CACHE_DIR": str(at / "cache"), "NO_COLOR": "1", "PATH": "/usr/bin:/bin"}
    words = ["sh", "-c", script, "sh", at.program, *map(str, arguments)]
    ran = Ran(subprocess.run(words, cwd=at.folder, env=around, capture_output=True, timeout=600))
    resident, user, system = (at / "peak").read_text().split()[-3:]
    took = f"takes {int(resident) / 1000:.0f} MB and {float(user) + float(system):.1f} s"
    demand(ran.code in (0, 1, 2), f"ends with {ran.code}, {took}: {ran.said[:200]}")
    demand(int(resident) <= megabytes * 1000, f"{took} instead of at most {megabytes} MB: {ran.said[:200]}")
    demand(float(user) + float(system) <= seconds, f"{took} instead of at most {seconds} s: {ran.said[:200]}")
    demand("panicked" not in ran.said, f"panics: {ran.said[:300]}")
    demand(len(ran.said) < 100_000, f"says {len(ran.said)} letters")
    return ran

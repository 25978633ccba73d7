// Limits how often something is done.

/**
 * A function that calls `action` with the latest value, at most once in `pause` milliseconds: at once if
 * nothing was done for that long, and else when the time has passed.
 */
export function throttle<T>(pause: number, action: (value: T) => void): (value: T) => void {
  let waiting: { value: T } | undefined;
  let isPaused = false;
  const next = () => {
    if (waiting === undefined) {
      isPaused = false;
      return;
    }
    const { value } = waiting;
    waiting = undefined;
    isPaused = true;
    setTimeout(next, pause);
    action(value);
  };
  return (value) => {
    waiting = { value };
    if (!isPaused) next();
  };
}

/** A clock in milliseconds; passed as a dependency, so that tests can control it. */
export type Clock = () => number;

/** Returns the wall-clock time in milliseconds since 1970. */
export const systemClock: Clock = () => Date.now();

/** Returns monotonic milliseconds, for durations. */
export const monotonicClock: Clock = () => performance.now();

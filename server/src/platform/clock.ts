/** Clock in milliseconds. It is a dependency, so that tests can control time. */
export type Clock = () => number;

export const systemClock: Clock = () => Date.now();

/** Returns the monotonic time in milliseconds, for durations. */
export const monotonicClock: Clock = () => performance.now();

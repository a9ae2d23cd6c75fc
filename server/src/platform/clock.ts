/** A clock in milliseconds; a dependency, so that tests can hold it. */
export type Clock = () => number;

/** The wall clock. */
export const systemClock: Clock = () => Date.now();

/** Milliseconds that only ever grow, for durations. */
export const monotonicClock: Clock = () => performance.now();

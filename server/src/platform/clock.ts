/** Wall clock in milliseconds; a dependency, so that tests can hold it. */
export type Clock = () => number;

export const systemClock: Clock = () => Date.now();

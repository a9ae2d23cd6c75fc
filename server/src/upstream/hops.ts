/** Header that lists the installations a request has passed through, to detect loops. */
export const hopsHeader = 'x-sluice-hops';

/** A longer chain of gateways is treated as a loop. */
const hopsMax = 16;
const hopsPattern = /^[0-9a-f]{16}(,[0-9a-f]{16})*$/;

export interface Hops {
  /** Whether the request has passed through this installation before, or exceeds the maximum number of hops. */
  isLoop(given: string | string[] | undefined): boolean;
  extend(given: string | string[] | undefined): string;
}

/** `ownId` has 16 hexadecimal digits and is the same on all nodes. */
export function createHops(ownId: string): Hops {
  return {
    isLoop(given) {
      const ids = readIds(given);
      return ids.includes(ownId) || ids.length >= hopsMax;
    },
    extend: (given) => (given === undefined ? ownId : [...readIds(given), ownId].join(',')),
  };
}

/** Returns an empty list for a malformed header, which no Sluice installation sends. */
function readIds(given: string | string[] | undefined): readonly string[] {
  return typeof given === 'string' && hopsPattern.test(given) ? given.split(',') : none;
}

const none: readonly string[] = [];

/** Names the installations that a request has passed, so that one which comes back to where it was is known. */
export const hopsHeader = 'x-sluice-hops';

/** A chain of gates that is longer is a loop of some kind. */
const hopsMax = 16;
const hopsPattern = /^[0-9a-f]{16}(,[0-9a-f]{16})*$/;

export interface Hops {
  /** Whether a request with this header was here before, or goes round elsewhere. */
  isLoop(given: string | string[] | undefined): boolean;
  /** The header of a call to a provider, made for a request with the given one. */
  extend(given: string | string[] | undefined): string;
}

/** `ownId` is the same on all nodes of an installation, and tells nothing of it: 16 hexadecimal digits. */
export function createHops(ownId: string): Hops {
  return {
    isLoop(given) {
      const ids = readIds(given);
      return ids.includes(ownId) || ids.length >= hopsMax;
    },
    extend: (given) => [...readIds(given), ownId].join(','),
  };
}

/** What is no list of ids was written by nobody of us. */
function readIds(given: string | string[] | undefined): string[] {
  return typeof given === 'string' && hopsPattern.test(given) ? given.split(',') : [];
}

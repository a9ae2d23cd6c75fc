import type { Caller } from './callers.ts';
import type { World } from './world.ts';

/** Input of a route's request other than its path. */
export interface RowInput {
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
  readonly form?: Readonly<Record<string, string>>;
  /** Expected status, instead of success, of input that the tests cannot send, such as an event signed by Stripe. */
  readonly status?: number;
  /** Expected status, instead of success, for callers who act on themselves. */
  readonly statusForSelf?: number;
}

export type MakeInput = (world: World, caller: Caller) => RowInput | Promise<RowInput>;

let count = 0;

/** Returns a number that no other input has. */
export const newNumber = () => ++count;

/** Returns a name that no object has. */
export const newName = () => `new-${newNumber()}`;

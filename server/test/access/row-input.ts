import type { Caller } from './callers.ts';
import type { World } from './world.ts';

export interface RowInput {
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
  readonly form?: Readonly<Record<string, string>>;
  /** Expected status for input that the tests cannot create, such as an event signed by Stripe. */
  readonly status?: number;
  readonly statusForSelf?: number;
}

export type MakeInput = (world: World, caller: Caller) => RowInput | Promise<RowInput>;

let count = 0;

export const newNumber = () => ++count;

export const newName = () => `new-${newNumber()}`;

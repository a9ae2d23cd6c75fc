import type { DeviationPolicy, RoleName } from '@sluice/contract';
import { type DeviationEvent, type DeviationState, foldEvent, startState } from './fold.ts';
import { mayBlock } from './policy.ts';

export interface Crossing {
  readonly requestId: string;
  readonly atMs: number;
  readonly score: number;
}

export interface ReplayedPerson {
  readonly userId: number;
  requests: number;
  highest: number;
  warned: Crossing | null;
  blocked: Crossing | null;
}

export interface Replay {
  /** Adds a request with the user's current role. Call in order of admission. */
  add(userId: number, event: DeviationEvent, role: RoleName): void;
  list(): ReplayedPerson[];
}

/** Scores start at 0 for each user. Requests of a user after a simulated block are ignored. */
export function createReplay({ weights, thresholds }: DeviationPolicy): Replay {
  const people = new Map<number, ReplayedPerson & { state: DeviationState }>();
  return {
    add(userId, event, role) {
      const person = people.getOrInsertComputed(userId, startPerson);
      if (person.blocked) return;
      const { state, change } = foldEvent(person.state, event, weights);
      person.state = state;
      person.requests++;
      person.highest = Math.max(person.highest, change.after);
      const crossing = { requestId: event.id, atMs: event.atMs, score: change.after };
      if (change.after > thresholds.elevated) person.warned ??= crossing;
      const isCrossed = change.after >= thresholds.block && change.after > change.before;
      if (isCrossed && mayBlock(role)) person.blocked = crossing;
    },
    list: () => [...people.values()].map(({ state: _, ...person }) => person),
  };
}

function startPerson(userId: number) {
  return { userId, requests: 0, highest: 0, warned: null, blocked: null, state: startState };
}

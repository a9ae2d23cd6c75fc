import type { Frame } from './meter.ts';

/** Several choices take turns, as they would when they were generated side by side. */
export function* takeTurns(choices: Generator<Frame>[]): Generator<Frame> {
  let left = choices;
  while (left.length > 0) {
    const unfinished = [];
    for (const choice of left) {
      const { value, done } = choice.next();
      if (done) continue;
      yield value;
      unfinished.push(choice);
    }
    left = unfinished;
  }
}

/**
 * Work divided into steps so that other work can run in between. Before each step it yields the estimated duration in
 * microseconds.
 */
export type Steps<Result> = Generator<number, Result, void>;

/** Runs all steps at once, for work that is small or already bounded. */
export function finish<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

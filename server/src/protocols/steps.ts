/**
 * Work in steps, so that other work may come between them: before each it yields about how long the step takes, in
 * microseconds.
 */
export type Steps<Result> = Generator<number, Result, void>;

/** All steps at once, for what is small or already bounded. */
export function finish<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

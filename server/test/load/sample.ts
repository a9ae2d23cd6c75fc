import { it } from 'vitest';

/** Whether tests run at full size, as in `npm run proofs journeys samples`. */
export const isFullSize = process.env.SLUICE_FULL_TESTS === '1';

/**
 * Returns every `step`-th item from `offset` on, or all items at full size. With different offsets for different
 * subjects, the samples together cover all items.
 */
export function sample<Item>(items: readonly Item[], step: number, offset = 0): readonly Item[] {
  return isFullSize ? items : items.filter((_, index) => index % step === offset % step);
}

/** Returns the number of random cases of a property test: a fourth of `count`, or `count` at full size. */
export const sampleRuns = (count: number): number => (isFullSize ? count : Math.ceil(count / 4));

/** Defines a test that runs only at full size. */
export const itAtFullSize = it.runIf(isFullSize);

/** Defines tests like `it.each`, with every `step`-th case from `offset` on, or all cases at full size. */
export const itSampled = (step: number, offset = 0): Pick<typeof it, 'each'> => ({
  // safe because only the number of cases differs from that of `it.each`
  each: ((cases: readonly unknown[]) => it.each(sample(cases, step, offset))) as typeof it.each,
});

/** Whether sampled tests run at full size, as in `npm run proofs samples`. */
export const isFullSize = process.env.SLUICE_FULL_TESTS === '1';

/**
 * Returns every `step`-th item from `offset` on, or all of them at full size. Different offsets for different subjects
 * cover each item on some subject.
 */
export function sample<Item>(items: readonly Item[], step: number, offset = 0): readonly Item[] {
  return isFullSize ? items : items.filter((_, index) => index % step === offset % step);
}

/** Returns the number of random cases of a property: a fourth of them, or all at full size. */
export const sampleRuns = (count: number): number => (isFullSize ? count : Math.ceil(count / 4));

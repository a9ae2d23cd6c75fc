/**
 * Work divided into steps, so that other work can run in between. Before each step, the generator yields the
 * estimated duration in microseconds.
 */
export type Steps<Result> = Generator<number, Result, void>;

const stepItems = 500;

/** `microsPerItem` is the estimated duration of each call. */
export function* mapInSteps<Item, Mapped>(
  items: readonly Item[],
  microsPerItem: number,
  map: (item: Item) => Mapped,
): Steps<Mapped[]> {
  const mapped: Mapped[] = [];
  for (let start = 0; start < items.length; start += stepItems) {
    const slice = items.slice(start, start + stepItems);
    yield slice.length * microsPerItem;
    for (const item of slice) mapped.push(map(item));
  }
  return mapped;
}

export function finish<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

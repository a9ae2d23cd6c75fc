/** Yields items of several choices in turns, as if they were generated in parallel. */
export function* takeTurns<Item>(choices: Generator<Item>[]): Generator<Item> {
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

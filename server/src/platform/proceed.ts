/**
 * Calls `next` with a value: at once, or if it is a promise, when it resolves. Code that rarely has to wait needs no
 * promise otherwise; an async function takes several hundred bytes of heap even if it never waits.
 */
export function proceed<Value, Result>(
  value: Value | Promise<Value>,
  next: (value: Value) => Result | Promise<Result>,
): Result | Promise<Result> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** Maps items one after the other; returns a promise if `map` does so for any of them. */
export function mapInTurn<Item, Mapped>(
  items: readonly Item[],
  map: (item: Item) => Mapped | Promise<Mapped>,
  known: readonly Mapped[] = [],
): readonly Mapped[] | Promise<readonly Mapped[]> {
  let mapped = known;
  for (const item of known.length === 0 ? items : items.slice(known.length)) {
    const next = map(item);
    if (next instanceof Promise) return next.then((one) => mapInTurn(items, map, [...mapped, one]));
    // Has exactly the needed size, while an array that grows reserves room for 17 items.
    mapped = mapped.concat([next]);
  }
  return mapped;
}

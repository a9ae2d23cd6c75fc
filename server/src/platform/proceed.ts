/**
 * Calls `next` with a value, synchronously or when a promise resolves. Code that rarely waits thus needs no promise.
 * An async function uses several hundred bytes of heap even if it never waits.
 */
export function proceed<Value, Result>(
  value: Value | Promise<Value>,
  next: (value: Value) => Result | Promise<Result>,
): Result | Promise<Result> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** Maps items sequentially. Returns a promise if `map` returns one for any item. `known` contains the first results. */
export function mapInTurn<Item, Mapped>(
  items: readonly Item[],
  map: (item: Item) => Mapped | Promise<Mapped>,
  known: readonly Mapped[] = none,
): readonly Mapped[] | Promise<readonly Mapped[]> {
  let mapped = known;
  while (mapped.length < items.length) {
    // Safe because the index is below the length.
    const next = map(items[mapped.length] as Item);
    if (next instanceof Promise) return mapRest(items, map, mapped, next);
    // `concat` allocates the exact size. A growing array reserves room for 17 items.
    mapped = mapped.concat([next]);
  }
  return mapped;
}

const none: readonly never[] = [];

// A separate function, since a function that contains a closure allocates its variables even if it never creates the
// closure.
function mapRest<Item, Mapped>(
  items: readonly Item[],
  map: (item: Item) => Mapped | Promise<Mapped>,
  mapped: readonly Mapped[],
  next: Promise<Mapped>,
): Promise<readonly Mapped[]> {
  return next.then((one) => mapInTurn(items, map, [...mapped, one]));
}

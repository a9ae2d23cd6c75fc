/** Returns a function that calls `make` on first use and always returns the same result. */
export function memoize<Result>(make: () => Result): () => Result {
  let made: { readonly result: Result } | null = null;
  return () => {
    made ??= { result: make() };
    return made.result;
  };
}

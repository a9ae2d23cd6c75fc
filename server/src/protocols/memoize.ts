export function memoize<Result>(make: () => Result): () => Result {
  let made: { readonly result: Result } | null = null;
  return () => {
    made ??= { result: make() };
    return made.result;
  };
}

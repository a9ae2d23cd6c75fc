/** Adds the underscore spelling of Google's documented names, which callers may use too. */
export function inBothSpellings<Value>(known: Readonly<Record<string, Value>>): Record<string, Value> {
  const underscored = Object.entries(known).map(
    ([name, value]) => [name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), value] as const,
  );
  return { ...known, ...Object.fromEntries(underscored) };
}

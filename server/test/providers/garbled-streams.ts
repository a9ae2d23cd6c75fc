import fc from 'fast-check';

const junk = fc.oneof(
  fc.constantFrom('null', '[]', '{}', '"', '\\', ',', '\n\n', 'data: ', '-1', '1e999', '\u0000', '\ud800'),
  fc.string({ maxLength: 8 }),
);

/** Mutates streams by removing bytes and by inserting bytes, including `words` of the protocol. */
export function garble(streams: fc.Arbitrary<Buffer>, words: readonly string[]): fc.Arbitrary<Buffer> {
  const replacement = fc.oneof(junk, fc.constantFrom(...words));
  const edits = fc.array(fc.tuple(fc.nat(), fc.nat(40), replacement), { minLength: 1, maxLength: 6 });
  return fc.tuple(streams, edits).map(([bytes, list]) => {
    let result = bytes;
    for (const [at, length, text] of list) {
      const start = at % (result.length + 1);
      result = Buffer.concat([
        result.subarray(0, start),
        Buffer.from(text),
        result.subarray(Math.min(start + length, result.length)),
      ]);
    }
    return result;
  });
}

/** Returns a value as JSON, or as text if JSON cannot represent it. */
export function writeAnything(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'undefined';
  } catch {
    return '{';
  }
}

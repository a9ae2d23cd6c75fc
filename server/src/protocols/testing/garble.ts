import fc from 'fast-check';

const junk = fc.oneof(
  fc.constantFrom(
    'null',
    '[]',
    '{}',
    '"',
    '\\',
    ',',
    '\n',
    '\n\n',
    'data: ',
    '-1',
    '1e999',
    '\u0000',
    '\ud800',
  ),
  fc.string({ maxLength: 8 }),
);

/** A stream with some of its bytes taken out, and others put in their place; `words` are those of its protocol. */
export function garble(stream: fc.Arbitrary<Buffer>, words: readonly string[]): fc.Arbitrary<Buffer> {
  const replacement = fc.oneof(junk, fc.constantFrom(...words));
  return fc
    .tuple(stream, fc.array(fc.tuple(fc.nat(), fc.nat(40), replacement), { minLength: 1, maxLength: 6 }))
    .map(([bytes, edits]) => {
      let result = bytes;
      for (const [at, length, inserted] of edits) {
        const start = at % (result.length + 1);
        result = Buffer.concat([
          result.subarray(0, start),
          Buffer.from(inserted),
          result.subarray(Math.min(start + length, result.length)),
        ]);
      }
      return result;
    });
}

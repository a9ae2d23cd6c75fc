import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FeatureReader } from './feature-reader.ts';

const reader = new FeatureReader();

function wordsOf(text: string): string[] {
  reader.read(text);
  const words: string[] = [];
  for (let token = 0; token < reader.tokenCount; token++) {
    if (reader.isWord[token] === 1)
      words.push(text.slice(reader.tokenStarts[token], reader.tokenEnds[token]));
  }
  return words;
}

function featuresOf(text: string): number[] {
  reader.read(text);
  return [...reader.buckets.subarray(0, reader.count)];
}

test('FeatureReader records the positions of Latin, Chinese, Korean and Hindi words', () => {
  expect(wordsOf('Write tests for parse_date(), bitte schön!')).toEqual([
    'Write',
    'tests',
    'for',
    'parse_date',
    'bitte',
    'schön',
  ]);
  expect(wordsOf('写测试')).toEqual(['写', '测', '试']);
  expect(wordsOf('테스트를 작성해')).toEqual(['테스트를', '작성해']);
  expect(wordsOf('कोड समझाओ')).toEqual(['कोड', 'समझाओ']);
});

test('FeatureReader ignores capital first letters, accents and full-width forms', () => {
  const plain = featuresOf('ecris un resume');
  expect(featuresOf('écris un résumé')).toEqual(plain);
  expect(featuresOf('Écris Un Résumé')).toEqual(plain);
  expect(featuresOf('e\u0301cris un re\u0301sume\u0301')).toEqual(plain);
  expect(featuresOf('Ｅｃｒｉｓ')).toEqual(featuresOf('ecris'));
});

test('FeatureReader finds the same features after reading another text', () => {
  const text = 'Summarise this:\n\nBees navigate by the sun. They dance.\n\nIn one sentence please';
  const first = featuresOf(text);
  featuresOf('something quite different, and longer than the other one, with 12 numbers');
  expect(featuresOf(text)).toEqual(first);
});

test('FeatureReader skips the middle of a long text', () => {
  const long = (middle: string) =>
    `Write unit tests for this.\n${'alpha beta '.repeat(300)}${middle}${' gamma delta'.repeat(300)}\nThank you for it`;
  expect(featuresOf(long('one'.repeat(1000)))).toEqual(featuresOf(long('two'.repeat(1000))));
});

test('FeatureReader fits any string into its buffers', () => {
  const texts = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 3000 }),
    fc.string({ unit: 'grapheme', maxLength: 300 }).map((text) => text.repeat(40)),
  );
  fc.assert(
    fc.property(texts, (text) => {
      reader.read(text);
      expect(reader.count).toBeLessThan(reader.buckets.length);
      expect(reader.tokenCount).toBeLessThanOrEqual(reader.tokenStarts.length);
      expect(reader.zoneEnds[3]).toBe(reader.count);
    }),
  );
});

test.each(['一'.repeat(9000), 'a1'.repeat(9000), 'é '.repeat(9000), '.'.repeat(9000), ' '.repeat(9000), ''])(
  'FeatureReader fits the densest texts into its buffers (%#)',
  (text) => {
    reader.read(text);
    expect(reader.count).toBeLessThan(reader.buckets.length);
    expect(reader.tokenCount).toBeLessThanOrEqual(reader.tokenStarts.length);
  },
);

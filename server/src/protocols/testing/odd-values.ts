/** JSON texts that break code without input validation: names of built-in object members, and unexpected types. */
export const oddValues: readonly string[] = [
  '{"toString":1}',
  '{"valueOf":null,"toString":null}',
  '{"__proto__":{"type":"text"}}',
  '{"constructor":{"prototype":1}}',
  '{"toJSON":"x"}',
  '{"length":-1}',
  '{"type":"__proto__"}',
  '{}',
  '"__proto__"',
  '"constructor"',
  '"toString"',
  '"hasOwnProperty"',
  '""',
  '"\\u0000"',
  '"\\ud800"',
  '"data:"',
  '"-"',
  '[]',
  '[[]]',
  '[null]',
  '[{}]',
  '[{"toString":1}]',
  '["__proto__"]',
  'null',
  'true',
  '-1',
  '0.5',
  '1e308',
  '12345678901234567890',
];

const placeholder = '\u2042 odd \u2042';

/**
 * Yields JSON texts in which one part of the value is replaced with an odd value, or an oddly named field is added
 * next to it. `choose` selects the odd values for each part, by position.
 */
export function* putOddValues(
  value: unknown,
  choose: (values: readonly string[], position: number) => readonly string[] = (values) => values,
): Generator<string> {
  let position = 0;
  for (const replaced of replaceEach(value)) {
    const [before = '', after = ''] = JSON.stringify(replaced).split(JSON.stringify(placeholder));
    for (const odd of choose(oddValues, position++)) yield before + odd + after;
  }
}

function* replaceEach(value: unknown): Generator<unknown> {
  yield placeholder;
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const [index, part] of value.entries())
      for (const replaced of replaceEach(part)) yield value.with(index, replaced);
    return;
  }
  const fields = Object.entries(value);
  for (const name of ['__proto__', 'constructor', 'toString'])
    yield Object.fromEntries([...fields, [name, placeholder]]);
  for (const [name, part] of fields)
    for (const replaced of replaceEach(part)) yield { ...value, [name]: replaced };
}

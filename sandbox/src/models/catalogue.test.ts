import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { defaults, modelNames, resolveModel } from './catalogue.ts';

test('README documents every model and every setting', () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  for (const name of [...modelNames, ...Object.keys(defaults)]) expect(readme).toContain(`\`${name}\``);
});

test('resolveModel overrides the settings of a model with the settings after the colon', () => {
  const model = resolveModel('sandbox-slow:tokens=5,first_byte_ms=200');
  expect(model).toMatchObject({
    name: 'sandbox-slow:tokens=5,first_byte_ms=200',
    settings: { tokens: 5, interval_ms: 50, first_byte_ms: 200 },
  });
});

test('resolveModel does not apply settings to later requests', () => {
  resolveModel('sandbox-normal:tokens=5');
  expect(resolveModel('sandbox-normal')).toMatchObject({ settings: { tokens: 40 } });
});

test.each(['gpt-4o', 'sandbox', '', 'toString', ':tokens=5'])(
  'resolveModel finds no model called "%s"',
  (name) => {
    expect(resolveModel(name)).toBeNull();
  },
);

test.each([
  '',
  'tokens',
  'tokens=',
  'tokens=-1',
  'tokens=1.5',
  'tokens=100001',
  'tokens=5,tokens=6',
  'tokens=5,',
  'tokens=5, interval_ms=1',
  'speed=9',
  'toString=1',
])('resolveModel rejects the settings "%s" with a reason', (settings) => {
  expect(resolveModel(`sandbox-normal:${settings}`)).toBeTypeOf('string');
});

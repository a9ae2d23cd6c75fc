import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { contract, type RouteRow } from '@sluice/contract';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

const root = join(import.meta.dirname, '..', '..');
const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.tsx') && !path.startsWith('testing/'))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));

/** Component that parses typed numbers, and the components that only pass props to it. */
const numberFields = ['NumberField', 'Decimal', 'SecondsField', 'QuotaFields'];

const samples = [0.5, 5, 500, 5_000];

const isNumeric = (schema: z.ZodType): boolean =>
  !schema.safeParse('text').success && samples.some((sample) => schema.safeParse(sample).data === sample);

function listNumbers(schema: z.core.$ZodType, depth = 0): string[] {
  if (depth > 8) return [];
  const { def } = schema._zod;
  const nested: z.core.$ZodType[] = [];
  if (schema instanceof z.ZodUnion) nested.push(...schema.options);
  if (schema instanceof z.ZodPipe) nested.push(schema.in, schema.out);
  if ('innerType' in def) nested.push(def.innerType as z.core.$ZodType);
  const own =
    schema instanceof z.ZodObject
      ? Object.entries(schema.shape as Record<string, z.ZodType>).flatMap(([name, field]) => [
          ...(isNumeric(field) ? [name] : []),
          ...listNumbers(field, depth + 1),
        ])
      : [];
  return [...own, ...nested.flatMap((inner) => listNumbers(inner, depth + 1))];
}

const rows = Object.values(contract).flatMap((routes) => Object.values<RouteRow>(routes));
const bodies = rows
  .filter(({ surface }) => surface === 'management')
  .flatMap(({ request }) => [request?.body, request?.form, request?.query])
  .filter((schema) => schema !== undefined);
// Ids are excluded, because users select them from lists.
const numbers = new Set(
  bodies.flatMap((schema) => listNumbers(schema)).filter((name) => !/(^|_)ids?$/.test(name)),
);

/** Fields that are selected from a list, and a weight that shares its name with the category of a task. */
const chosen = new Set(['overlap_hours', 'overlap_seconds', 'days', 'category']);

describe('number fields of the console', () => {
  it('the contract contains the numbers that users type', () => {
    expect([...numbers]).toEqual(
      expect.arrayContaining([
        'amount',
        'daily_quota',
        'token_limit',
        'retention_days',
        'user_limit',
        'elevated',
      ]),
    );
  });

  it('NumberField reads every number field of a form', () => {
    const bound = /<(\w+)(?:(?!<\w)[\s\S])*?bind\('(?:\w+\.)?(\w+)'\)/g;
    const found = sources.flatMap(({ path, text }) =>
      [...text.matchAll(bound)].map(([, element = '', name = '']) => ({ path, element, name })),
    );
    const numeric = found.filter(({ name }) => numbers.has(name) && !chosen.has(name));
    expect(numeric.length).toBeGreaterThan(8);
    expect(numeric.filter(({ element }) => !numberFields.includes(element))).toEqual([]);
  });

  it('NumberField is the only component of the console that reads typed numbers', () => {
    const others =
      /<NumberInput|type="number"|inputMode="(?:decimal|numeric)"|parseFloat\(|parseInt\(|valueAsNumber/g;
    const found = sources.flatMap(({ path, text }) =>
      [...text.matchAll(others)].map(([match]) => `${path}: ${match}`),
    );
    // Card numbers, security codes and authenticator codes contain digits but are not numbers.
    const digits = [
      'components/card/simulated-card.tsx: inputMode="numeric"',
      'features/auth/second-factor-form.tsx: inputMode="numeric"',
      'features/second-factor/totp-dialog.tsx: inputMode="numeric"',
    ];
    expect(found.filter((match) => !digits.includes(match))).toEqual([
      'components/forms/number-field.tsx: inputMode="decimal"',
    ]);
  });
});

import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  contract,
  formatDecimal,
  formatTypedNumber,
  type RouteRow,
  readDecimal,
  readTypedMoney,
  readTypedNumber,
} from './index.ts';

const places = ['params', 'query', 'form', 'body'] as const;

interface NumericField {
  readonly name: string;
  readonly schema: z.ZodType;
  readonly sample: number;
  readonly isText: boolean;
}

const samples = [1, 2, 7, 16, 30, 400, 1_000, 5_000, 100_000];

const wholeField = (name: string, schema: z.ZodType): NumericField[] => {
  for (const isText of [true, false]) {
    const sample = samples.find(
      (value) => typeof schema.safeParse(isText ? String(value) : value).data === 'number',
    );
    if (sample !== undefined) return [{ name, schema, sample, isText }];
  }
  return [];
};

function listNumericFields(name: string, schema: z.core.$ZodType, depth = 0): NumericField[] {
  if (depth > 12 || schema instanceof z.ZodTransform) return [];
  const { def } = schema._zod;
  const children: [string, z.core.$ZodType][] = [];
  if (schema instanceof z.ZodObject) children.push(...Object.entries(schema.shape as z.core.$ZodShape));
  if (schema instanceof z.ZodArray) children.push(['[]', schema.element]);
  if (schema instanceof z.ZodRecord) children.push(['{}', schema.valueType]);
  if (schema instanceof z.ZodUnion)
    children.push(...schema.options.map((option, at): [string, z.core.$ZodType] => [`|${at}`, option]));
  if (schema instanceof z.ZodPipe) children.push(['', schema.out], ['', schema.in]);
  if ('innerType' in def) children.push(['', def.innerType as z.core.$ZodType]);
  const nested = children.flatMap(([part, child]) =>
    listNumericFields(part === '' ? name : `${name}.${part}`, child, depth + 1),
  );
  return [...wholeField(name, schema as z.ZodType), ...nested];
}

const rows = Object.values(contract).flatMap((routes) => Object.entries<RouteRow>(routes));
const fields = rows.flatMap(([route, { request }]) =>
  places.flatMap((place) => {
    const schema = request?.[place];
    return schema ? listNumericFields(`${route} ${place}`, schema) : [];
  }),
);

const fullWidth = (text: string) =>
  text.replace(/\d/g, (digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0));

const foreignNotations = (value: number): unknown[] => [
  `0x${value.toString(16)}`,
  `0X${value.toString(16)}`,
  `0b${value.toString(2)}`,
  `0o${value.toString(8)}`,
  `${value}e0`,
  `${value / 10}e1`,
  `${value / 10}E+1`,
  `+${value}`,
  ` ${value}`,
  `${value} `,
  `\t${value}\n`,
  `\u00a0${value}`,
  `\ufeff${value}`,
  `${value}.`,
  `0${value}`,
  `${value}n`,
  `${value},0`,
  `${value}_0`,
  `${String(value)[0]}_${String(value).slice(1) || 0}`,
  `--${value}`,
  `${value}.0.0`,
  fullWidth(String(value)),
  '.5',
  '-0',
  'Infinity',
  '-Infinity',
  'NaN',
  'true',
  '0x',
  ' ',
  true,
  false,
  [value],
  [String(value)],
  {},
  Number.NaN,
  Number.POSITIVE_INFINITY,
];

describe('numeric fields of the contract', () => {
  it('listNumericFields finds numbers in paths, queries and bodies', () => {
    const names = fields.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining([
        'createPaymentIntent query.amount',
        'listUsers query.skip',
        'listLogs query.cost_above',
        'getUser params.id',
        'getWebhookEvent params.id',
        'rechargeCredits body.amount',
        'setLowBalanceThreshold body.threshold',
        'createChatCompletion body.max_tokens',
      ]),
    );
    expect(fields.length).toBeGreaterThan(150);
  });

  it('numeric fields accept decimal notation only', () => {
    const accepted = fields.flatMap(({ name, schema, sample }) =>
      foreignNotations(sample)
        .filter((value) => typeof schema.safeParse(value).data === 'number')
        .map((value) => `${name}: ${JSON.stringify(value)}`),
    );
    expect(accepted).toEqual([]);
  });

  it('the errors of the query fields limit and amount name the problem', () => {
    const { query } = contract.users.listUsers.request;
    expect(query.safeParse({ limit: '0x10' }).error?.issues[0]?.message).toBe(
      'Limit must be a number in decimal notation, such as 12.5',
    );
    const { query: payment } = contract.payments.createPaymentIntent.request;
    const messageOf = (amount: string) => payment.safeParse({ amount }).error?.issues[0]?.message;
    expect(messageOf('0x10')).toBe('Please enter a valid amount greater than 0');
    expect(messageOf('10.001')).toBe('An amount can have at most 2 decimals');
    expect(messageOf('10.00000000000000000001')).toBe('Amount has too many digits to be stored exactly');
    expect(messageOf('10.00')).toBeUndefined();
  });
});

describe('readDecimal', () => {
  it.each([
    ['0', 0],
    ['5.00', 5],
    ['-12.5', -12.5],
    ['0.000000001', 1e-9],
    ['9007199254740991', Number.MAX_SAFE_INTEGER],
    ['9007199254740993', undefined],
    ['0.10000000000000000001', undefined],
    ['99999999999999999', undefined],
    ['', undefined],
    ['1e1', undefined],
  ])('readDecimal reads %j as %j', (text, value) => {
    expect(readDecimal(text)).toBe(value);
  });

  it('readDecimal reads what formatDecimal writes', () => {
    for (const value of [0, 1, -2.5, 0.1, 1e-7, 1.5e-9, 123456.789, Number.MAX_SAFE_INTEGER]) {
      expect(readDecimal(formatDecimal(value)), String(value)).toBe(value);
    }
  });
});

describe('readTypedNumber', () => {
  it.each([
    ['2,500', 2_500],
    ['2,500.00', 2_500],
    ['1,234.56', 1_234.56],
    ['-1,234,567.8', -1_234_567.8],
    ['1234.56', 1_234.56],
    [' 25 ', 25],
    ['0.5', 0.5],
    ['0', 0],
  ])('readTypedNumber reads %j as %j', (text, value) => {
    expect(readTypedNumber(text)).toBe(value);
  });

  it.each([
    '2,50',
    '2,5',
    '1.234,56',
    '1.234.567',
    '2.500',
    '-12.000',
    '1,2345',
    '1234,567',
    '12,34,567',
    '0,500',
    ',500',
    '1,234,',
    '1 234',
    '1\u00a0234',
    "1'234",
    '1e3',
    '0x10',
    '+5',
    '٣',
    'five',
    '-',
    '',
  ])('readTypedNumber rejects %j', (text) => {
    expect(readTypedNumber(text)).toBeUndefined();
  });

  it('readTypedNumber reads what formatTypedNumber writes', () => {
    for (const value of [0, 0.1, 1e-9, -2.5, 999, 1_000, 1_234.56, 123_456.789, Number.MAX_SAFE_INTEGER]) {
      expect(readTypedNumber(formatTypedNumber(value)), String(value)).toBe(value);
    }
    expect(formatTypedNumber(1_234.56)).toBe('1,234.56');
  });
});

describe('readTypedMoney', () => {
  it.each([
    ['$1,234.56', 1_234.56],
    ['-$1,234.56', -1_234.56],
    ['$2,500', 2_500],
    ['2,500.00', 2_500],
    ['0.000123', 0.000123],
    ['0.125', 0.125],
    [' 25 ', 25],
  ])('readTypedMoney reads %j as %j', (text, value) => {
    expect(readTypedMoney(text)).toBe(value);
  });

  it.each([
    '1.234',
    '-1.234',
    '$1.234',
    '2.500',
    '1.234,56',
    '2,50',
    '$',
    '$$1',
    '$-1',
    '1$',
    '€5',
    '5 $',
    '',
  ])('readTypedMoney rejects %j', (text) => {
    expect(readTypedMoney(text)).toBeUndefined();
  });
});

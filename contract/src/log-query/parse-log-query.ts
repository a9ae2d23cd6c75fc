import { z } from 'zod';
import { formatDecimal, readTypedNumber } from '../decimal-number.ts';
import { type LogQuery, logQueryFields, logQueryFilters, momentForms } from './log-query.ts';

export interface ParsedLogQuery {
  readonly filters: LogQuery;
  /** If there are problems, `filters` contains only the valid filters. */
  readonly problems: readonly string[];
  readonly places: readonly { readonly start: number; readonly end: number }[];
}

/** Matches one part of a search line: an optional field with its operator, and a value. */
const part = /([a-z_]+[:<>])?(?:"((?:[^"\\]|\\.)*)"|([^\s"]+))?/y;
const anyField = /^[-!]?[a-z_]+[:<>]/;
const negation = /^[-!][a-z_]+[:<>]/;

/**
 * Parses a line such as `status:error model:gpt* user:ann cost>0.01 "out of memory"`. Values with spaces are quoted,
 * with `\"` and `\\` as escapes. Parts without a field are search terms.
 */
export function parseLogQuery(line: string): ParsedLogQuery {
  const filters: Record<string, unknown> = {};
  const words: string[] = [];
  const problems: string[] = [];
  const places: { start: number; end: number }[] = [];
  for (const { sign, value, isQuoted, start, end } of splitLine(line)) {
    const problem = sign === '' ? addWord(words, value, isQuoted) : addField(filters, sign, value);
    if (!problem) continue;
    problems.push(problem);
    places.push({ start, end });
  }
  const search = words.join(' ');
  if (search.length > searchMax) {
    problems.push(`The search text can have at most ${searchMax} characters.`);
    places.push({ start: 0, end: line.length });
  }
  const isSearch = search !== '' && search.length <= searchMax;
  return { filters: isSearch ? { ...filters, search } : filters, problems, places };
}

const searchMax = 200;

interface Part {
  readonly sign: string;
  readonly value: string;
  /** `null` if the closing quote is missing. */
  readonly isQuoted: boolean | null;
  readonly start: number;
  readonly end: number;
}

function* splitLine(line: string): Generator<Part> {
  let at = 0;
  while (at < line.length) {
    if (/\s/.test(line.charAt(at))) {
      at += 1;
      continue;
    }
    part.lastIndex = at;
    const [whole = '', sign = '', quoted, bare = ''] = part.exec(line) ?? [];
    if (whole === '') {
      yield { sign: '', value: '', isQuoted: null, start: at, end: line.length };
      return;
    }
    const value = quoted?.replaceAll(/\\(.)/g, '$1') ?? bare;
    yield { sign, value, isQuoted: quoted !== undefined, start: at, end: at + whole.length };
    at += whole.length;
  }
}

function addWord(words: string[], value: string, isQuoted: boolean | null): string | undefined {
  if (isQuoted === null) return 'A quote is not closed.';
  if (!isQuoted && negation.test(value))
    return `"${value}" excludes rows, which is not supported. Put text to search for in quotes.`;
  if (value !== '' || isQuoted) words.push(value);
  return undefined;
}

function addField(filters: Record<string, unknown>, sign: string, value: string): string | undefined {
  const field = logQueryFields.get(sign);
  const name = sign.slice(0, -1);
  if (!field) {
    const names = [...logQueryFields.keys()].join(' ');
    return `"${sign}" is not a field. Fields are: ${names}. Put text to search for in quotes.`;
  }
  if (Object.hasOwn(filters, field)) return `"${sign}" appears twice.`;
  if (value === '') return `"${sign}" has no value.`;
  if (/[<>]$/.test(sign) && value.startsWith('='))
    return `"${sign}=" is not supported. Use "${sign}" instead.`;
  const parsed = parseValue(logQueryFilters[field], value);
  if (!parsed.success) return `"${value}" is not a valid value for ${name}${explainValues(field)}.`;
  filters[field] = parsed.data;
  return undefined;
}

/** Numbers may have thousands separators. */
function parseValue(schema: z.ZodType, value: string) {
  const parsed = schema.safeParse(value);
  const number = parsed.success ? undefined : readTypedNumber(value);
  return number === undefined ? parsed : schema.safeParse(number);
}

function explainValues(field: keyof LogQuery): string {
  const schema: z.ZodType = logQueryFilters[field];
  if (field === 'since' || field === 'until') return `; it must ${momentForms}`;
  if (field === 'label') return '; it must have the form name=value, such as cost_center=4711';
  const inner = schema instanceof z.ZodOptional ? schema.unwrap() : schema;
  if (inner instanceof z.ZodEnum) return `; it must be one of ${inner.options.join(', ')}`;
  return inner instanceof z.ZodString ? '' : '; it must be a number of at least 0';
}

/** Returns the search line that parses to these filters. */
export function formatLogQuery({ search, ...filters }: LogQuery): string {
  const fields = [...logQueryFields].flatMap(([sign, name]) => {
    const value = filters[name];
    return value === undefined || value === ''
      ? []
      : [`${sign}${quote(typeof value === 'number' ? formatDecimal(value) : value)}`];
  });
  return [...fields, ...(search ? [formatSearch(search)] : [])].join(' ');
}

function formatSearch(search: string): string {
  const isPlain = search
    .split(' ')
    .every((word) => word !== '' && !/[\s"]/.test(word) && !anyField.test(word));
  return isPlain ? search : quote(search, true);
}

function quote(value: string, isForced = false): string {
  return isForced || /[\s"]/.test(value) ? `"${value.replaceAll(/["\\]/g, '\\$&')}"` : value;
}

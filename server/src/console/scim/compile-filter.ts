import { and, not, or, type SQL, sql } from 'drizzle-orm';
import { invalid } from '#errors/scim-error.ts';
import { type AttributeName, type Filter, type Literal, type Operator, parseId } from './parse-filter.ts';

type Field =
  | {
      readonly kind: 'text';
      readonly value: SQL;
      /** Normalizes a filter value for comparison with `value`. Absent if comparisons are case-sensitive. */
      readonly fold?: (text: string) => string;
    }
  | { readonly kind: 'id'; readonly value: SQL }
  | { readonly kind: 'boolean'; readonly value: SQL }
  | { readonly kind: 'instant'; readonly value: SQL }
  | { readonly kind: 'parts'; readonly fields: Fields }
  /** Multi-valued attribute. A filter without a sub-attribute compares `value`. */
  | { readonly kind: 'values'; readonly fields: Fields; readonly exists: (condition: SQL) => SQL };

export type Fields = Readonly<Record<string, Field>>;

/**
 * Compiles a filter to an SQL condition. Comparisons with a missing value are null, so that indexes can be used;
 * `not` treats null as false.
 * @throws ScimError 400 `invalidFilter` if an attribute or comparison is not supported
 */
export function compileFilter(filter: Filter, fields: Fields): SQL {
  switch (filter.kind) {
    case 'and':
      return and(...filter.filters.map((part) => compileFilter(part, fields))) ?? sql`true`;
    case 'or':
      return or(...filter.filters.map((part) => compileFilter(part, fields))) ?? sql`false`;
    case 'not':
      return sql`NOT coalesce((${compileFilter(filter.filter, fields)}), false)`;
    case 'within': {
      const field = fields[filter.name.attribute];
      if (field?.kind !== 'values') throw unsupported(filter.name);
      return field.exists(compileFilter(filter.filter, field.fields));
    }
    default:
      return compileLeaf(filter, fields);
  }
}

type Leaf = Extract<Filter, { kind: 'present' | 'compare' }>;

function compileLeaf(leaf: Leaf, fields: Fields): SQL {
  const { name } = leaf;
  const field = Object.hasOwn(fields, name.attribute) ? fields[name.attribute] : undefined;
  if (!field) throw unsupported(name);
  if (field.kind === 'values' || field.kind === 'parts') {
    const isAny = field.kind === 'values' && leaf.kind === 'present' && name.sub === null;
    if (isAny) return field.exists(sql`true`);
    if (field.kind === 'parts' && name.sub === null) throw unsupported(name);
    const inner = { ...leaf, name: { attribute: name.sub ?? 'value', sub: null } };
    const condition = compileLeaf(inner, field.fields);
    return field.kind === 'values' ? field.exists(condition) : condition;
  }
  if (name.sub !== null) throw unsupported(name);
  if (leaf.kind === 'present') return present(field);
  const { operator, value } = leaf;
  if (value === null && (operator === 'eq' || operator === 'ne'))
    return operator === 'eq' ? not(present(field)) : present(field);
  return compare(field, operator, value, name);
}

type Simple = Exclude<Field, { kind: 'parts' | 'values' }>;

function present({ kind, value }: Simple): SQL {
  return kind === 'text' ? sql`coalesce(${value} <> '', false)` : sql`(${value} IS NOT NULL)`;
}

function compare(field: Simple, operator: Operator, value: Literal, name: AttributeName): SQL {
  switch (field.kind) {
    case 'boolean':
      return compareBoolean(field.value, operator, value, name);
    case 'instant':
      return compareInstant(field.value, operator, value, name);
    case 'id': {
      if (typeof value !== 'string') throw mismatch(name, 'a text');
      if (operator !== 'eq') return compareText(sql`${field.value}::text`, operator, value);
      return sql`${field.value} = ${parseId(value) ?? 0}`;
    }
    case 'text': {
      if (typeof value !== 'string') throw mismatch(name, 'a text');
      return compareText(field.value, operator, field.fold?.(value) ?? value);
    }
  }
}

function compareBoolean(column: SQL, operator: Operator, value: Literal, name: AttributeName): SQL {
  // Entra ID sends booleans as strings.
  const given = typeof value === 'string' ? value.toLowerCase() : String(value);
  if ((operator !== 'eq' && operator !== 'ne') || !['true', 'false'].includes(given))
    throw mismatch(name, 'true or false, with eq or ne');
  return (given === 'true') === (operator === 'eq') ? column : not(column);
}

const order = {
  eq: sql`=`,
  ne: sql`IS DISTINCT FROM`,
  gt: sql`>`,
  ge: sql`>=`,
  lt: sql`<`,
  le: sql`<=`,
} as const;
const isOrder = (operator: Operator): operator is keyof typeof order => Object.hasOwn(order, operator);

function compareInstant(column: SQL, operator: Operator, value: Literal, name: AttributeName): SQL {
  const atMs = typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(atMs) || !isOrder(operator))
    throw mismatch(name, 'a timestamp, such as "2026-01-31T12:00:00Z"');
  const instant = new Date(atMs).toISOString();
  return sql`date_trunc('milliseconds', ${column}) ${order[operator]} ${instant}::timestamptz`;
}

function compareText(column: SQL, operator: Operator, text: string): SQL {
  if (isOrder(operator)) {
    if (operator === 'eq' || operator === 'ne') return sql`${column} ${order[operator]} ${text}::text`;
    return sql`${column} COLLATE "C" ${order[operator]} ${text}::text`;
  }
  if (operator === 'sw') return sql`starts_with(${column}, ${text}::text)`;
  if (operator === 'co') return sql`strpos(${column}, ${text}::text) > 0`;
  return sql`right(${column}, length(${text}::text)) = ${text}::text`;
}

function unsupported({ attribute, sub }: AttributeName): Error {
  const name = sub === null ? attribute : `${attribute}.${sub}`;
  return invalid('invalidFilter', `The attribute "${name.slice(0, 100)}" cannot be filtered in this way.`);
}

function mismatch({ attribute }: AttributeName, expected: string): Error {
  return invalid(
    'invalidFilter',
    `The attribute "${attribute.slice(0, 100)}" must be compared with ${expected}.`,
  );
}

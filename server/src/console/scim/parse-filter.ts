import { scimFilterMax, scimSchemas } from '@sluice/contract';
import { invalid } from '#errors/scim-error.ts';

const operators = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const;
export type Operator = (typeof operators)[number];

export type Literal = string | number | boolean | null;

export interface AttributeName {
  readonly attribute: string;
  readonly sub: string | null;
}

/** Filter tree (RFC 7644, section 3.4.2.2). */
export type Filter =
  | { readonly kind: 'and' | 'or'; readonly filters: readonly Filter[] }
  | { readonly kind: 'not'; readonly filter: Filter }
  | { readonly kind: 'present'; readonly name: AttributeName }
  | {
      readonly kind: 'compare';
      readonly name: AttributeName;
      readonly operator: Operator;
      readonly value: Literal;
    }
  | { readonly kind: 'within'; readonly name: AttributeName; readonly filter: Filter };

/** Target of a PATCH operation (RFC 7644, section 3.5.2). */
export interface PatchPath extends AttributeName {
  readonly filter: Filter | null;
  /** Whether the path names an unsupported extension. */
  readonly isForeign: boolean;
}

const depthMax = 20;
const comparisonsMax = 60;

/**
 * @throws ScimError 400 `invalidFilter` for invalid syntax, or for more than 4,000 characters, 60 comparisons or 20
 * levels
 */
export function parseFilter(text: string): Filter {
  const parser = new Parser(text, 'invalidFilter');
  const filter = parser.parseOr(0, false);
  parser.requireEnd();
  return filter;
}

/**
 * Parses the path of a PATCH operation, such as `members[value eq "7"]` or `name.givenName`. A schema URN without an
 * attribute refers to the resource itself and results in an empty attribute name.
 * @throws ScimError 400 `invalidPath` for invalid syntax
 */
export function parsePath(text: string): PatchPath {
  if (/^urn:/i.test(text) && !isOwnUrn(text)) {
    return { attribute: '', sub: null, filter: null, isForeign: true };
  }
  const parser = new Parser(text.trim(), 'invalidPath');
  const path = parser.parsePath();
  parser.requireEnd();
  return path;
}

/** Quoted string, bracket or word. Words may contain dots and colons. */
const token = /\s*(?:("(?:[^"\\]|\\.)*")|([()[\]])|([^\s()[\]"]+))/y;

class Parser {
  readonly #refuse: Refuse;
  readonly #tokens: readonly string[];
  #place = 0;
  #comparisons = 0;

  constructor(text: string, scimType: 'invalidFilter' | 'invalidPath') {
    this.#refuse = (reason) => invalid(scimType, reason);
    if (text.length > scimFilterMax)
      throw this.#refuse(`The filter has ${text.length} characters; at most ${scimFilterMax} are allowed.`);
    this.#tokens = tokenize(text, this.#refuse);
  }

  /** `isInside` is true within brackets, which cannot be nested. */
  parseOr(depth: number, isInside: boolean): Filter {
    if (depth > depthMax) throw this.#refuse(`The filter is nested more than ${depthMax} levels deep.`);
    const parseAnd = () => this.#parseChain('and', () => this.#parseTerm(depth, isInside));
    return this.#parseChain('or', parseAnd);
  }

  parsePath(): PatchPath {
    const name = parseName(this.#take(), this.#refuse, true);
    if (this.#peek() !== '[') return { ...name, filter: null, isForeign: false };
    const filter = this.#parseGroup(']', 0, true);
    const hasSub = this.#peek()?.startsWith('.') ?? false;
    const sub = hasSub ? parseName(this.#take().slice(1), this.#refuse).attribute : null;
    return { ...name, sub, filter, isForeign: false };
  }

  requireEnd(): void {
    if (this.#place < this.#tokens.length) throw this.#refuse(`Unexpected "${this.#peek()}".`);
  }

  #peek(): string | undefined {
    return this.#tokens[this.#place];
  }

  #isWord(word: string): boolean {
    return this.#peek()?.toLowerCase() === word;
  }

  #take(expected?: string): string {
    const next = this.#tokens[this.#place++];
    if (next !== undefined && (expected === undefined || next === expected)) return next;
    const place = next === undefined ? 'the end' : `"${next.slice(0, 100)}"`;
    throw this.#refuse(`Expected ${expected ?? 'more'} at ${place}.`);
  }

  #parseChain(kind: 'or' | 'and', parsePart: () => Filter): Filter {
    const filters = [parsePart()];
    while (this.#isWord(kind)) {
      this.#place++;
      filters.push(parsePart());
    }
    return filters.length === 1 && filters[0] ? filters[0] : { kind, filters };
  }

  #parseGroup(close: ')' | ']', depth: number, isInside: boolean): Filter {
    this.#place++;
    const filter = this.parseOr(depth + 1, isInside);
    this.#take(close);
    return filter;
  }

  #parseTerm(depth: number, isInside: boolean): Filter {
    if (this.#peek() === '(') return this.#parseGroup(')', depth, isInside);
    if (this.#isWord('not') && this.#tokens[this.#place + 1] === '(') {
      this.#place++;
      return { kind: 'not', filter: this.#parseGroup(')', depth, isInside) };
    }
    const name = parseName(this.#take(), this.#refuse);
    if (this.#peek() === '[' && !isInside) return this.#parseWithin(name, depth);
    return this.#parseComparison(name);
  }

  /**
   * Parses the brackets of a multi-valued attribute. A comparison may follow with a sub-attribute, as sent by Entra
   * ID.
   */
  #parseWithin(name: AttributeName, depth: number): Filter {
    const filter = this.#parseGroup(']', depth, true);
    if (!this.#peek()?.startsWith('.')) return { kind: 'within', name, filter };
    const comparison = this.#parseComparison(parseName(this.#take().slice(1), this.#refuse));
    return { kind: 'within', name, filter: { kind: 'and', filters: [filter, comparison] } };
  }

  #parseComparison(name: AttributeName): Filter {
    if (++this.#comparisons > comparisonsMax)
      throw this.#refuse(`The filter has more than ${comparisonsMax} comparisons.`);
    const word = this.#take().toLowerCase();
    if (word === 'pr') return { kind: 'present', name };
    const operator = operators.find((known) => known === word);
    if (!operator) throw this.#refuse(`"${word.slice(0, 100)}" is not an operator.`);
    return { kind: 'compare', name, operator, value: parseLiteral(this.#take(), this.#refuse) };
  }
}

type Refuse = (reason: string) => Error;

function tokenize(text: string, refuse: Refuse): string[] {
  const tokens: string[] = [];
  token.lastIndex = 0;
  const end = text.trimEnd().length;
  while (token.lastIndex < end) {
    const at = token.lastIndex;
    const [, quoted, bracket, word] = token.exec(text) ?? [];
    const found = quoted ?? bracket ?? word;
    if (found === undefined) throw refuse(`Invalid syntax at character ${at + 1}.`);
    tokens.push(found);
  }
  return tokens;
}

function parseLiteral(text: string, refuse: Refuse): Literal {
  try {
    const value: unknown = JSON.parse(/^(true|false|null)$/i.test(text) ? text.toLowerCase() : text);
    if (typeof value === 'string' && (value.includes('\0') || !value.isWellFormed()))
      throw refuse('A string must not contain NUL or unpaired surrogate characters.');
    return value as Literal; // safe because a token is never an object or an array
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw refuse(`"${text.slice(0, 100)}" is not a value. Strings need double quotes.`);
  }
}

const ownUrns = Object.values(scimSchemas).map((urn) => urn.toLowerCase());
const isOwnUrn = (text: string) => ownUrns.some((urn) => text.toLowerCase().startsWith(urn));

function parseName(text: string, refuse: Refuse, canBeResource = false): AttributeName {
  const lower = text.toLowerCase();
  const urn = ownUrns.find((known) => lower === known || lower.startsWith(`${known}:`));
  const local = urn === undefined ? lower : lower.slice(urn.length + 1);
  if (local === '' && urn !== undefined && canBeResource) return { attribute: '', sub: null };
  const [, attribute = '', sub = null] = /^([a-z$][\w-]*)(?:\.([a-z$][\w-]*))?$/.exec(local) ?? [];
  if (attribute === '') throw refuse(`"${text.slice(0, 100)}" is not the name of an attribute.`);
  return { attribute, sub };
}

const idMax = 2_147_483_647;

/** Returns `null` if the text is not a database id. */
export function parseId(text: string): number | null {
  return /^[1-9]\d{0,9}$/.test(text) && Number(text) <= idMax ? Number(text) : null;
}

import {
  type Document,
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
} from 'yaml';
import { findExcess } from './bounds.ts';
import type { Fault, Place } from './faults.ts';

export type Path = readonly (string | number)[];

export interface ParsedFile {
  readonly file: string;
  readonly value: unknown;
  /**
   * Returns the position of a value, or of the closest containing value. With `isName`, returns the position of the
   * value's name.
   */
  placeOf(path: Path, isName?: boolean): Place;
}

/** Maximum number of values in expanded aliases. */
const aliasesMax = 100;

/** Parses YAML, which includes JSON. Faults never quote the text of the file, since it may contain secrets. */
export function parseFile(file: string, text: string): ParsedFile | { readonly faults: readonly Fault[] } {
  const excess = findExcess(text);
  if (excess) return { faults: [{ file, ...excess }] };
  const lines = new LineCounter();
  const placeAt = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { file, line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  try {
    const document = parseDocument(text, {
      lineCounter: lines,
      prettyErrors: false,
      strict: true,
      uniqueKeys: true,
      version: '1.2',
    });
    const faults = document.errors.map(({ code, pos }) => ({ ...placeAt(pos[0]), message: describe(code) }));
    if (faults.length > 0) return { faults };
    return {
      file,
      value: document.toJS({ maxAliasCount: aliasesMax }),
      placeOf: (path, isName = false) => placeAt(findOffset(document, path, isName)),
    };
  } catch (error) {
    const message =
      error instanceof RangeError
        ? 'The file is nested too deeply'
        : 'An alias is unknown, or aliases repeat too many values';
    return { faults: [{ file, line: 1, column: 1, message }] };
  }
}

const messages: Readonly<Record<string, string>> = {
  BAD_INDENT: 'The indentation is wrong',
  TAB_AS_INDENT: 'Tabs cannot indent YAML; use spaces',
  DUPLICATE_KEY: 'This field occurs twice',
  MULTIPLE_DOCS: 'A file can contain only one YAML document',
  MISSING_CHAR: 'A quote, bracket, comma or colon is missing',
  BLOCK_IN_FLOW: 'A block cannot be inside braces or brackets',
  UNEXPECTED_TOKEN: 'This text is not expected here',
  TAG_RESOLVE_FAILED: 'This tag is not supported',
  BAD_ALIAS: 'An alias or anchor is invalid',
};

const describe = (code: string) => `${messages[code] ?? 'This is not valid YAML'} (${code})`;

function findOffset(document: Document, path: Path, isName: boolean): number {
  let node: unknown = document.contents;
  let offset = 0;
  for (const [index, step] of path.entries()) {
    offset = offsetOf(node) ?? offset;
    if (isAlias(node)) node = node.resolve(document);
    const isLast = index === path.length - 1;
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(step));
      if (!isPair(pair)) return offset;
      const keyOffset = offsetOf(pair.key);
      if (isLast && (isName || pair.value === null)) return keyOffset ?? offset;
      offset = keyOffset ?? offset;
      node = pair.value;
    } else if (isSeq(node) && typeof step === 'number') node = node.items[step];
    else return offset;
  }
  return offsetOf(node) ?? offset;
}

const offsetOf = (node: unknown): number | undefined => (node as Node | null | undefined)?.range?.[0];

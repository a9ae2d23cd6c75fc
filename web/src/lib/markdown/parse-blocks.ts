/** A block of a Markdown text; its lines are read by `parseInlines`. HTML is text like any other. */
export type Block =
  | { readonly kind: 'code'; readonly language: string; readonly text: string }
  | { readonly kind: 'heading' | 'quote' | 'paragraph' | 'plain'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly ListItem[] }
  | { readonly kind: 'table'; readonly rows: readonly (readonly string[])[] }
  | { readonly kind: 'rule' };

export interface ListItem {
  /** `•`, or the number that was written. */
  readonly mark: string;
  readonly depth: number;
  readonly text: string;
}

const fence = /^ {0,3}(```+|~~~+)\s*([\w+#.-]*)/;
const heading = /^#{1,6} +(.*)$/;
const listItem = /^( {0,12})([-*+]|\d{1,9}[.)]) +(.*)$/;
const rule = /^ {0,3}([-*_])( *\1){2,} *$/;
const tableLine = /^ {0,3}\|/;
const tableRule = /^[\s|:-]+$/;

/** More lines, marks and unseen characters than an answer for people has; drawn, they would hold the page for seconds. */
const marksMax = 10_000;
/** A browser breaks a word into lines in a time that grows with the square of its length. */
const wordMax = 4_000;
const endlessWord = new RegExp(`\\S{${wordMax}}`);

/** Reads a text line by line; what has no special form is a paragraph. One that is hard to draw is plain. */
export function parseBlocks(text: string): readonly Block[] {
  if (isHard(text)) return [{ kind: 'plain', text }];
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  const blocks: Block[] = [];
  let at = 0;
  while (at < lines.length) {
    const found = readBlock(lines, at);
    if (found.block) blocks.push(found.block);
    at = found.end;
  }
  return blocks;
}

/** Whether two blocks were read from the same text. */
export function isSameBlock(one: Block, other: Block): boolean {
  if (one.kind !== other.kind) return false;
  if ('text' in one && 'text' in other && one.text !== other.text) return false;
  return JSON.stringify(one) === JSON.stringify(other);
}

function isHard(text: string): boolean {
  if (text.length <= wordMax) return false;
  if (endlessWord.test(text)) return true;
  const marks = /[\n\t*_`[|\p{Cf}]/gu;
  let count = 0;
  while (count <= marksMax && marks.test(text)) count += 1;
  return count > marksMax;
}

interface Found {
  readonly block: Block | null;
  readonly end: number;
}

function readBlock(lines: readonly string[], at: number): Found {
  const line = lines[at] ?? '';
  if (line.trim() === '') return { block: null, end: at + 1 };
  const opened = fence.exec(line);
  if (opened) return readCode(lines, at, opened);
  const title = heading.exec(line);
  if (title) return { block: { kind: 'heading', text: title[1] ?? '' }, end: at + 1 };
  if (rule.test(line)) return { block: { kind: 'rule' }, end: at + 1 };
  if (listItem.test(line)) return readList(lines, at);
  if (tableLine.test(line)) return readTable(lines, at);
  if (line.startsWith('>')) {
    const end = findEnd(lines, at, (one) => one.startsWith('>'));
    const quoted = lines.slice(at, end).map((one) => one.replace(/^> ?/, ''));
    return { block: { kind: 'quote', text: quoted.join('\n') }, end };
  }
  const end = findEnd(lines, at + 1, (one) => one.trim() !== '' && !startsBlock(one));
  return { block: { kind: 'paragraph', text: lines.slice(at, end).join('\n') }, end };
}

const startsBlock = (line: string) =>
  [fence, heading, listItem, rule, tableLine].some((form) => form.test(line)) || line.startsWith('>');

/** Where the lines end that belong together. */
function findEnd(lines: readonly string[], from: number, belongs: (line: string) => boolean): number {
  let end = from;
  while (end < lines.length && belongs(lines[end] ?? '')) end += 1;
  return end;
}

function readCode(
  lines: readonly string[],
  at: number,
  [, mark = '', language = '']: RegExpExecArray,
): Found {
  const isClose = (line: string) =>
    line.trim().startsWith(mark) && line.trim().replaceAll(mark.charAt(0), '') === '';
  const end = findEnd(lines, at + 1, (line) => !isClose(line));
  return { block: { kind: 'code', language, text: lines.slice(at + 1, end).join('\n') }, end: end + 1 };
}

function readList(lines: readonly string[], at: number): Found {
  const end = findEnd(lines, at, (line) => listItem.test(line) || /^ {2,}\S/.test(line));
  const items: ListItem[] = [];
  for (const line of lines.slice(at, end)) {
    const [, indent = '', mark = '', text = ''] = listItem.exec(line) ?? [];
    const last = items.at(-1);
    if (mark !== '')
      items.push({ mark: /\d/.test(mark) ? mark : '•', depth: Math.floor(indent.length / 2), text });
    else if (last) items[items.length - 1] = { ...last, text: `${last.text}\n${line.trim()}` };
  }
  return { block: { kind: 'list', items }, end };
}

function readTable(lines: readonly string[], at: number): Found {
  const end = findEnd(lines, at, (line) => tableLine.test(line));
  const rows = lines
    .slice(at, end)
    .filter((line) => !tableRule.test(line))
    .map((line) =>
      line
        .trim()
        .replace(/^\||\|$/g, '')
        .split('|')
        .map((cell) => cell.trim()),
    );
  return { block: { kind: 'table', rows }, end };
}
